#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include <tilejit/generator/dtype.h>
#include <tilejit/tools/reference/element.h>

namespace tilejit::tool {

/// A tensor's view of host memory: dtype, shape and strides in elements as on the device. Owns nothing; an index that
/// is not in the shape is undefined.
struct HostTensor {
  DType dtype = DType::f32;
  std::byte* data = nullptr;  ///< element (0, 0, ...)
  std::vector<std::int64_t> shape, strides;

  std::int64_t size(int axis) const { return shape[std::size_t(axis)]; }
  std::byte* at(std::initializer_list<std::int64_t> index) const {
    std::int64_t offset = 0;
    auto stride = strides.begin();
    for (const std::int64_t i : index) offset += i * *stride++;
    return data + offset * std::int64_t(size_of(dtype));
  }
  double number(std::initializer_list<std::int64_t> index) const { return double_at(dtype, at(index)); }
  std::int64_t integer(std::initializer_list<std::int64_t> index) const { return integer_at(dtype, at(index)); }
  void put(std::initializer_list<std::int64_t> index, double value) const { put_double(dtype, at(index), value); }
  void put(std::initializer_list<std::int64_t> index, std::int64_t value) const {
    put_integer(dtype, at(index), value);
  }
};

}  // namespace tilejit::tool
