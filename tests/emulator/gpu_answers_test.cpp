#include <gtest/gtest.h>

#include <bit>
#include <fstream>

#include "answers/approximations.h"
#include "answers/card.h"
#include "answers/mma_answers.h"
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
