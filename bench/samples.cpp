#include <tilejit/bench/samples.h>

#include <algorithm>
#include <array>
#include <random>

#include <tilejit/runtime/device_state.h>
#include <tilejit/tools/reference/element.h>

namespace tilejit::bench {

Tensor random_tensor(const Device& device, DType dtype, std::initializer_list<std::int64_t> shape, unsigned seed) {
  Tensor tensor = device.empty(dtype, shape);
  const auto size = static_cast<std::size_t>(size_of(dtype));
  std::size_t count = 1;
  for (const std::int64_t extent : shape) count *= std::size_t(extent);
  std::vector<std::byte> some(std::min<std::size_t>(count, (std::size_t{64} << 20) / size + 1) * size);
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < some.size(); i += size) {
    tool::put_double(dtype, some.data() + i,
                     is_floating(dtype) ? double(std::int64_t(random())) * 0x1p-63 : double(random() % 251));
  }
  const Driver& driver = *device.state()->driver;
  const CurrentContext current(driver, device.context());
  for (std::size_t at = 0; at < count * size; at += some.size()) {
    driver.check(driver.call.cuMemcpyHtoD(CUdeviceptr(tensor.data()) + at, some.data(),
                                          std::min(some.size(), count * size - at)),
                 "cuMemcpyHtoD");
  }
  return tensor;
}

std::vector<std::byte> element_at(const Device& device, const TensorView& x, std::span<const std::int64_t> index) {
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * x.strides()[axis];
  std::vector<std::byte> element(static_cast<std::size_t>(size_of(x.dtype())));
  const Driver& driver = *device.state()->driver;
  const CurrentContext current(driver, device.context());
  driver.check(driver.call.cuMemcpyDtoH(
                   element.data(), CUdeviceptr(x.data()) + CUdeviceptr(offset * size_of(x.dtype())), element.size()),
               "cuMemcpyDtoH");
  return element;
}

double number_at(const Device& device, const TensorView& x, std::span<const std::int64_t> index) {
  return tool::double_at(x.dtype(), element_at(device, x, index).data());
}

std::vector<double> numbers_of(const Device& device, const TensorView& line) {
  constexpr std::int64_t most = 256 << 20;
  const std::int64_t count = line.shape()[0], step = line.strides()[0] * std::int64_t(size_of(line.dtype()));
  std::vector<double> numbers(static_cast<std::size_t>(count));
  if (count == 0) return numbers;
  if ((count - 1) * step > most) {
    for (std::int64_t i = 0; i < count; ++i) numbers[std::size_t(i)] = number_at(device, line, std::array{i});
    return numbers;
  }
  std::vector<std::byte> bytes(std::size_t((count - 1) * step) + std::size_t(size_of(line.dtype())));
  const Driver& driver = *device.state()->driver;
  const CurrentContext current(driver, device.context());
  driver.check(driver.call.cuMemcpyDtoH(bytes.data(), CUdeviceptr(line.data()), bytes.size()), "cuMemcpyDtoH");
  for (std::int64_t i = 0; i < count; ++i)
    numbers[std::size_t(i)] = tool::double_at(line.dtype(), bytes.data() + i * step);
  return numbers;
}

void each_sample(std::span<const std::int64_t> shape, int count,
                 const std::function<void(std::span<const std::int64_t>)>& check) {
  std::vector<std::int64_t> index(shape.size());
  for (unsigned corner = 0; corner < 1u << shape.size(); ++corner) {
    for (std::size_t axis = 0; axis < shape.size(); ++axis) index[axis] = corner >> axis & 1 ? shape[axis] - 1 : 0;
    check(index);
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < count; ++i) {
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      index[axis] = std::int64_t(random() % std::uint64_t(shape[axis]));
    check(index);
  }
}

}  // namespace tilejit::bench
