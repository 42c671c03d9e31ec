#include <tilejit/runtime/kernel.h>

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include <tilejit/runtime/device_state.h>

namespace tilejit {
namespace {

constexpr std::int64_t shared_without_asking = 48 * 1024;

void unload(const Device::State& state, CUlibrary library) noexcept {
  try {
    const CurrentContext current(*state.driver, state.context);
    state.driver->check(state.driver->call.cuLibraryUnload(library), "cuLibraryUnload");
  } catch (const CudaError& error) {
    if (error.code() != CUDA_ERROR_DEINITIALIZED) state.log.warn(error.what());
  }
}

/// The toolkit that made this PTX: "release 13.0" in the comment that the compiler puts first.
std::string toolkit_of(const std::string& ptx) {
  constexpr std::string_view before = "release ";
  const std::size_t at = ptx.find(before);
  if (at == std::string::npos || at > 4096) return "unknown version";
  const std::size_t begin = at + before.size();
  return ptx.substr(begin, ptx.find_first_not_of("0123456789.", begin) - begin);
}

/// What the driver's own compiler writes; it may do so as late as the first look-up, so it stays until then.
using LoadLog = std::array<char, 8192>;

[[noreturn]] void refuse_load(const Device::State& state, const ObjectCode& object, CUresult code, const char* call,
                              const std::string& log) {
  const CudaError error = state.driver->error(
      code, call, fmt::format("{} for {}{}{}", object.entry, object.arch, log.empty() ? "" : ":\n", log));
  const bool too_new = code == CUDA_ERROR_UNSUPPORTED_PTX_VERSION || code == CUDA_ERROR_INVALID_IMAGE;
  const std::string toolkit = toolkit_of(object.ptx);
  int major = 0, minor = 0;
  const bool known = std::sscanf(toolkit.c_str(), "%d.%d", &major, &minor) == 2;
  const int driver = state.driver->version;
  if (too_new && known && 1000 * major + 10 * minor > driver) {
    throw ToolchainError(
        fmt::format("{}: compiled by the toolkit of CUDA {}, the driver is of CUDA {}.{} and does not take it; update "
                    "the driver, or "
                    "choose an older NVRTC (Options::nvrtc, TILEJIT_NVRTC)\n{}",
                    object.entry, toolkit, driver / 1000, driver % 1000 / 10, error.what()));
  }
  throw error;
}

CUlibrary load(const Device::State& state, const ObjectCode& object, LoadLog& log) {
  std::array options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size() - 1)};
  const bool compiles = object.cubin.empty();
  const std::string& code = compiles ? object.ptx : object.cubin;
  CUlibrary library = nullptr;
  const CUresult result = state.driver->call.cuLibraryLoadData(&library, code.c_str(), options.data(), values.data(),
                                                               compiles ? options.size() : 0, nullptr, nullptr, 0);
  if (result != CUDA_SUCCESS) refuse_load(state, object, result, "cuLibraryLoadData", log.data());
  return library;
}

int attribute(const Driver& driver, CUfunction function, CUfunction_attribute which) {
  int value = 0;
  driver.check(driver.call.cuFuncGetAttribute(&value, which, function), "cuFuncGetAttribute");
  return value;
}

void check_parameters(const Driver& driver, CUfunction function, const ObjectCode& object) {
  const std::size_t count = object.parameters.size();
  if (count > Kernel::max_parameters) {
    throw InvalidArgument(
        fmt::format("{}: {} parameters, the limit is {}", object.entry, count, Kernel::max_parameters));
  }
  // Drivers count from where their bank of parameters begins, which need not be aligned as a TMA map is.
  std::size_t shift = 0;
  for (std::size_t i = 0; i <= count; ++i) {
    std::size_t offset = 0, size = 0;
    const CUresult code = driver.call.cuFuncGetParamInfo(function, i, &offset, &size);
    if (code == CUDA_ERROR_NOT_SUPPORTED) return;
    if (i == count && code == CUDA_ERROR_INVALID_VALUE) return;
    if (i == count) {
      driver.check(code, "cuFuncGetParamInfo");
      throw Error(fmt::format("{}: the loaded kernel has more parameters than the {} generated", object.entry, count));
    }
    const Parameter& parameter = object.parameters[i];
    if (code == CUDA_ERROR_INVALID_VALUE) {
      throw Error(fmt::format("{}: the loaded kernel has {} parameters, {} were generated", object.entry, i, count));
    }
    driver.check(code, "cuFuncGetParamInfo");
    if (i == 0 && parameter.kind == Parameter::Kind::tensor_map) shift = offset;
    if (offset != shift + std::size_t(parameter.offset) || size != std::size_t(parameter.size)) {
      throw Error(fmt::format("{}: parameter {} of the loaded kernel is {} bytes at {}, generated were {} bytes at {}",
                              object.entry, i, size, offset, parameter.size, parameter.offset));
    }
  }
}

void check_threads(const ObjectCode& object, std::int64_t limit, const char* whose) {
  if (object.threads <= limit) return;
  throw InvalidArgument(
      fmt::format("{}: a block of {} threads, {} is {}; use fewer warps", object.entry, object.threads, whose, limit));
}

void check_shared(const Device::State& state, const ObjectCode& object, std::int64_t fixed, std::int64_t dynamic) {
  const std::int64_t limit = state.target.shared_limit;
  if (dynamic >= 0 && fixed + dynamic <= limit) return;
  throw InvalidArgument(
      fmt::format("{}: {} bytes of shared memory a block ({} static, {} dynamic), the limit of {} is {}", object.entry,
                  fixed + dynamic, fixed, dynamic, state.name, limit));
}

}  // namespace

Kernel::Kernel(const Device& device, ObjectCode object, std::int64_t dynamic_shared)
    : state_(device.state()), object_(std::move(object)), dynamic_shared_(static_cast<unsigned>(dynamic_shared)) {
  const Driver& driver = *state_->driver;
  check_threads(object_, state_->target.threads_limit, "the device's limit");
  check_shared(*state_, object_, 0, dynamic_shared);

  const CurrentContext current(driver, state_->context);
  LoadLog log{};
  library_ = std::shared_ptr<CUlib_st>(load(*state_, object_, log),
                                       [state = state_](CUlibrary library) { unload(*state, library); });
  CUkernel kernel = nullptr;
  const CUresult found = driver.call.cuLibraryGetKernel(&kernel, library_.get(), object_.entry.c_str());
  if (found != CUDA_SUCCESS) refuse_load(*state_, object_, found, "cuLibraryGetKernel", log.data());
  driver.check(driver.call.cuKernelGetFunction(&function_, kernel), "cuKernelGetFunction");
  check_parameters(driver, function_, object_);
  check_threads(object_, attribute(driver, function_, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
                "the most its registers and bounds allow");
  const int fixed = attribute(driver, function_, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  check_shared(*state_, object_, fixed, dynamic_shared);
  if (fixed + dynamic_shared > shared_without_asking) {
    driver.check(driver.call.cuFuncSetAttribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                static_cast<int>(dynamic_shared)),
                 "cuFuncSetAttribute");
  }
}

Resources Kernel::loaded_resources() const {
  const Driver& driver = *state_->driver;
  const CurrentContext current(driver, state_->context);
  Resources resources;
  resources.registers = attribute(driver, function_, CU_FUNC_ATTRIBUTE_NUM_REGS);
  resources.shared = attribute(driver, function_, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  resources.stack = attribute(driver, function_, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  return resources;
}

int Kernel::blocks_per_multiprocessor() const {
  const Driver& driver = *state_->driver;
  const CurrentContext current(driver, state_->context);
  int blocks = 0;
  driver.check(
      driver.call.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_, object_.threads, dynamic_shared_),
      "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  return blocks;
}

}  // namespace tilejit
