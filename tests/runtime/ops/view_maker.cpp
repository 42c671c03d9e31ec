#include <tilejit/tests/runtime/ops/view_maker.h>

#include <algorithm>
#include <numeric>

namespace tilejit::test {
namespace {

using Extents = std::vector<std::int64_t>;

/// Extents between the same two powers of two, for the axis that is walked first: what blocks are chosen by stays.
const std::array<Extents, 4> outer_extents{{{5, 7}, {17, 19, 23, 29, 31}, {3}, {9, 11, 13}}};
const std::array<Extents, 3> whole_extents{{{48, 64}, {80, 96, 112, 128}, {16}}};
const std::array<Extents, 4> odd_extents{{{33, 37, 41, 63}, {65, 67, 97, 127}, {17, 19, 23, 31}, {5, 7}}};

}  // namespace

ViewMaker::ViewMaker(unsigned structure, unsigned seed) : structure_(structure), random_(seed) {}

std::int64_t ViewMaker::number(std::int64_t low, std::int64_t high) {
  return low + std::int64_t(random_() % std::uint64_t(high - low + 1));
}

Extents ViewMaker::shape(ViewWay way) {
  if (way == ViewWay::scalar) return {};
  const auto one_of = [&](const Extents& all) { return all[std::size_t(number(0, std::int64_t(all.size()) - 1))]; };
  const bool whole = structure_ % 3 == 0;
  Extents shape{one_of(outer_extents[structure_ / 2 % outer_extents.size()])};
  // Up to 8 axes, the ones in between short, and odd where rows are, so that no product of them is aligned; a permuted
  // view wants three.
  const unsigned between = structure_ % 5 == 0 ? structure_ / 5 % 7 : structure_ % 5 == 1 ? 1 : 0;
  for (unsigned i = 0; i < std::max(between, way == ViewWay::permuted ? 1U : 0U); ++i)
    shape.push_back(i < 2 ? (whole ? 2 : 3) : 1);
  shape.push_back(whole ? one_of(whole_extents[structure_ / 3 % whole_extents.size()])
                        : one_of(odd_extents[structure_ / 3 % odd_extents.size()]));
  if (way == ViewWay::one) shape[structure_ / 2 % (shape.size() - 1)] = 1;
  if (way == ViewWay::empty) shape[std::size_t(number(0, std::int64_t(shape.size()) - 1))] = 0;
  return shape;
}

bool ViewMaker::special_is_unit_axis(ViewWay way) const { return (structure_ + unsigned(way)) % 5 == 0; }

Operand ViewMaker::view(ViewWay way, DType dtype, const Extents& shape, bool output) {
  std::vector<std::size_t> order(shape.size());
  std::iota(order.begin(), order.end(), 0U);  // outermost first
  if (way == ViewWay::transposed) std::reverse(order.begin(), order.end());
  if (way == ViewWay::permuted && shape.size() > 1)
    std::rotate(order.begin(), order.begin() + 1 + std::ptrdiff_t(structure_ % (shape.size() - 1)), order.end());
  Operand operand{dtype, shape, Extents(shape.size(), 1), 0, output};
  const std::size_t special = special_is_unit_axis(way) && !shape.empty() ? shape.size() - 1 : 0;
  std::int64_t stride = 1;
  for (std::size_t k = order.size(); k-- > 0;) {
    const std::size_t axis = order[k];
    const bool here = axis == special;
    if (way == ViewWay::stepped && here) stride *= number(2, 3);
    operand.strides[axis] = stride;
    stride *= std::max<std::int64_t>(shape[axis], 1);
    // What lies behind a row keeps rows as aligned as they were.
    if (way == ViewWay::padded && k + 1 == order.size()) stride += (stride % 16 == 0 ? 16 : 2) * number(1, 3);
    if (way == ViewWay::repeated && here && !output) operand.strides[axis] = 0;
    if (way == ViewWay::backwards && here) operand.strides[axis] *= -1;
    if (way == ViewWay::one && shape[axis] == 1) operand.strides[axis] = INT64_C(1) << 40;
  }
  if (way == ViewWay::offset) operand.offset = 2 * number(0, 3) + 1;
  return operand;
}

}  // namespace tilejit::test
