#pragma once
#include <cuda.h>

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tilejit/runtime/device.h>
#include <tilejit/runtime/driver.h>

namespace tilejit::test {

/// One launch as the driver was asked for it.
struct FakeLaunch {
  std::string entry;
  std::array<unsigned, 3> grid{}, block{}, cluster{1, 1, 1};
  unsigned shared = 0;
  bool follows = false;  ///< programmatic stream serialisation
  CUstream stream = nullptr;
  CUcontext context = nullptr;                     ///< current at the launch
  std::vector<std::vector<std::byte>> parameters;  ///< one each, where the layout is known

  /// Parameter `index` as a T; a T of another size fails the caller's test by an exception.
  template <class T>
  T parameter(std::size_t index) const {
    const std::vector<std::byte>& bytes = parameters.at(index);
    if (bytes.size() != sizeof(T)) throw std::length_error("parameter of another size");
    T value;
    std::copy_n(bytes.data(), sizeof(T), reinterpret_cast<std::byte*>(&value));
    return value;
  }
};

/// What the fake says of a kernel. Without `parameters` they are read from PTX; where there is none, nobody knows them.
struct FakeKernel {
  struct Place {
    std::size_t offset, size;
  };
  int registers = 32, static_shared = 0, local = 0, max_threads = 1024;
  std::optional<std::vector<Place>> parameters;
};

/// A driver table whose device memory is host memory: every call is recorded, copies work, launches do what the test
/// says, any call can be made to fail. Two may exist at a time. A Device may outlive it: its calls then give
/// CUDA_ERROR_DEINITIALIZED, as at the end of a process.
class FakeDriver {
 public:
  explicit FakeDriver(int devices = 1, bool emulated = false);
  ~FakeDriver();
  FakeDriver(const FakeDriver&) = delete;
  FakeDriver& operator=(const FakeDriver&) = delete;

  std::shared_ptr<const Driver> driver() const { return driver_; }
  /// Device `ordinal` in its primary context, logging to log().
  Device device(int ordinal = 0);
  const std::vector<std::string>& log() const { return log_; }

  // What happened.
  std::vector<std::string> calls() const;
  int count(const std::string& entry) const;
  void forget_calls();
  std::vector<FakeLaunch> launches() const;
  bool capture_intact() const;  ///< false once a call was made that breaks a capture under way

  // What will happen.
  void fail(const std::string& entry, CUresult code, int nth = 1);  ///< the nth call of it from now
  void fail_any(CUresult code, int nth);                            ///< the nth call of all from now
  void fail_from_now(CUresult code);                                ///< every call, as after a sticky error
  std::function<void(const FakeLaunch&)> run;                       ///< a launch's effect
  std::function<float(const FakeLaunch&)> cost;  ///< milliseconds that a launch adds to the events' clock
  std::map<std::string, FakeKernel> kernels;     ///< by entry name
  std::map<int, int> attributes;                 ///< CUdevice_attribute, of all devices
  std::size_t memory_limit = std::size_t(1) << 40;
  int version = 13000;

  // The host program around us.
  CUcontext create_context(int ordinal);  ///< a context of the host's own
  CUstream create_stream(CUcontext context);
  void begin_capture(CUstream stream);
  void end_capture(CUstream stream);
  CUcontext current();  ///< of the calling thread
  std::size_t context_depth();
  void push(CUcontext context);
  void pop();
  /// Host memory that the fake knows as registered; `device_address` 0: not mapped.
  void register_host(const void* pointer, std::size_t bytes, CUdeviceptr device_address);
  void set_managed(CUdeviceptr pointer);
  void hide_range(CUdeviceptr pointer);  ///< the driver no longer tells where the allocation begins and ends

  // What is left.
  std::size_t live_allocations() const;
  std::size_t live_streams() const;
  std::size_t live_events() const;
  std::size_t live_libraries() const;
  int primary_references(int ordinal) const;

 private:
  template <auto Method, int Slot, int Id, class Signature>
  friend struct Thunk;
  struct Context {
    int ordinal;
    bool primary;
    int references = 0;
  };
  struct Allocation {
    std::size_t bytes = 0;
    CUcontext context = nullptr;
    int ordinal = 0;
    unsigned type = CU_MEMORYTYPE_DEVICE;
    CUdeviceptr device_address = 0;
    bool managed = false, range_known = true;
    std::unique_ptr<std::byte[]> storage;
  };
  struct Library {
    std::string image;
    std::map<std::string, CUkernel> kernels;
  };
  struct Kernel {
    CUlibrary library;
    std::string entry;
  };
  struct Function {
    CUkernel kernel;
    CUcontext context;
    int dynamic_limit = 48 * 1024;
  };
  struct StreamState {
    CUcontext context = nullptr;
    bool capturing = false;
  };
  struct Fault {
    std::string entry;  ///< empty: any
    int countdown;      ///< 0: every call
    CUresult code;
  };

  CUresult enter(const char* entry);
  std::vector<CUcontext>& stack();
  Context* context_at(CUcontext context);
  const Allocation* allocation_at(CUdeviceptr pointer, CUdeviceptr* begin) const;
  CUresult allocate(CUdeviceptr* pointer, std::size_t bytes);
  CUresult copy(void* to, const void* from, std::size_t bytes);
  bool known(CUstream stream) const { return stream == nullptr || streams_.contains(stream); }
  FakeKernel kernel_info(CUfunction function) const;
  std::vector<FakeKernel::Place> places_of(CUfunction function, bool* told) const;
  template <class Handle>
  Handle new_handle() {
    return reinterpret_cast<Handle>(next_handle_ += 16);
  }

#define TILEJIT_ENTRY(NAME, SIGNATURE) CUresult NAME SIGNATURE;
  TILEJIT_DRIVER_ENTRIES(TILEJIT_ENTRY)
#undef TILEJIT_ENTRY

  mutable std::recursive_mutex mutex_;
  int slot_ = 0;
  unsigned generation_ = 0;
  std::shared_ptr<Driver> driver_;
  std::vector<std::string> log_, calls_;
  std::vector<FakeLaunch> launches_;
  std::vector<Fault> faults_;
  std::vector<CUcontext> primaries_;
  std::map<CUcontext, Context> contexts_;
  std::map<CUdeviceptr, Allocation> allocations_;
  std::map<CUlibrary, Library> libraries_;
  std::map<CUkernel, Kernel> kernels_;
  std::map<CUfunction, Function> functions_;
  std::map<CUstream, StreamState> streams_;
  std::map<CUevent, float> events_;
  std::set<CUevent> recorded_;
  std::size_t used_ = 0;
  std::uintptr_t next_handle_ = 0x1000;
  float clock_ = 0;
  bool capture_intact_ = true;
};

}  // namespace tilejit::test
