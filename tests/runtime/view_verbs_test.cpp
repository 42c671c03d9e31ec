#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

#include <tilejit/generator/error.h>
#include <tilejit/runtime/tensor_view.h>

#include "../support/effort.h"
#include "elements.h"
#include "message.h"

namespace tilejit {
namespace {

using test::at;
using test::count_of;
using test::Elements;
using test::elements_by;
using test::elements_of;
using test::message_of;
using testing::ElementsAre;
using testing::HasSubstr;
using Index = std::vector<std::int64_t>;

void* const somewhere = reinterpret_cast<void*>(0x100000);

/// Views of up to 4 axes with gaps, repeats, steps back, empty axes and axes of extent 1.
class RandomViews {
 public:
  explicit RandomViews(unsigned seed) : random_(seed) {}
  std::int64_t number(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }
  TensorView view(int min_rank = 0, int max = 4) {
    const auto rank = static_cast<std::size_t>(number(min_rank, max));
    Index shape(rank), strides(rank);
    for (std::size_t axis = 0; axis < rank; ++axis) {
      shape[axis] = number(0, 9) == 0 ? 0 : number(1, 5);
      strides[axis] = number(-30, 30);
    }
    return TensorView(somewhere, number(0, 1) == 0 ? f32 : f16, shape, strides);
  }

 private:
  std::mt19937 random_;
};

TEST(ViewVerbs, PermuteMovesAxesAndKeepsElements) {
  RandomViews random(1);
  for (long round = test::rounds(500); round > 0; --round) {
    const TensorView view = random.view();
    std::vector<int> axes(static_cast<std::size_t>(view.rank()));
    std::iota(axes.begin(), axes.end(), 0);
    for (std::size_t i = axes.size(); i > 1; --i)
      std::swap(axes[i - 1], axes[std::size_t(random.number(0, int(i) - 1))]);
    const Elements before = elements_of(view);
    Index shape(axes.size());
    for (std::size_t to = 0; to < axes.size(); ++to) shape[to] = before.shape[std::size_t(axes[to])];
    const Elements expected = elements_by(shape, [&](const Index& index) {
      Index from(index.size());
      for (std::size_t to = 0; to < axes.size(); ++to) from[std::size_t(axes[to])] = index[to];
      return at(before, from);
    });
    std::vector<int> spelled = axes;
    for (int& axis : spelled) axis -= random.number(0, 1) == 0 ? view.rank() : 0;
    EXPECT_EQ(elements_of(view.permute(spelled)), expected) << view.to_string();
  }
}

TEST(ViewVerbs, TransposeSwapsTwoAxes) {
  RandomViews random(2);
  for (long round = test::rounds(300); round > 0; --round) {
    const TensorView view = random.view(1);
    const int a = int(random.number(0, view.rank() - 1)), b = int(random.number(0, view.rank() - 1));
    const Elements before = elements_of(view);
    Index shape = before.shape;
    std::swap(shape[std::size_t(a)], shape[std::size_t(b)]);
    EXPECT_EQ(elements_of(view.transpose(a, b - view.rank())), elements_by(shape, [&](Index index) {
                std::swap(index[std::size_t(a)], index[std::size_t(b)]);
                return at(before, index);
              }));
  }
}

TEST(ViewVerbs, TOfThreeByFourReadsByColumns) {
  const TensorView view = TensorView(somewhere, f32, {3, 4}).t();
  EXPECT_THAT(view.shape(), ElementsAre(4, 3));
  EXPECT_THAT(view.strides(), ElementsAre(1, 4));
  EXPECT_EQ(TensorView(somewhere, f32, {3}).t().rank(), 1);
  EXPECT_EQ(TensorView(somewhere, f32, {}).t().rank(), 0);
  EXPECT_NE(message_of<InvalidArgument>([] { TensorView(somewhere, f32, {2, 3, 4}).t(); }), "");
}

/// Python's range(size)[start:stop:step], element by element.
Index sliced(std::int64_t size, std::int64_t start, std::int64_t stop, std::int64_t step) {
  const auto place = [&](std::int64_t at) {
    if (at < 0) at += size;
    const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
    return at < low ? low : at > high ? high : at;
  };
  Index picked;
  const std::int64_t from = place(start), to = place(stop);
  for (std::int64_t i = from; step > 0 ? i < to : i > to; i += step) picked.push_back(i);
  return picked;
}

TEST(ViewVerbs, SliceClampsLikePython) {
  // [size, start, stop, step] and what Python's list(range(size))[start:stop:step] gives.
  EXPECT_THAT(sliced(5, 4, -6, -1), ElementsAre(4, 3, 2, 1, 0));
  EXPECT_THAT(sliced(5, -3, 100, 2), ElementsAre(2, 4));
  EXPECT_THAT(sliced(5, 100, 0, -2), ElementsAre(4, 2));
  for (std::int64_t size = 0; size <= 5; ++size) {
    const TensorView view(somewhere, f32, {2, size}, {100, 3});
    const Elements before = elements_of(view);
    for (std::int64_t start = -size - 2; start <= size + 2; ++start)
      for (std::int64_t stop = -size - 2; stop <= size + 2; ++stop)
        for (std::int64_t step = -4; step <= 4; ++step) {
          if (step == 0) continue;
          const Index picked = sliced(size, start, stop, step);
          const Elements expected = elements_by({2, std::int64_t(picked.size())}, [&](const Index& index) {
            return at(before, {index[0], picked[std::size_t(index[1])]});
          });
          ASSERT_EQ(elements_of(view.slice(-1, start, stop, step)), expected)
              << size << " " << start << ":" << stop << ":" << step;
        }
  }
}

TEST(ViewVerbs, SliceTakesTheWidestNumbers) {
  const TensorView view(somewhere, f32, {5});
  EXPECT_THAT(view.slice(0, INT64_MIN, INT64_MAX).shape(), ElementsAre(5));
  EXPECT_THAT(view.slice(0, 0, 5, INT64_MAX).shape(), ElementsAre(1));
  EXPECT_THAT(view.slice(0, 4, INT64_MIN, INT64_MIN).shape(), ElementsAre(1));
  EXPECT_EQ(view.slice(0, INT64_MAX, INT64_MIN, -1).data(), static_cast<char*>(somewhere) + 16);
  EXPECT_THAT(message_of<InvalidArgument>([&] { view.slice(0, 0, 5, 0); }), HasSubstr("step 0"));
}

TEST(ViewVerbs, SlicesOfRandomViewsKeepTheOtherAxes) {
  RandomViews random(3);
  for (long round = test::rounds(500); round > 0; --round) {
    const TensorView view = random.view(1);
    const int axis = int(random.number(0, view.rank() - 1));
    const std::int64_t start = random.number(-6, 6), stop = random.number(-6, 6);
    const std::int64_t step = random.number(0, 1) == 0 ? random.number(1, 3) : random.number(-3, -1);
    const Elements before = elements_of(view);
    const Index picked = sliced(view.size(axis), start, stop, step);
    Index shape = before.shape;
    shape[std::size_t(axis)] = std::int64_t(picked.size());
    EXPECT_EQ(elements_of(view.slice(axis, start, stop, step)), elements_by(shape, [&](Index index) {
                index[std::size_t(axis)] = picked[std::size_t(index[std::size_t(axis)])];
                return at(before, index);
              }));
  }
}

TEST(ViewVerbs, SelectDropsTheAxis) {
  RandomViews random(4);
  for (long round = test::rounds(500); round > 0; --round) {
    const TensorView view = random.view(1);
    const int axis = int(random.number(0, view.rank() - 1));
    if (view.size(axis) == 0) continue;
    const std::int64_t index = random.number(0, view.size(axis) - 1);
    const Elements before = elements_of(view);
    Index shape = before.shape;
    shape.erase(shape.begin() + axis);
    const Elements expected = elements_by(shape, [&](Index rest) {
      rest.insert(rest.begin() + axis, index);
      return at(before, rest);
    });
    EXPECT_EQ(elements_of(view.select(axis, index)), expected);
    EXPECT_EQ(elements_of(view.select(axis - view.rank(), index - view.size(axis))), expected);
  }
}

TEST(ViewVerbs, SelectRefusesAnIndexOutsideByAxisAndExtent) {
  const TensorView view(somewhere, f32, {3, 4});
  for (const std::int64_t index : {std::int64_t(4), std::int64_t(-5), INT64_MAX, INT64_MIN}) {
    EXPECT_THAT(message_of<InvalidArgument>([&] { view.select(1, index); }), HasSubstr("along axis 1"));
  }
  EXPECT_NE(message_of<InvalidArgument>([&] { view.slice(1, 2, 2).select(1, 0); }), "");
}

TEST(ViewVerbs, BroadcastRepeatsAxesOfExtentOneAndAddsAxesInFront) {
  RandomViews random(5);
  for (long round = test::rounds(500); round > 0; --round) {
    const TensorView view = random.view(0, 3);
    const Elements before = elements_of(view);
    Index shape = before.shape, spelled;
    for (std::int64_t& extent : shape) {
      if (extent == 1) extent = random.number(0, 4);
      spelled.push_back(random.number(0, 3) == 0 && before.shape[spelled.size()] == extent ? -1 : extent);
    }
    const auto added = std::size_t(random.number(0, 3));
    for (std::size_t i = 0; i < added; ++i) {
      shape.insert(shape.begin(), random.number(0, 3));
      spelled.insert(spelled.begin(), shape.front());
    }
    const TensorView wide = view.broadcast_to(spelled);
    EXPECT_EQ(elements_of(wide), elements_by(shape, [&](const Index& index) {
                Index from(index.begin() + std::ptrdiff_t(added), index.end());
                for (std::size_t axis = 0; axis < from.size(); ++axis)
                  if (before.shape[axis] == 1) from[axis] = 0;
                return at(before, from);
              }));
    for (std::size_t axis = 0; axis < added; ++axis) EXPECT_EQ(wide.strides()[axis], 0);
  }
}

TEST(ViewVerbs, BroadcastRefusesByAxis) {
  const TensorView view(somewhere, f32, {3, 4});
  const auto refused = [&](std::initializer_list<std::int64_t> shape) {
    return message_of<InvalidArgument>([&] { view.broadcast_to(shape); });
  };
  EXPECT_THAT(refused({3, 5}), HasSubstr("has extent 4 on axis 1"));
  EXPECT_THAT(refused({4}), HasSubstr("has more axes"));
  EXPECT_THAT(refused({-1, 3, 4}), HasSubstr("extent -1 on axis 0"));
  EXPECT_THAT(refused({3, -2}), HasSubstr("extent -2 on axis 1"));
  EXPECT_THAT(refused({1, 1, 1, 1, 1, 1, 1, 3, 4}), HasSubstr("8 axes at most"));
  EXPECT_NE(refused({std::int64_t(1) << 62, 3, 4}), "");
}

TEST(ViewVerbs, SqueezeAndUnsqueezeUndoEachOther) {
  RandomViews random(6);
  for (long round = test::rounds(300); round > 0; --round) {
    const TensorView view = random.view();
    const int axis = int(random.number(0, view.rank()));
    const TensorView wider = view.unsqueeze(axis - (random.number(0, 1) == 0 ? view.rank() + 1 : 0));
    Elements expected = elements_of(view);
    expected.shape.insert(expected.shape.begin() + axis, 1);
    EXPECT_EQ(elements_of(wider), expected);
    EXPECT_EQ(wider.is_contiguous(), view.is_contiguous());
    EXPECT_EQ(elements_of(wider.squeeze(axis)), elements_of(view));
  }
  const TensorView full(somewhere, f32, {1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_THAT(message_of<InvalidArgument>([&] { full.unsqueeze(0); }), HasSubstr("8 axes already"));
  EXPECT_EQ(TensorView(somewhere, f32, {3, 4}).squeeze(0).rank(), 2) << "an axis of extent 3 stays";
  EXPECT_EQ(TensorView(somewhere, f32, {}).squeeze(0).rank(), 0);
}

TEST(ViewVerbs, PermuteRefusesRepeatsAndOtherCounts) {
  const TensorView view(somewhere, f32, {3, 4});
  EXPECT_THAT(message_of<InvalidArgument>([&] { view.permute({0, -2}); }), HasSubstr("axis 0 of f32 (3, 4)"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { view.permute({0}); }), HasSubstr("1 axes given"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { view.permute({0, 2}); }), HasSubstr("no axis 2"));
}

TEST(ViewVerbs, AViewOfAnAbsentTensorStaysAbsent) {
  const TensorView none;
  EXPECT_FALSE(none.permute(std::initializer_list<int>{}).present());
  EXPECT_FALSE(none.unsqueeze(0).present());
  EXPECT_FALSE(none.broadcast_to({2, 2}).present());
}

/// The view of `shape` over the same elements, if strides for it exist: found from the addresses alone.
std::optional<Index> strides_by_search(const Elements& before, const Index& shape) {
  const auto size = std::int64_t{4};
  if (count_of(shape) != std::int64_t(before.addresses.size())) return std::nullopt;
  Index strides(shape.size(), 0);
  std::int64_t step = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (shape[axis] > 1) strides[axis] = (before.addresses[std::size_t(step)] - before.addresses[0]) / size;
    step *= shape[axis];
  }
  const Elements after = elements_by(shape, [&](const Index& index) {
    std::int64_t address = before.addresses[0];
    for (std::size_t axis = 0; axis < index.size(); ++axis) address += index[axis] * strides[axis] * size;
    return address;
  });
  if (after.addresses != before.addresses) return std::nullopt;
  return strides;
}

std::vector<Index> shapes_of(std::int64_t elements, std::size_t axes) {
  if (axes == 0) return elements == 1 ? std::vector<Index>{{}} : std::vector<Index>{};
  std::vector<Index> shapes;
  for (std::int64_t first = 1; first <= elements; ++first) {
    if (elements % first != 0) continue;
    for (Index rest : shapes_of(elements / first, axes - 1)) {
      rest.insert(rest.begin(), first);
      shapes.push_back(rest);
    }
  }
  return shapes;
}

TEST(Reshape, IsAllowedExactlyWhereStridesExist) {
  RandomViews random(7);
  int allowed = 0, refused = 0;
  for (const std::int64_t elements : {1, 2, 6, 8, 12, 24}) {
    for (std::size_t from_axes = 0; from_axes <= 3; ++from_axes) {
      for (const Index& shape : shapes_of(elements, from_axes)) {
        for (long variant = 0; variant < test::rounds(3); ++variant) {
          // Contiguous strides with a few of them changed: runs that join and runs that do not.
          Index strides(shape.size());
          std::int64_t stride = random.number(-1, 2);
          for (std::size_t axis = shape.size(); axis-- > 0;) {
            if (variant > 0 && random.number(0, 2) == 0) stride = random.number(-12, 12);
            strides[axis] = stride;
            stride *= shape[axis];
          }
          const TensorView view(somewhere, f32, shape, strides);
          const Elements before = elements_of(view);
          for (std::size_t to_axes = 0; to_axes <= 4; ++to_axes) {
            for (const Index& target : shapes_of(elements, to_axes)) {
              const bool possible = strides_by_search(before, target).has_value();
              Elements after;
              const bool done = message_of<InvalidArgument>([&] { after = elements_of(view.view(target)); }).empty();
              ASSERT_EQ(done, possible) << view.to_string() << " to " << TensorView(somewhere, f32, target).to_string();
              ASSERT_TRUE(!done || after == (Elements{target, before.addresses})) << view.to_string();
              ++(done ? allowed : refused);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(allowed, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(Reshape, NamesTheAxisThatBreaksIt) {
  const TensorView view = TensorView(somewhere, f32, {3, 4}).t();
  EXPECT_THAT(message_of<InvalidArgument>([&] { view.view({12}); }),
              HasSubstr("view (12): axis 0 of extent 12 would have to split axis 1 and go on into axis 0 of f32 (4, 3) "
                        "strides (1, 4)"));
}

TEST(Reshape, FillsInOneExtent) {
  const TensorView view(somewhere, f32, {3, 4});
  EXPECT_THAT(view.view({2, -1}).shape(), ElementsAre(2, 6));
  EXPECT_THAT(view.view({-1}).shape(), ElementsAre(12));
  const auto refused = [&](std::initializer_list<std::int64_t> shape) {
    return message_of<InvalidArgument>([&] { view.view(shape); });
  };
  EXPECT_THAT(refused({-1, -1}), HasSubstr("axes 0 and 1 are both -1"));
  EXPECT_THAT(refused({5, -1}), HasSubstr("has 12 elements"));
  EXPECT_THAT(refused({13}), HasSubstr("has 12 elements"));
  EXPECT_THAT(refused({-2, 6}), HasSubstr("axis 0 is negative"));
  EXPECT_THAT(refused({0, -1}), HasSubstr("axis 1 could be anything"));
  EXPECT_NE(refused({std::int64_t(1) << 62, 8, 3}), "") << "a product that wraps";
}

TEST(Reshape, OfAnEmptyViewTakesAnyEmptyShape) {
  const TensorView view(somewhere, f32, {3, 0}, {7, 5});
  EXPECT_THAT(view.view({3, 0}).strides(), ElementsAre(7, 5));
  EXPECT_THAT(view.view({0, 8, 2}).strides(), ElementsAre(16, 2, 1));
  EXPECT_THAT(view.view({-1, 3}).shape(), ElementsAre(0, 3));
  EXPECT_NE(message_of<InvalidArgument>([&] { view.view({1}); }), "");
}

}  // namespace
}  // namespace tilejit
