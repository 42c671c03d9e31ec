#include <tilejit/runtime/tensor.h>

#include <fmt/format.h>

#include <cstring>

#include <tilejit/runtime/tensor_memory.h>

namespace tilejit {
namespace {

const Device::State& state_of(const std::shared_ptr<const Tensor::Memory>& memory) {
  if (!memory) throw InvalidArgument("a tensor that was moved from");
  return *memory->state;
}

void refuse_capture(const Driver& driver, StreamRef stream, const char* verb) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  driver.check(driver.call.cuStreamIsCapturing(stream.handle(), &status), "cuStreamIsCapturing");
  if (status == CU_STREAM_CAPTURE_STATUS_NONE) return;
  throw InvalidArgument(fmt::format("{} waits for its stream, which is capturing", verb));
}

void refuse_gaps(const TensorView& view, const char* verb) {
  if (view.is_contiguous()) return;
  throw InvalidArgument(fmt::format("{}: the tensor must be contiguous, it is {}", verb, view.to_string()));
}

/// The elements of `view`, whose first one stands at `origin` in host memory, row-major.
void gather(const TensorView& view, const std::byte* origin, std::byte* to) {
  const std::size_t size = size_of(view.dtype());
  const int rank = view.rank();
  std::array<std::int64_t, max_rank> index{};
  for (std::int64_t left = view.elements(); left > 0; --left) {
    std::int64_t offset = 0;
    for (int axis = 0; axis < rank; ++axis) offset += index[axis] * view.strides()[axis];
    std::memcpy(to, origin + offset * static_cast<std::int64_t>(size), size);
    to += size;
    for (int axis = rank - 1; axis >= 0 && ++index[axis] == view.shape()[axis]; --axis) index[axis] = 0;
  }
}

}  // namespace

Tensor::Memory::Memory(std::shared_ptr<const Device::State> state_, std::size_t bytes_)
    : state(std::move(state_)), bytes(bytes_) {
  if (bytes == 0) return;
  const Driver& driver = *state->driver;
  const CurrentContext current(driver, state->context);
  const CUresult code = driver.call.cuMemAlloc(&pointer, bytes);
  if (code != CUDA_ERROR_OUT_OF_MEMORY) {
    driver.check(code, "cuMemAlloc");
    return;
  }
  std::size_t free_bytes = 0, total = 0;
  driver.check(driver.call.cuMemGetInfo(&free_bytes, &total), "cuMemGetInfo");
  throw driver.error(code, "cuMemAlloc",
                     fmt::format("{} bytes asked for, {} of {} free on {}", bytes, free_bytes, total, state->name));
}

Tensor::Memory::~Memory() {
  if (pointer == 0) return;
  const Driver& driver = *state->driver;
  try {
    const CurrentContext current(driver, state->context);
    driver.check(driver.call.cuMemFree(pointer), "cuMemFree");
  } catch (const CudaError& error) {
    if (error.code() != CUDA_ERROR_DEINITIALIZED) state->log.warn(error.what());
  }
}

Tensor::Tensor(std::shared_ptr<const Memory> memory, const TensorView& view)
    : memory_(std::move(memory)), view_(view) {}

std::vector<std::byte> Tensor::to_host_bytes(StreamRef stream) const {
  const Device::State& state = state_of(memory_);
  const Driver& driver = *state.driver;
  const CurrentContext current(driver, state.context);
  refuse_capture(driver, stream, "to_host");
  const TensorView::Extent extent = view_.byte_extent();
  std::vector<std::byte> reached(static_cast<std::size_t>(extent.end - extent.lowest));
  if (!reached.empty()) {
    const auto from = reinterpret_cast<CUdeviceptr>(view_.data()) + static_cast<CUdeviceptr>(extent.lowest);
    driver.check(driver.call.cuMemcpyDtoHAsync(reached.data(), from, reached.size(), stream.handle()),
                 "cuMemcpyDtoHAsync");
  }
  driver.check(driver.call.cuStreamSynchronize(stream.handle()), "cuStreamSynchronize");
  if (view_.is_contiguous()) return reached;
  std::vector<std::byte> packed(static_cast<std::size_t>(view_.elements()) * size_of(dtype()));
  gather(view_, reached.data() - extent.lowest, packed.data());
  return packed;
}

void Tensor::copy_from_bytes(std::span<const std::byte> host, StreamRef stream) const {
  refuse_gaps(view_, "copy_from");
  const std::size_t bytes = static_cast<std::size_t>(elements()) * size_of(dtype());
  if (host.size() != bytes) {
    throw InvalidArgument(fmt::format("copy_from: {} bytes given, {} holds {}", host.size(), view_.to_string(), bytes));
  }
  const Device::State& state = state_of(memory_);
  const Driver& driver = *state.driver;
  const CurrentContext current(driver, state.context);
  refuse_capture(driver, stream, "copy_from");
  if (bytes != 0) {
    const auto to = reinterpret_cast<CUdeviceptr>(data());
    driver.check(driver.call.cuMemcpyHtoDAsync(to, host.data(), bytes, stream.handle()), "cuMemcpyHtoDAsync");
  }
  driver.check(driver.call.cuStreamSynchronize(stream.handle()), "cuStreamSynchronize");
}

void Tensor::fill_bytes(unsigned char value, StreamRef stream) const {
  const Device::State& state = state_of(memory_);
  refuse_gaps(view_, "fill_bytes");
  const std::size_t bytes = static_cast<std::size_t>(elements()) * size_of(dtype());
  if (bytes == 0) return;
  const Driver& driver = *state.driver;
  const CurrentContext current(driver, state.context);
  driver.check(driver.call.cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(data()), value, bytes, stream.handle()),
               "cuMemsetD8Async");
}

Tensor Device::empty(DType dtype, std::span<const std::int64_t> shape) const {
  const TensorView plan(nullptr, dtype, shape);  // checks rank, extents and size
  auto memory = std::make_shared<const Tensor::Memory>(
      state_, static_cast<std::size_t>(plan.byte_extent().end - plan.byte_extent().lowest));
  const TensorView view(reinterpret_cast<void*>(memory->pointer), dtype, shape);
  return Tensor(std::move(memory), view);
}

Tensor Device::copy_of_bytes(DType dtype, std::span<const std::byte> bytes, std::span<const std::int64_t> shape) const {
  const TensorView plan(nullptr, dtype, shape);
  const std::size_t wanted = static_cast<std::size_t>(plan.elements()) * size_of(dtype);
  if (bytes.size() != wanted) {
    throw InvalidArgument(fmt::format("copy_of: {} elements given ({} bytes), {} has {} ({} bytes)",
                                      bytes.size() / size_of(dtype), bytes.size(), plan.to_string(), plan.elements(),
                                      wanted));
  }
  Tensor tensor = empty(dtype, shape);
  tensor.copy_from_bytes(bytes);
  return tensor;
}

}  // namespace tilejit
