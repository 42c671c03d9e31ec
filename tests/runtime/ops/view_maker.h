#pragma once
#include <array>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include <tilejit/tests/runtime/ops/op_case.h>

namespace tilejit::test {

/// A way in which a tensor may lie in memory.
enum class ViewWay {
  contiguous,
  transposed,
  permuted,
  stepped,
  offset,
  padded,
  repeated,
  backwards,
  one,
  empty,
  scalar
};
constexpr std::array view_ways{ViewWay::contiguous, ViewWay::transposed, ViewWay::permuted, ViewWay::stepped,
                               ViewWay::offset,     ViewWay::padded,     ViewWay::repeated, ViewWay::backwards,
                               ViewWay::one,        ViewWay::empty,      ViewWay::scalar};
constexpr std::array<std::string_view, view_ways.size()> view_names{"contiguous", "transposed", "permuted", "stepped",
                                                                    "offset",     "padded",     "stride 0", "backwards",
                                                                    "extent 1",   "empty",      "rank 0"};
constexpr std::string_view name_of(ViewWay way) { return view_names[std::size_t(way)]; }

/// Shapes and views for the cases of one op and dtype. Their structure (rank, order of axes, alignment, which axis is
/// special) follows from the way and `structure`, sizes and distances from `seed`: cases of one structure mostly share
/// their kernels, so that many cases cost few compiles. Extents are 1, odd, prime, and just past a power of two, or
/// multiples of 16 where vectors are to be whole.
class ViewMaker {
 public:
  ViewMaker(unsigned structure, unsigned seed);

  std::mt19937& random() { return random_; }
  unsigned structure() const { return structure_; }
  std::int64_t number(std::int64_t low, std::int64_t high);

  std::vector<std::int64_t> shape(ViewWay way);
  /// Outputs never repeat an element.
  Operand view(ViewWay way, DType dtype, const std::vector<std::int64_t>& shape, bool output);

 private:
  bool special_is_unit_axis(ViewWay way) const;

  unsigned structure_;
  std::mt19937 random_;
};

}  // namespace tilejit::test
