#pragma once
#include <atomic>
#include <cstdint>
#include <string>

#include <tilejit/runtime/device_state.h>
#include <tilejit/runtime/tensor_view.h>

namespace tilejit {

/// The allocation that was last asked about for one argument, as a range of addresses. Safe from all threads: a reader
/// meets a whole range or none.
class LastAllocation {
 public:
  LastAllocation() = default;
  LastAllocation(const LastAllocation& other);
  LastAllocation& operator=(const LastAllocation& other);

  bool holds(std::uint64_t begin, std::uint64_t end) const noexcept;
  void set(std::uint64_t begin, std::uint64_t end) noexcept;

 private:
  std::atomic<std::uint64_t> version_{0}, begin_{0}, end_{0};  ///< version is odd while the others change
};

/// Asks the driver about a view's memory, unless every byte of it lies in the allocation last asked about. The device's
/// context must be current. Safe on a capturing stream. InvalidArgument, naming `function` and `argument`:
///  - a null pointer, or host memory that the device does not see (registered host memory under its device address and
///    managed memory pass);
///  - memory of another device or context;
///  - a view with bytes outside its allocation (how many, on which side), where the driver knows the allocation.
/// An empty view is not asked about.
///
/// What this cannot see: memory that was freed, and came back as something else under the same address, after it was
/// asked about. The new owner's bytes pass as long as they lie in the old range; a kernel then works on whatever is
/// mapped there.
void check_pointer(const Device::State& device, const std::string& function, const std::string& argument,
                   const TensorView& view, LastAllocation& last);

}  // namespace tilejit
