#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include <tilejit/runtime/tensor_view.h>

#include "../support/effort.h"
#include "elements.h"

namespace tilejit {
namespace {

using test::elements_of;
using Index = std::vector<std::int64_t>;

constexpr std::intptr_t base = 0x100000;

std::vector<std::int64_t> bytes_of(const TensorView& view) {
  std::vector<std::int64_t> bytes;
  for (const std::int64_t address : elements_of(view).addresses)
    for (std::size_t i = 0; i < size_of(view.dtype()); ++i) bytes.push_back(address + std::int64_t(i));
  return bytes;
}

bool repeats(const TensorView& view) {
  std::vector<std::int64_t> bytes = bytes_of(view);
  std::ranges::sort(bytes);
  return std::ranges::adjacent_find(bytes) != bytes.end();
}

bool meets(const TensorView& left, const TensorView& right) {
  const std::vector<std::int64_t> bytes = bytes_of(left);
  const std::set<std::int64_t> set(bytes.begin(), bytes.end());
  return std::ranges::any_of(bytes_of(right), [&](std::int64_t byte) { return set.contains(byte); });
}

class RandomViews {
 public:
  explicit RandomViews(unsigned seed) : random_(seed) {}
  std::int64_t number(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }
  TensorView view(int max_axes, std::int64_t max_stride) {
    const auto rank = std::size_t(number(0, max_axes));
    Index shape(rank), strides(rank);
    for (std::size_t axis = 0; axis < rank; ++axis) {
      shape[axis] = number(0, 14) == 0 ? 0 : number(1, 4);
      strides[axis] = number(-max_stride, max_stride);
    }
    constexpr DType dtypes[] = {f32, f16, u8, f64};
    return TensorView(reinterpret_cast<void*>(base + number(-40, 40)), dtypes[number(0, 3)], shape, strides);
  }

 private:
  std::mt19937 random_;
};

TEST(SelfOverlap, AgreesWithCountingEveryByte) {
  RandomViews random(1);
  int yes = 0, no = 0;
  for (long round = test::rounds(5000); round > 0; --round) {
    const TensorView view = random.view(4, 30);
    const Overlap found = self_overlap(view);
    ASSERT_EQ(found, repeats(view) ? Overlap::yes : Overlap::no) << view.to_string();
    ++(found == Overlap::yes ? yes : no);
  }
  EXPECT_GT(yes, 500);
  EXPECT_GT(no, 500);
}

TEST(Overlap, AgreesWithComparingEveryByte) {
  RandomViews random(2);
  int yes = 0, no = 0;
  for (long round = test::rounds(5000); round > 0; --round) {
    const TensorView left = random.view(3, 12), right = random.view(3, 12);
    const Overlap found = overlap(left, right);
    ASSERT_EQ(found, meets(left, right) ? Overlap::yes : Overlap::no)
        << left.to_string() << " at " << left.data() << ", " << right.to_string() << " at " << right.data();
    ASSERT_EQ(found, overlap(right, left));
    ++(found == Overlap::yes ? yes : no);
  }
  EXPECT_GT(yes, 500);
  EXPECT_GT(no, 500);
}

TEST(Overlap, HalvesOfOneTensorDoNotMeetThoughTheirRangesDo) {
  const TensorView whole(reinterpret_cast<void*>(base), f32, {1024, 1024});
  EXPECT_EQ(overlap(whole.slice(1, 0, 512), whole.slice(1, 512, 1024)), Overlap::no);
  EXPECT_EQ(overlap(whole.slice(1, 0, 513), whole.slice(1, 512, 1024)), Overlap::yes);
  EXPECT_EQ(overlap(whole.slice(0, 0, 1024, 2), whole.slice(0, 1, 1024, 2)), Overlap::no);
  EXPECT_EQ(overlap(whole, whole.t()), Overlap::yes);
  EXPECT_EQ(overlap(whole.slice(1, 0, 1024, 2), whole.slice(1, 1, 1024, 2)), Overlap::no) << "even and odd columns";
}

TEST(Overlap, ReversedHalvesAreToldApart) {
  const TensorView row(reinterpret_cast<void*>(base), f32, {1000});
  EXPECT_EQ(overlap(row.slice(0, 999, 499, -1), row.slice(0, 0, 500)), Overlap::no);
  EXPECT_EQ(overlap(row.slice(0, 999, 498, -1), row.slice(0, 0, 500)), Overlap::yes);
}

TEST(Overlap, OfDifferentElementSizesCountsBytes) {
  const auto at = [](std::intptr_t offset, DType dtype, std::int64_t count, std::int64_t stride) {
    return TensorView(reinterpret_cast<void*>(base + offset), dtype, {count}, {stride});
  };
  EXPECT_EQ(overlap(at(0, f32, 100, 2), at(4, f32, 100, 2)), Overlap::no);
  EXPECT_EQ(overlap(at(0, f32, 100, 2), at(4, u8, 100, 8)), Overlap::no);
  EXPECT_EQ(overlap(at(0, f32, 100, 2), at(3, u8, 100, 8)), Overlap::yes);
  EXPECT_EQ(overlap(at(0, f32, 100, 2), at(2, f32, 100, 2)), Overlap::yes);
}

TEST(Overlap, EmptyAndAbsentViewsMeetNothing) {
  const TensorView whole(reinterpret_cast<void*>(base), f32, {16});
  EXPECT_EQ(overlap(whole, whole.slice(0, 3, 3)), Overlap::no);
  EXPECT_EQ(overlap(whole, TensorView()), Overlap::no);
  EXPECT_EQ(self_overlap(TensorView()), Overlap::no);
}

TEST(Overlap, IsExactPastTwoToThe31) {
  const std::int64_t far = std::int64_t(1) << 40;
  const TensorView wide(reinterpret_cast<void*>(base), f32, {1000, 1000}, {far, far / 2 + 1});
  EXPECT_EQ(self_overlap(wide), Overlap::no);
  EXPECT_EQ(self_overlap(TensorView(reinterpret_cast<void*>(base), f32, {1000, 1000}, {far, far / 2})), Overlap::yes);
}

TEST(Overlap, OfHardNumbersEndsAndNeverSaysNoWrongly) {
  // Strides without a common structure: an answer, or unknown, in bounded time.
  const TensorView view(reinterpret_cast<void*>(base), f32, {100, 100, 100, 100, 100, 100},
                        {10007, 20011, 30011, 40009, 50021, 60013});
  EXPECT_NE(self_overlap(view), Overlap::no);
}

TEST(Overlap, BroadcastOutputsOverlapThemselves) {
  const TensorView row(reinterpret_cast<void*>(base), f32, {8});
  EXPECT_EQ(self_overlap(row.broadcast_to({4, 8})), Overlap::yes);
  EXPECT_EQ(self_overlap(row.broadcast_to({1, 8})), Overlap::no);
  EXPECT_EQ(self_overlap(TensorView(reinterpret_cast<void*>(base), f32, {3, 3}, {1, 1})), Overlap::yes);
}

}  // namespace
}  // namespace tilejit
