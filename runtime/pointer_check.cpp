#include <tilejit/runtime/pointer_check.h>

#include <fmt/format.h>

#include <array>

namespace tilejit {
namespace {

struct PointerFacts {
  unsigned memory_type = 0;  ///< 0: the driver does not know the address
  int device = -1;
  unsigned managed = 0;
  CUcontext context = nullptr;
  CUdeviceptr device_address = 0, begin = 0;
  std::size_t bytes = 0;
};

PointerFacts facts_of(const Driver& driver, CUdeviceptr pointer) {
  PointerFacts facts;
  std::array attributes{CU_POINTER_ATTRIBUTE_MEMORY_TYPE,    CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                        CU_POINTER_ATTRIBUTE_IS_MANAGED,     CU_POINTER_ATTRIBUTE_CONTEXT,
                        CU_POINTER_ATTRIBUTE_DEVICE_POINTER, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                        CU_POINTER_ATTRIBUTE_RANGE_SIZE};
  std::array<void*, attributes.size()> values{&facts.memory_type,    &facts.device, &facts.managed, &facts.context,
                                              &facts.device_address, &facts.begin,  &facts.bytes};
  driver.check(driver.call.cuPointerGetAttributes(attributes.size(), attributes.data(), values.data(), pointer),
               "cuPointerGetAttributes");
  return facts;
}

std::string address(CUdeviceptr pointer) { return fmt::format("0x{:x}", pointer); }

void refuse_wrong_place(const Device::State& state, CUdeviceptr pointer, const PointerFacts& facts,
                        const std::string& argument) {
  const auto refuse = [&](const std::string& why) {
    throw InvalidArgument(fmt::format("{}: {} is {}; {} (device {}) cannot use it", argument, address(pointer), why,
                                      state.name, state.ordinal));
  };
  if (facts.memory_type == 0) refuse("no memory that this driver knows: a host pointer, or freed");
  if (facts.managed != 0) return;
  if (facts.memory_type == CU_MEMORYTYPE_HOST) {
    if (facts.device_address == pointer) return;
    refuse(facts.device_address == 0 ? std::string("host memory that is not mapped into the device")
                                     : "host memory; the device sees it at " + address(facts.device_address));
  }
  if (facts.device != state.ordinal) refuse(fmt::format("memory of device {}", facts.device));
  // Pools and mapped reservations belong to no context.
  if (facts.context != nullptr && facts.context != state.context) refuse("memory of another context on this device");
}

}  // namespace

LastAllocation::LastAllocation(const LastAllocation& other) { *this = other; }

LastAllocation& LastAllocation::operator=(const LastAllocation& other) {
  if (this != &other) set(other.begin_, other.end_);
  return *this;
}

bool LastAllocation::holds(std::uint64_t begin, std::uint64_t end) const noexcept {
  const std::uint64_t before = version_.load(std::memory_order_acquire);
  const std::uint64_t from = begin_.load(std::memory_order_relaxed), to = end_.load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  const bool whole = before % 2 == 0 && version_.load(std::memory_order_relaxed) == before;
  return whole && from <= begin && end <= to;
}

void LastAllocation::set(std::uint64_t begin, std::uint64_t end) noexcept {
  std::uint64_t version = version_.load(std::memory_order_relaxed);
  // Another thread that sets at this moment wins: what it asked is as true.
  if (version % 2 != 0 || !version_.compare_exchange_strong(version, version + 1, std::memory_order_acq_rel)) return;
  std::atomic_thread_fence(std::memory_order_release);
  begin_.store(begin, std::memory_order_relaxed);
  end_.store(end, std::memory_order_relaxed);
  version_.store(version + 2, std::memory_order_release);
}

void check_pointer(const Device::State& device, const std::string& function, const std::string& argument,
                   const TensorView& view, LastAllocation& last) {
  const TensorView::Extent extent = view.byte_extent();
  if (extent.lowest == extent.end) return;
  const auto pointer = reinterpret_cast<CUdeviceptr>(view.data());
  const CUdeviceptr begin = pointer + static_cast<CUdeviceptr>(extent.lowest);
  const CUdeviceptr end = pointer + static_cast<CUdeviceptr>(extent.end);
  if (last.holds(begin, end)) return;

  const std::string who = function + ": " + argument;
  if (pointer == 0) throw InvalidArgument(fmt::format("{}: a null pointer for {}", who, view.to_string()));
  const PointerFacts facts = facts_of(*device.driver, pointer);
  refuse_wrong_place(device, pointer, facts, who);
  if (facts.bytes == 0) return;  // not known, so nothing to remember either
  const CUdeviceptr last_byte = facts.begin + facts.bytes;
  if (begin < facts.begin || end > last_byte) {
    throw InvalidArgument(
        fmt::format("{}: {} at {} reaches {} bytes before and {} bytes past its allocation of {} bytes at {}", who,
                    view.to_string(), address(pointer), begin < facts.begin ? facts.begin - begin : 0,
                    end > last_byte ? end - last_byte : 0, facts.bytes, address(facts.begin)));
  }
  last.set(facts.begin, last_byte);
}

}  // namespace tilejit
