#include <tilejit/runtime/tuning/modelled_trials.h>

#include <gtest/gtest.h>

namespace tilejit {
namespace {

TEST(Model, ASectorCosts32BytesOfAnH200sMemory) {
  EXPECT_NEAR(modelled_milliseconds({.sectors = 131250000}, 132), 1.0, 1e-9);  // 4.2 GB at 4.2 TB/s
}

TEST(Model, MoreOfAnythingNeverCostsLess) {
  const EmulatedCounts base{.warp_instructions = 1000, .sectors = 1000, .shared_wavefronts = 1000, .blocks = 10};
  const double cost = modelled_milliseconds(base, 132);
  const auto with = [&](auto change) {
    EmulatedCounts counts = base;
    change(counts);
    return modelled_milliseconds(counts, 132);
  };
  EXPECT_GT(with([](EmulatedCounts& c) { c.sectors *= 2; }), cost);
  EXPECT_GT(with([](EmulatedCounts& c) { c.warp_instructions *= 2; }), cost);
  EXPECT_GT(with([](EmulatedCounts& c) { c.shared_wavefronts *= 2; }), cost);
  EXPECT_GT(with([](EmulatedCounts& c) { c.blocks *= 2; }), cost);
  EXPECT_GT(modelled_milliseconds(base, 66), cost);
}

}  // namespace
}  // namespace tilejit
