#include <tilejit/runtime/tuning/scratch.h>

namespace tilejit {
namespace {

constexpr std::size_t granule = 256;

std::size_t rounded_up(std::size_t bytes) { return (bytes + granule - 1) / granule * granule; }

Allocator allocator_for(const std::shared_ptr<const Device::State>& device, const std::optional<Allocator>& given) {
  if (given) return *given;
  return {.allocate =
              [device](std::size_t bytes, StreamHandle stream) {
                CUdeviceptr address = 0;
                device->driver->check(device->driver->call.cuMemAllocAsync(&address, bytes, stream), "cuMemAllocAsync");
                return DevicePointer(address);
              },
          .release =
              [device](DevicePointer address, StreamHandle stream) {
                device->driver->check(device->driver->call.cuMemFreeAsync(address, stream), "cuMemFreeAsync");
              }};
}

}  // namespace

Workspace::Workspace(std::shared_ptr<const Device::State> device, const std::optional<Allocator>& allocator,
                     std::size_t bytes, CUstream stream)
    : device_(std::move(device)), allocator_(allocator_for(device_, allocator)), stream_(stream), bytes_(bytes) {
  if (bytes_ > 0) address_ = allocator_.allocate(bytes_, stream_);
}

Workspace::~Workspace() {
  if (address_ == 0) return;
  try {
    allocator_.release(address_, stream_);
  } catch (const std::exception& error) {
    device_->log.warn(std::string("scratch memory was not given back: ") + error.what());
  }
}

ScratchTensor::ScratchTensor(std::shared_ptr<const Device::State> device, const std::optional<Allocator>& allocator,
                             const TensorView& like, CUstream stream)
    : device_(std::move(device)), stream_(stream), extent_(like.byte_extent()) {
  const std::size_t bytes = std::size_t(extent_.end - extent_.lowest);
  memory_ = std::make_unique<Workspace>(device_, allocator, bytes == 0 ? 0 : rounded_up(bytes) + granule, stream);
  // The lowest byte keeps its place within 256 bytes, so that the alignment class is the original's.
  const auto lowest = reinterpret_cast<std::uintptr_t>(like.data()) + std::uintptr_t(extent_.lowest);
  const std::uintptr_t start = (memory_->address() + granule - 1) / granule * granule + lowest % granule;
  void* data = bytes == 0 ? nullptr : reinterpret_cast<void*>(start - std::uintptr_t(extent_.lowest));
  view_ = TensorView(data, like.dtype(), like.shape(), like.strides());
}

TensorView ScratchTensor::flat(DType dtype) const {
  const std::int64_t size = std::int64_t(size_of(dtype));
  if (dtype == view_.dtype()) {
    auto* lowest = static_cast<char*>(view_.data()) + extent_.lowest;
    return TensorView(lowest, dtype, {(extent_.end - extent_.lowest) / size});
  }
  return TensorView(reinterpret_cast<void*>(memory_->address()), dtype, {std::int64_t(memory_->bytes()) / size});
}

void ScratchTensor::fill_with_poison() const {
  if (memory_->bytes() == 0) return;
  const Driver& driver = *device_->driver;
  driver.check(driver.call.cuMemsetD8Async(memory_->address(), poison, memory_->bytes(), stream_), "cuMemsetD8Async");
}

void ScratchTensor::copy_from(const TensorView& original) const {
  if (memory_->bytes() == 0) return;
  const Driver& driver = *device_->driver;
  const auto to = reinterpret_cast<CUdeviceptr>(view_.data()) + CUdeviceptr(extent_.lowest);
  const auto from = reinterpret_cast<CUdeviceptr>(original.data()) + CUdeviceptr(extent_.lowest);
  driver.check(driver.call.cuMemcpyDtoDAsync(to, from, std::size_t(extent_.end - extent_.lowest), stream_),
               "cuMemcpyDtoDAsync");
}

}  // namespace tilejit
