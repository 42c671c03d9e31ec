#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilejit/tools/strided.h>

namespace tilejit::tool {
namespace {

using testing::ElementsAre;

std::vector<std::int64_t> offsets(std::vector<std::int64_t> shape, std::vector<std::int64_t> strides) {
  std::vector<std::int64_t> all;
  for_each_row(shape, strides, [&](std::int64_t first, std::int64_t stride, std::int64_t count, std::int64_t index) {
    EXPECT_EQ(index, std::int64_t(all.size()));
    for (std::int64_t i = 0; i < count; ++i) all.push_back(first + i * stride);
  });
  return all;
}

TEST(Strided, RowsComeInRowMajorOrder) {
  EXPECT_THAT(offsets({2, 3}, {3, 1}), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(offsets({2, 3}, {1, 2}), ElementsAre(0, 2, 4, 1, 3, 5));
  EXPECT_THAT(offsets({2, 2, 2}, {100, 10, 1}), ElementsAre(0, 1, 10, 11, 100, 101, 110, 111));
}

TEST(Strided, AnySignAndZero) {
  EXPECT_THAT(offsets({2, 2}, {-2, 1}), ElementsAre(0, 1, -2, -1));
  EXPECT_THAT(offsets({2, 2}, {0, 1}), ElementsAre(0, 1, 0, 1));
}

TEST(Strided, RankZeroIsOneElementAndEmptyIsNone) {
  EXPECT_THAT(offsets({}, {}), ElementsAre(0));
  EXPECT_THAT(offsets({3, 0}, {1, 1}), ElementsAre());
  EXPECT_THAT(offsets({0}, {1}), ElementsAre());
}

TEST(Strided, CoordinatesUndoTheRowMajorNumber) {
  const std::vector<std::int64_t> shape{2, 3, 4};
  EXPECT_THAT(coordinates(0, shape), ElementsAre(0, 0, 0));
  EXPECT_THAT(coordinates(23, shape), ElementsAre(1, 2, 3));
  EXPECT_THAT(coordinates(13, shape), ElementsAre(1, 0, 1));
}

}  // namespace
}  // namespace tilejit::tool
