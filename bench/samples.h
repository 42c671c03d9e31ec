#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <tilejit/runtime/device.h>

namespace tilejit::bench {

/// Device memory full of random values of `dtype`, floats below 1 in size and never NaN; the same for the same seed.
/// What repeats does so after 64 MiB and an odd number of elements.
Tensor random_tensor(const Device& device, DType dtype, std::initializer_list<std::int64_t> shape, unsigned seed);

/// One element's bytes, read back; synchronous.
std::vector<std::byte> element_at(const Device& device, const TensorView& x, std::span<const std::int64_t> index);
double number_at(const Device& device, const TensorView& x, std::span<const std::int64_t> index);
/// All of a tensor of one axis and a positive stride, read back: in one go, unless it lies spread over more than 256
/// MB.
std::vector<double> numbers_of(const Device& device, const TensorView& line);

/// Calls `check` with indices of `shape`: its corners and `count` random ones.
void each_sample(std::span<const std::int64_t> shape, int count,
                 const std::function<void(std::span<const std::int64_t>)>& check);

}  // namespace tilejit::bench
