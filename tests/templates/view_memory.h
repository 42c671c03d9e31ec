#pragma once
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <tilejit/tests/templates/tensor_case.h>

namespace tilejit::test {

/// One tensor's memory: guard bytes, the elements that the view spans and what lies between them, guard bytes. All
/// begins as poison.
struct ViewMemory {
  std::vector<std::byte> bytes;
  std::size_t origin = 0;  ///< of element (0, 0, ...)
};
ViewMemory memory_of(const ViewSpec& view);

/// f(place in elements from the first, index) for each element, the last axis fastest.
template <class F>
void for_each_element(const ViewSpec& view, F&& f) {
  std::vector<std::int64_t> index(view.shape.size(), 0);
  for (const std::int64_t extent : view.shape)
    if (extent == 0) return;
  while (true) {
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) place += index[axis] * view.strides[axis];
    f(place, index);
    std::size_t axis = index.size();
    while (axis > 0 && ++index[axis - 1] == view.shape[axis - 1]) index[--axis] = 0;
    if (axis == 0) return;
  }
}

/// Every element of the view.
void fill(const ViewSpec& view, ViewMemory& memory, Values values, std::mt19937& random);

}  // namespace tilejit::test
