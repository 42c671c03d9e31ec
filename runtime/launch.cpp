#include <tilejit/runtime/launch.h>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include <tilejit/runtime/device_state.h>
#include <tilejit/runtime/stream_check.h>

namespace tilejit {
namespace {

using Extents = std::array<unsigned, 3>;

[[noreturn, gnu::cold, gnu::noinline]] void refuse_launch(const Driver& driver, const Kernel& kernel, const Grid& grid,
                                                          CUstream stream, const Extents& cluster, CUresult code) {
  const ObjectCode& object = kernel.object();
  for (int axis = 0; axis < 3; ++axis) {
    if (cluster[axis] != 0 && grid.blocks[axis] % cluster[axis] == 0) continue;
    throw InvalidArgument(fmt::format("{}: grid axis {} has {} blocks, the cluster's {} do not divide them",
                                      object.entry, "xyz"[axis], grid.blocks[axis], cluster[axis]));
  }
  if (code == CUDA_ERROR_INVALID_HANDLE || code == CUDA_ERROR_INVALID_CONTEXT || code == CUDA_ERROR_INVALID_VALUE) {
    check_stream(kernel.device_state(), stream, object.entry);
  }
  throw driver.error(code, "cuLaunchKernelEx",
                     fmt::format("{} for {}: grid {} x {} x {}, {} threads, {} bytes of dynamic shared memory",
                                 object.entry, object.arch, grid.blocks[0], grid.blocks[1], grid.blocks[2],
                                 object.threads, kernel.dynamic_shared()));
}

constexpr std::size_t max_maps = 31;  // what 4096 bytes of parameters hold

[[noreturn, gnu::cold, gnu::noinline]] void refuse_maps(const Kernel& kernel, std::size_t given) {
  throw InvalidArgument(fmt::format("{}: takes more TMA maps than the {} given; {} fit a kernel", kernel.object().entry,
                                    given, max_maps));
}

bool divides(const Extents& cluster, const Extents& blocks) {
  for (int axis = 0; axis < 3; ++axis) {
    if (cluster[axis] == 0 || blocks[axis] % cluster[axis] != 0) return false;
  }
  return true;
}

void* as_parameter(const void* value) { return const_cast<void*>(value); }

}  // namespace

void launch(const Driver& driver, const Kernel& kernel, const Grid& grid, const LaunchArguments& arguments,
            CUstream stream, std::array<unsigned, 3> cluster) {
  if (grid.empty()) return;
  // The driver copies each parameter from where its pointer says; only addresses of data have no place of their own
  // yet.
  void* values[Kernel::max_parameters];
  void* data[Kernel::max_parameters];
  CUtensorMap maps[max_maps];
  std::size_t count = 0, encoded = 0;
  for (const Parameter& parameter : kernel.object().parameters) {
    const auto index = static_cast<std::size_t>(parameter.index);
    switch (parameter.kind) {
      case Parameter::Kind::pointer:
        data[count] = arguments.tensors[index]->data();
        values[count] = &data[count];
        break;
      case Parameter::Kind::size:
        values[count] = as_parameter(&arguments.sizes[index]);
        break;
      case Parameter::Kind::stride:
        values[count] = as_parameter(&arguments.tensors[index]->strides()[static_cast<std::size_t>(parameter.axis)]);
        break;
      case Parameter::Kind::scalar:
        values[count] = as_parameter(&arguments.scalars[index]);
        break;
      case Parameter::Kind::grid:
        values[count] = as_parameter(&grid.programs[index]);
        break;
      case Parameter::Kind::tensor_map:
        if (encoded == std::min(arguments.maps.size(), max_maps)) refuse_maps(kernel, arguments.maps.size());
        maps[encoded] =
            encode_tensor_map(driver, arguments.maps[encoded], *arguments.tensors[index], kernel.object().entry);
        values[count] = &maps[encoded++];
        break;
    }
    ++count;
  }

  CUlaunchConfig config{};
  config.gridDimX = grid.blocks[0];
  config.gridDimY = grid.blocks[1];
  config.gridDimZ = grid.blocks[2];
  config.blockDimX = static_cast<unsigned>(kernel.object().threads);
  config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = kernel.dynamic_shared();
  config.hStream = stream;
  std::array<CUlaunchAttribute, 2> attributes;
  config.attrs = attributes.data();
  if (arguments.follows) {
    CUlaunchAttribute& attribute = attributes[config.numAttrs++];
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
  }
  if (cluster != Extents{1, 1, 1}) {
    CUlaunchAttribute& attribute = attributes[config.numAttrs++];
    attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim = {cluster[0], cluster[1], cluster[2]};
    if (!divides(cluster, grid.blocks)) refuse_launch(driver, kernel, grid, stream, cluster, CUDA_ERROR_INVALID_VALUE);
  }
  const CUresult code = driver.call.cuLaunchKernelEx(&config, kernel.function(), values, nullptr);
  if (code != CUDA_SUCCESS) refuse_launch(driver, kernel, grid, stream, cluster, code);
}

}  // namespace tilejit
