#include "fake_driver.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include <tilejit/runtime/device_state.h>

namespace tilejit::test {
namespace {

constexpr int slots = 2;
std::array<std::atomic<FakeDriver*>, slots> active;
std::atomic<unsigned> generations{0};

constexpr const char* entry_names[] = {
#define TILEJIT_ENTRY(NAME, SIGNATURE) #NAME,
    TILEJIT_DRIVER_ENTRIES(TILEJIT_ENTRY)
#undef TILEJIT_ENTRY
};

enum EntryId {
#define TILEJIT_ENTRY(NAME, SIGNATURE) id_##NAME,
  TILEJIT_DRIVER_ENTRIES(TILEJIT_ENTRY)
#undef TILEJIT_ENTRY
};

/// What breaks a capture in CU_STREAM_CAPTURE_MODE_GLOBAL, as far as the table goes.
const std::set<std::string, std::less<>> breaks_capture{
    "cuMemAlloc",         "cuMemFree",       "cuMemcpyHtoD",        "cuMemcpyDtoH",    "cuMemsetD8",
    "cuLibraryLoadData",  "cuLibraryUnload", "cuStreamSynchronize", "cuStreamQuery",   "cuCtxSynchronize",
    "cuEventSynchronize", "cuEventQuery",    "cuEventDestroy",      "cuStreamDestroy", "cuMemGetInfo",
    "cuEventElapsedTime", "cuStreamCreate",  "cuEventCreate"};

}  // namespace

template <auto Method, int Slot, int Id, class Signature>
struct Thunk;

template <auto Method, int Slot, int Id, class... Arguments>
struct Thunk<Method, Slot, Id, CUresult (*)(Arguments...)> {
  static CUresult call(Arguments... arguments) {
    FakeDriver* fake = active[Slot].load();
    if (fake == nullptr) return CUDA_ERROR_DEINITIALIZED;
    const std::lock_guard lock(fake->mutex_);
    if (const CUresult code = fake->enter(entry_names[Id]); code != CUDA_SUCCESS) return code;
    return (fake->*Method)(arguments...);
  }
};

FakeDriver::FakeDriver(int devices, bool emulated) : generation_(++generations), driver_(std::make_shared<Driver>()) {
  while (slot_ < slots) {
    FakeDriver* none = nullptr;
    if (active[slot_].compare_exchange_strong(none, this)) break;
    ++slot_;
  }
  if (slot_ == slots) throw std::logic_error("more than two FakeDrivers at a time");
  attributes = {{CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
                {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
                {CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, emulated ? 0 : 1},
                {CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, emulated ? 0 : 1},
                {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 132},
                {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 232448},
                {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536},
                {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
                {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 50 << 20},
                {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 2147483647},
                {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
                {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535}};
  driver_->library = "fake";
  driver_->emulated = emulated;
  driver_->version = version;
  DriverTable& table = driver_->call;
#define TILEJIT_ENTRY(NAME, SIGNATURE)                                                                \
  table.NAME = slot_ == 0 ? Thunk<&FakeDriver::NAME, 0, id_##NAME, decltype(DriverTable::NAME)>::call \
                          : Thunk<&FakeDriver::NAME, 1, id_##NAME, decltype(DriverTable::NAME)>::call;
  TILEJIT_DRIVER_ENTRIES(TILEJIT_ENTRY)
#undef TILEJIT_ENTRY
  for (int ordinal = 0; ordinal < devices; ++ordinal) {
    primaries_.push_back(new_handle<CUcontext>());
    contexts_[primaries_.back()] = {ordinal, true};
  }
}

FakeDriver::~FakeDriver() { active[slot_] = nullptr; }

Device FakeDriver::device(int ordinal) {
  const LogOptions options{LogLevel::debug, [this](LogLevel, std::string_view, std::string_view message) {
                             const std::lock_guard lock(mutex_);
                             log_.emplace_back(message);
                           }};
  return Device::State::open(driver_, ordinal, Logger("tilejit.device", options));
}

std::vector<std::string> FakeDriver::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}
int FakeDriver::count(const std::string& entry) const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(std::count(calls_.begin(), calls_.end(), entry));
}
void FakeDriver::forget_calls() {
  const std::lock_guard lock(mutex_);
  calls_.clear();
  launches_.clear();
}
std::vector<FakeLaunch> FakeDriver::launches() const {
  const std::lock_guard lock(mutex_);
  return launches_;
}
bool FakeDriver::capture_intact() const {
  const std::lock_guard lock(mutex_);
  return capture_intact_;
}

void FakeDriver::fail(const std::string& entry, CUresult code, int nth) {
  const std::lock_guard lock(mutex_);
  faults_.push_back({entry, nth, code});
}
void FakeDriver::fail_any(CUresult code, int nth) { fail("", code, nth); }
void FakeDriver::fail_from_now(CUresult code) { fail("", code, 0); }

CUresult FakeDriver::enter(const char* entry) {
  calls_.emplace_back(entry);
  const bool capturing = std::ranges::any_of(streams_, [](const auto& stream) { return stream.second.capturing; });
  if (capturing && breaks_capture.contains(entry)) {
    capture_intact_ = false;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  // Names, texts and the context stack are not the context's: they answer also when it is lost.
  const bool of_thread = std::strncmp(entry, "cuGetError", 10) == 0 || std::strncmp(entry, "cuCtx", 5) == 0;
  CUresult code = CUDA_SUCCESS;
  std::erase_if(faults_, [&](Fault& fault) {
    if (!fault.entry.empty() && fault.entry != entry) return false;
    if (fault.countdown == 0) {
      if (!of_thread || std::strcmp(entry, "cuCtxSynchronize") == 0) code = fault.code;
      return false;
    }
    if (fault.entry.empty() && std::strncmp(entry, "cuGetError", 10) == 0) return false;
    if (--fault.countdown > 0) return false;
    code = fault.code;
    return true;
  });
  return code;
}

std::vector<CUcontext>& FakeDriver::stack() {
  struct Stack {
    unsigned generation = 0;
    std::vector<CUcontext> contexts;
  };
  thread_local std::array<Stack, slots> stacks;
  Stack& mine = stacks[slot_];
  if (mine.generation != generation_) mine = {generation_, {}};
  return mine.contexts;
}

CUcontext FakeDriver::create_context(int ordinal) {
  const std::lock_guard lock(mutex_);
  const auto context = new_handle<CUcontext>();
  contexts_[context] = {ordinal, false};
  return context;
}
CUstream FakeDriver::create_stream(CUcontext context) {
  const std::lock_guard lock(mutex_);
  const auto stream = new_handle<CUstream>();
  streams_[stream] = {context};
  return stream;
}
void FakeDriver::begin_capture(CUstream stream) {
  const std::lock_guard lock(mutex_);
  streams_.at(stream).capturing = true;
}
void FakeDriver::end_capture(CUstream stream) {
  const std::lock_guard lock(mutex_);
  streams_.at(stream).capturing = false;
}
CUcontext FakeDriver::current() { return stack().empty() ? nullptr : stack().back(); }
std::size_t FakeDriver::context_depth() { return stack().size(); }
void FakeDriver::push(CUcontext context) { stack().push_back(context); }
void FakeDriver::pop() { stack().pop_back(); }

void FakeDriver::register_host(const void* pointer, std::size_t bytes, CUdeviceptr device_address) {
  const std::lock_guard lock(mutex_);
  Allocation allocation;
  allocation.bytes = bytes;
  allocation.type = CU_MEMORYTYPE_HOST;
  allocation.device_address = device_address;
  allocations_[reinterpret_cast<CUdeviceptr>(pointer)] = std::move(allocation);
}
void FakeDriver::set_managed(CUdeviceptr pointer) {
  const std::lock_guard lock(mutex_);
  allocations_.at(pointer).managed = true;
}
void FakeDriver::hide_range(CUdeviceptr pointer) {
  const std::lock_guard lock(mutex_);
  allocations_.at(pointer).range_known = false;
}

std::size_t FakeDriver::live_allocations() const { return allocations_.size(); }
std::size_t FakeDriver::live_streams() const { return streams_.size(); }
std::size_t FakeDriver::live_events() const { return events_.size(); }
std::size_t FakeDriver::live_libraries() const { return libraries_.size(); }
int FakeDriver::primary_references(int ordinal) const { return contexts_.at(primaries_.at(ordinal)).references; }

}  // namespace tilejit::test
