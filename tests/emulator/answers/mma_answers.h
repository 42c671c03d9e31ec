#pragma once
#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "../mma_forms.h"
#include "card.h"

/// A device's answers to the random tiles: whole ones of a few, digests of many.
namespace tilejit::testing {

constexpr int golden_tiles = 2000;  ///< that digests cover
constexpr int tiles_a_digest = 50;  ///< of one kind

/// D's registers of tiles [first, first + count), tile after tile.
Words run_tiles(const Card& card, const MmaForm& form, int first, int count);

struct MmaAnswers {
  std::vector<std::uint64_t> digests;  ///< of golden_tiles tiles: block after block of each kind
  std::map<int, Words> tiles;          ///< D's registers of a few
};
/// From the output of run_tiles(card, form, 0, golden_tiles).
MmaAnswers summed_up(const MmaForm& form, const Words& all);
/// Forms whose tiles are kept whole.
bool keeps_tiles(const MmaForm& form);

void write(std::ostream& out, const MmaForm& form, const MmaAnswers& answers);
/// By the form's instruction. Throws std::runtime_error with the line.
std::map<std::string, MmaAnswers> read_mma_answers(std::istream& in);

}  // namespace tilejit::testing
