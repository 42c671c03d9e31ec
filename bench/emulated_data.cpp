#include <tilejit/bench/emulated_data.h>

#include <cstring>

#include <tilejit/tools/reference/element.h>

namespace tilejit::bench {
namespace {

std::size_t elements_of(const std::vector<std::int64_t>& shape) {
  std::size_t count = 1;
  for (const std::int64_t extent : shape) count *= std::size_t(extent);
  return count;
}

std::uint64_t mixed(std::uint64_t state) {
  const std::uint64_t bits = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
  return bits ^ (bits >> 27);
}

}  // namespace

const Tensor& EmulatedData::random(DType dtype, const std::vector<std::int64_t>& shape) {
  const std::size_t count = elements_of(shape), size = size_of(dtype);
  std::vector<std::byte> bytes(count * size);
  std::uint64_t state = 0x243f6a8885a308d3u;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = mixed(state += 0x9e3779b97f4a7c15u);
    if (is_floating(dtype)) {
      tool::put_double(dtype, &bytes[i * size], double(std::int64_t(bits)) * 0x1p-63);
    } else {
      std::memcpy(&bytes[i * size], &bits, size);
    }
  }
  return tensors_.emplace_back(device_.copy_of_bytes(dtype, bytes, shape));
}

const Tensor& EmulatedData::zeros(DType dtype, const std::vector<std::int64_t>& shape) {
  const std::vector<std::byte> bytes(elements_of(shape) * size_of(dtype));
  return tensors_.emplace_back(device_.copy_of_bytes(dtype, bytes, shape));
}

}  // namespace tilejit::bench
