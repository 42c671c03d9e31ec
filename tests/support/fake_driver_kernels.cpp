#include <algorithm>
#include <cctype>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "fake_driver.h"

namespace tilejit::test {
namespace {

/// One parameter's size and alignment: ".align 64 .b8 name[128]", ".u64 .ptr .global .align 1 name".
FakeKernel::Place size_and_alignment(const std::string& text) {
  std::istringstream words(text);
  std::size_t size = 0, alignment = 0;
  for (std::string word; words >> word;) {
    const bool is_type = word.size() > 2 && word[0] == '.' && std::isdigit(static_cast<unsigned char>(word[2])) != 0;
    if (word == ".align" && size == 0) words >> alignment;
    if (is_type && size == 0) size = std::stoul(word.substr(2)) / 8;
  }
  if (alignment == 0) alignment = size;
  if (const std::size_t bracket = text.find('['); bracket != std::string::npos)
    size *= std::stoul(text.substr(bracket + 1));
  if (size == 0) throw std::logic_error("FakeDriver: a parameter without a type: " + text);
  return {alignment, size};
}

/// The parameters of `entry` in PTX text.
std::optional<std::vector<FakeKernel::Place>> parameters_in(const std::string& ptx, const std::string& entry) {
  constexpr std::string_view keyword = ".param";
  const std::size_t at = ptx.find(".entry " + entry + "(");
  if (at == std::string::npos) return std::nullopt;
  const std::string list = ptx.substr(at, ptx.find(')', at) - at);
  std::vector<FakeKernel::Place> places;
  std::size_t offset = 0;
  for (std::size_t one = list.find(keyword); one != std::string::npos;) {
    const std::size_t next = list.find(keyword, one + 1);
    const auto [alignment, size] = size_and_alignment(list.substr(one + keyword.size(), next - one - keyword.size()));
    offset = (offset + alignment - 1) / alignment * alignment;
    places.push_back({offset, size});
    offset += size;
    one = next;
  }
  return places;
}

}  // namespace

FakeKernel FakeDriver::kernel_info(CUfunction function) const {
  const auto found = kernels.find(kernels_.at(functions_.at(function).kernel).entry);
  return found == kernels.end() ? FakeKernel{} : found->second;
}

std::vector<FakeKernel::Place> FakeDriver::places_of(CUfunction function, bool* told) const {
  const Kernel& kernel = kernels_.at(functions_.at(function).kernel);
  std::optional<std::vector<FakeKernel::Place>> places = kernel_info(function).parameters;
  if (!places) places = parameters_in(libraries_.at(kernel.library).image, kernel.entry);
  *told = places.has_value();
  return places.value_or(std::vector<FakeKernel::Place>{});
}

CUresult FakeDriver::cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option*, void**, unsigned,
                                       CUlibraryOption*, void**, unsigned) {
  *library = new_handle<CUlibrary>();
  libraries_[*library] = {static_cast<const char*>(code), {}};
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuLibraryUnload(CUlibrary library) {
  std::erase_if(functions_, [&](const auto& f) { return kernels_.at(f.second.kernel).library == library; });
  std::erase_if(kernels_, [&](const auto& k) { return k.second.library == library; });
  return libraries_.erase(library) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult FakeDriver::cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  if (!libraries_.contains(library)) return CUDA_ERROR_INVALID_HANDLE;
  *kernel = new_handle<CUkernel>();
  kernels_[*kernel] = {library, name};
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  if (stack().empty()) return CUDA_ERROR_INVALID_CONTEXT;
  *function = new_handle<CUfunction>();
  functions_[*function] = {kernel, current()};
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  const FakeKernel info = kernel_info(function);
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = info.registers;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = info.static_shared;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = info.local;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = info.max_threads;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = functions_.at(function).dynamic_limit;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}
CUresult FakeDriver::cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return CUDA_ERROR_INVALID_VALUE;
  functions_.at(function).dynamic_limit = value;
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuFuncGetParamInfo(CUfunction function, std::size_t index, std::size_t* offset,
                                        std::size_t* size) {
  bool told = false;
  const std::vector<FakeKernel::Place> places = places_of(function, &told);
  if (!told) return CUDA_ERROR_NOT_SUPPORTED;
  if (index >= places.size()) return CUDA_ERROR_INVALID_VALUE;
  *offset = places[index].offset;
  if (size != nullptr) *size = places[index].size;
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction, int threads, std::size_t) {
  *blocks = 2048 / std::max(threads, 1);
  return CUDA_SUCCESS;
}

CUresult FakeDriver::cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters,
                                      void** extra) {
  if (extra != nullptr || !functions_.contains(function)) return CUDA_ERROR_INVALID_VALUE;
  const Function& target = functions_.at(function);
  if (current() != target.context) return CUDA_ERROR_INVALID_CONTEXT;
  if (!known(config->hStream)) return CUDA_ERROR_INVALID_HANDLE;
  if (config->hStream != nullptr && streams_.at(config->hStream).context != target.context)
    return CUDA_ERROR_INVALID_HANDLE;
  const FakeKernel info = kernel_info(function);
  const auto threads = config->blockDimX * config->blockDimY * config->blockDimZ;
  const auto limit = static_cast<unsigned>(std::max(target.dynamic_limit, 0));
  if (config->gridDimX == 0 || config->gridDimY == 0 || config->gridDimZ == 0 || config->gridDimY > 65535 ||
      config->gridDimZ > 65535 || static_cast<int>(threads) > info.max_threads || config->sharedMemBytes > limit) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  FakeLaunch launch;
  launch.entry = kernels_.at(target.kernel).entry;
  launch.grid = {config->gridDimX, config->gridDimY, config->gridDimZ};
  launch.block = {config->blockDimX, config->blockDimY, config->blockDimZ};
  launch.shared = config->sharedMemBytes;
  launch.stream = config->hStream;
  launch.context = current();
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config->attrs[i];
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION) {
      launch.follows = attribute.value.programmaticStreamSerializationAllowed != 0;
    } else if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
      const auto& cluster = attribute.value.clusterDim;
      launch.cluster = {cluster.x, cluster.y, cluster.z};
    } else {
      return CUDA_ERROR_INVALID_VALUE;
    }
  }
  bool told = false;
  for (const FakeKernel::Place& place : places_of(function, &told)) {
    const auto* from = static_cast<const std::byte*>(parameters[launch.parameters.size()]);
    launch.parameters.emplace_back(from, from + place.size);
  }
  launches_.push_back(launch);
  if (cost) clock_ += cost(launch);
  if (run) run(launch);
  return CUDA_SUCCESS;
}

}  // namespace tilejit::test
