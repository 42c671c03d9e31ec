#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace tilejit::tool {

/// Calls f(first, stride, count, index) for each innermost row of a view in row-major order: `first` is the row's first
/// element's distance from element (0, 0, ...) in elements, `index` that element's number in row-major order. Rank 0 is
/// one row of one element; an empty view has none.
template <class F>
void for_each_row(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides, F&& f) {
  for (const std::int64_t extent : shape) {
    if (extent == 0) return;
  }
  if (shape.empty()) {
    f(std::int64_t{0}, std::int64_t{1}, std::int64_t{1}, std::int64_t{0});
    return;
  }
  const std::size_t inner = shape.size() - 1;
  std::vector<std::int64_t> at(inner, 0);
  std::int64_t first = 0, index = 0;
  while (true) {
    f(first, strides[inner], shape[inner], index);
    index += shape[inner];
    std::size_t axis = inner;
    while (axis-- > 0) {
      first += strides[axis];
      if (++at[axis] < shape[axis]) break;
      first -= strides[axis] * shape[axis];
      at[axis] = 0;
    }
    if (axis == std::size_t(-1)) return;
  }
}

/// The coordinates of the element with this row-major number.
inline std::vector<std::int64_t> coordinates(std::int64_t index, std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> result(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    result[axis] = index % shape[axis];
    index /= shape[axis];
  }
  return result;
}

}  // namespace tilejit::tool
