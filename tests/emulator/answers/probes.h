#pragma once
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "card.h"

/// Single instructions over chosen values: what flushing does at the smallest normal number, and the 8-bit formats.
namespace tilejit::testing {

/// `text` reads %a, %b, %c and writes %d, 32 bits each; %h0, %h1 (16 bits) and %w (64 bits) are there to use.
struct Probe {
  std::string name, text, target;
  Words a, b, c;
  bool digest = false;  ///< too many answers to keep
};
std::vector<Probe> probes();

Words run(const Card& card, const Probe& probe);
std::uint64_t digest_of(const Words& words);

/// All probes on both devices (`emulated` may be null). Prints differences; `golden` (may be null) gets the GPU's
/// answers. Returns how many probes differ.
int check_probes(const Card& gpu, const Card* emulated, std::ostream* golden);

struct ProbeAnswer {
  Words words;
  std::uint64_t digest = 0;
};
std::map<std::string, ProbeAnswer> read_probe_answers(std::istream& in);

}  // namespace tilejit::testing
