#pragma once
#include <cstdint>
#include <vector>

#include <tilejit/runtime/tensor_view.h>

namespace tilejit::test {

/// A view as a slow list: its shape, and each element's address in row-major order. What the verbs are compared with.
struct Elements {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> addresses;
  bool operator==(const Elements&) const = default;
};

inline std::vector<std::int64_t> next_index(std::vector<std::int64_t> index, const std::vector<std::int64_t>& shape) {
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (++index[axis] < shape[axis]) break;
    index[axis] = 0;
  }
  return index;
}

inline std::int64_t count_of(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return count;
}

/// `address(index)` for each index of `shape`, row-major.
template <class Address>
Elements elements_by(const std::vector<std::int64_t>& shape, Address address) {
  Elements elements{shape, {}};
  std::vector<std::int64_t> index(shape.size(), 0);
  for (std::int64_t left = count_of(shape); left > 0; --left) {
    elements.addresses.push_back(address(index));
    index = next_index(index, shape);
  }
  return elements;
}

inline Elements elements_of(const TensorView& view) {
  const auto size = static_cast<std::int64_t>(size_of(view.dtype()));
  return elements_by({view.shape().begin(), view.shape().end()}, [&](const std::vector<std::int64_t>& index) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * view.strides()[axis];
    return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(view.data())) + offset * size;
  });
}

/// The element of `elements` at `index`.
inline std::int64_t at(const Elements& elements, const std::vector<std::int64_t>& index) {
  std::int64_t place = 0;
  for (std::size_t axis = 0; axis < index.size(); ++axis) place = place * elements.shape[axis] + index[axis];
  return elements.addresses.at(static_cast<std::size_t>(place));
}

}  // namespace tilejit::test
