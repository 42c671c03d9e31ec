#include <gtest/gtest.h>

#include <bit>
#include <fstream>

#include "answers/approximations.h"
#include "answers/banks.h"
#include "answers/card.h"
#include "answers/mma_answers.h"
#include "answers/probes.h"
#include "answers/tiles.h"

/// The emulated device against a GPU's answers, kept by gpu_answers --write.
namespace tilejit::testing {
namespace {

const Card& emulated() {
  static const auto* card = [] {
    setenv("TILEJIT_EMULATED_CC", "9.0", 1);
    std::string why;
    Card* const opened = Card::open(TILEJIT_BINARY_DIR "/lib/libtilejit_emulated_cuda.so", why).release();
    if (opened == nullptr) throw std::runtime_error(why);
    return opened;
  }();
  return *card;
}

std::ifstream golden(const std::string& name) {
  std::ifstream file(TILEJIT_SOURCE_DIR "/tests/golden/gpu_answers/sm_90/" + name);
  if (!file) throw std::runtime_error("no golden file " + name);
  return file;
}

TEST(GpuAnswers, MmaIsEqualBitForBit) {
  std::ifstream file = golden("mma.txt");
  const std::map<std::string, MmaAnswers> all = read_mma_answers(file);
  EXPECT_EQ(all.size(), mma_forms().size());
  for (const MmaForm& form : mma_forms()) {
    SCOPED_TRACE(form.instruction());
    const auto found = all.find(form.instruction());
    ASSERT_NE(found, all.end());
    const MmaAnswers ours = summed_up(form, run_tiles(emulated(), form, 0, golden_tiles));
    EXPECT_EQ(ours.tiles, found->second.tiles);
    ASSERT_EQ(ours.digests.size(), found->second.digests.size());
    for (std::size_t i = 0; i < ours.digests.size(); ++i) {
      EXPECT_EQ(ours.digests[i], found->second.digests[i])
          << "tiles of kind '" << name_of_kind(static_cast<int>(i) % tile_kinds) << "', block " << i / tile_kinds;
    }
  }
}

/// Approximations may be two steps off, also where one of the two was flushed.
bool is_close(std::uint32_t a, std::uint32_t b) {
  const auto up = [](std::uint32_t u) { return (u & 0x7FFFFFFF) == 0 ? u | 0x00800000 : u; };
  return a == b || steps_between(up(a), up(b)) <= 2;
}

TEST(GpuAnswers, FlushingAndEightBitFormatsAreEqualBitForBit) {
  std::ifstream file = golden("probes.txt");
  const std::map<std::string, ProbeAnswer> all = read_probe_answers(file);
  for (const Probe& probe : probes()) {
    SCOPED_TRACE(probe.name);
    const auto found = all.find(probe.name);
    ASSERT_NE(found, all.end());
    const Words ours = run(emulated(), probe), &theirs = found->second.words;
    if (probe.digest) {
      EXPECT_EQ(digest_of(ours), found->second.digest);
      continue;
    }
    ASSERT_EQ(ours.size(), theirs.size());
    const bool approximate = probe.name.find("approx") != std::string::npos;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      EXPECT_TRUE(approximate ? is_close(ours[i], theirs[i]) : ours[i] == theirs[i])
          << std::hex << probe.a[i] << " " << probe.b[i] << " " << probe.c[i] << ": " << ours[i] << ", GPU "
          << theirs[i];
    }
  }
}

/// Cycles that a multiprocessor takes for an access of w wavefronts: stores move a quarter of 16 bytes a lane at a
/// time, whatever the banks say, and the loads' own loop takes four.
double least_cycles(const std::string& access) {
  if (access.starts_with("st.")) return std::stoi(access.substr(3)) / 4.0;
  return access.starts_with("ld.") ? 4 : 1;
}

TEST(GpuAnswers, SharedMemoryTakesAsManyCyclesAsWavefronts) {
  std::ifstream file = golden("banks.txt");
  const std::vector<BankAnswer> all = read_bank_answers(file);
  const std::vector<BankPattern> patterns = bank_patterns();
  ASSERT_EQ(all.size(), patterns.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(all[i].name, patterns[i].name);
    const double least = least_cycles(all[i].access), want = std::max(wavefronts_of(emulated(), patterns[i]), least);
    EXPECT_NEAR(all[i].cycles, want, want == least && all[i].access.starts_with("ld") ? 0.7 : 0.1 + 0.02 * want)
        << all[i].access << " " << all[i].name;
  }
}

TEST(GpuAnswers, ApproximationsAreNoFurtherApartThanWasMeasuredOverAllFloats) {
  std::ifstream file = golden("approximations.txt");
  const std::map<std::string, ApproximationAnswer> all = read_approximation_answers(file);
  for (const Approximation& function : approximations()) {
    SCOPED_TRACE(function.instruction);
    const auto found = all.find(function.instruction);
    ASSERT_NE(found, all.end());
    const Words x = sample_of(function), ours = run(emulated(), function, x);
    ASSERT_EQ(found->second.sample.size(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::uint32_t theirs = found->second.sample[i];
      if (steps_between(ours[i], theirs) <= std::min<std::uint64_t>(found->second.apart, 200)) continue;
      // What is near zero is bounded in size, not in steps.
      EXPECT_GT(found->second.apart, 200u) << std::hex << x[i];
      EXPECT_NEAR(std::bit_cast<float>(ours[i]), std::bit_cast<float>(theirs), 0x1p-20) << std::hex << x[i];
    }
  }
}

}  // namespace
}  // namespace tilejit::testing
