#pragma once
#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "card.h"

/// The approximate functions over every float.
namespace tilejit::testing {

struct Approximation {
  const char* instruction;  ///< "ex2.approx.f32"
  double (*exact)(double);
  float limit;        ///< of |x|; infinity: all
  const char* bound;  ///< the ISA's own words, in short
};
const std::vector<Approximation>& approximations();

/// A kernel `k` (d, x): one instruction a value.
std::string approximation_kernel(const Approximation& approximation);

/// Arguments of the sample that is kept, the same everywhere.
constexpr std::size_t golden_arguments = 1000;
Words sample_of(const Approximation& approximation);

struct ErrorSum {
  std::uint64_t values = 0, equal = 0;  ///< bit-equal between GPU and emulated device
  std::uint64_t most_apart = 0;         ///< between the two, in steps from float to float
  double gpu_ulp = 0, our_ulp = 0;      ///< largest errors against the exact value, in units of its last place
  double gpu_absolute = 0, our_absolute = 0;
  float gpu_at = 0, our_at = 0, apart_at = 0;
};

/// Steps between two floats; NaNs are alike; a NaN and a number are 2^32 apart.
std::uint64_t steps_between(std::uint32_t a, std::uint32_t b);

/// Every stride-th float on both devices. Prints a line for each function; `golden` (may be null) gets it and the
/// sample.
void check_approximations(const Card& gpu, const Card& emulated, std::uint64_t stride, std::ostream* golden);

/// The function over some arguments.
Words run(const Card& card, const Approximation& approximation, const Words& x);

struct ApproximationAnswer {
  Words sample;             ///< the GPU's answers to sample_of
  std::uint64_t apart = 0;  ///< the most that GPU and emulated device were, over every float
};
std::map<std::string, ApproximationAnswer> read_approximation_answers(std::istream& in);

}  // namespace tilejit::testing
