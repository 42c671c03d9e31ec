#pragma once
#include <array>
#include <iosfwd>
#include <string>
#include <vector>

#include "card.h"

/// How many cycles an access to shared memory takes for a pattern of its lanes, beside the model's wavefronts.
namespace tilejit::testing {

struct BankPattern {
  std::string name;
  std::string access;                     ///< "ld.4", "st.16", "ldmatrix.x4", ...
  std::array<std::uint32_t, 32> address;  ///< a lane's, in bytes from the start of shared memory
  std::uint32_t mask = ~0u;               ///< lanes that take part
};
std::vector<BankPattern> bank_patterns();

/// A kernel `k` (d, addresses with the mask as 33rd word): each of 8 warps accesses shared memory `bank_accesses`
/// times and writes its first and last clock.
std::string bank_kernel(const BankPattern& pattern);
constexpr int bank_warps = 8, bank_accesses = 512, bank_shared_bytes = 32768;

/// Cycles of the whole multiprocessor per access: where every access takes w wavefronts, about w.
double cycles_of(const Card& gpu, const BankPattern& pattern);
/// The emulated device's wavefronts per access.
double wavefronts_of(const Card& emulated, const BankPattern& pattern);

void check_banks(const Card& gpu, const Card* emulated, std::ostream* golden);

struct BankAnswer {
  std::string access, name;
  double cycles = 0;
};
std::vector<BankAnswer> read_bank_answers(std::istream& in);

}  // namespace tilejit::testing
