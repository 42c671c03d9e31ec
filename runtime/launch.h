#pragma once
#include <array>
#include <cstdint>
#include <span>

#include <tilejit/runtime/grid.h>
#include <tilejit/runtime/kernel.h>
#include <tilejit/runtime/tensor_map.h>
#include <tilejit/runtime/tensor_view.h>

namespace tilejit {

/// What one launch hands the kernel, in the order of the template's tensors, sizes and scalars. Borrowed.
struct LaunchArguments {
  std::span<const TensorView* const> tensors;
  std::span<const std::int64_t> sizes;
  std::span<const std::uint64_t> scalars;    ///< bits as Scalar::bits_as gives them for the declared dtype
  std::span<const TensorMapForm> maps = {};  ///< as tensor_map_forms() gives them for what was loaded
  /// May begin while the launch before it on the stream is ending: kernels wait for that one's memory by themselves
  /// (follow_launch() in block/index.cuh). For devices from sm_90 on.
  bool follows = false;
};

/// Hands over what Kernel::object().parameters lists and calls cuLaunchKernelEx once. The kernel's context must be
/// current. No allocation; returns when the launch is queued. Nothing happens for an empty grid. TMA maps are
/// encoded on each call. InvalidArgument: a grid that the cluster does not divide (axis named), a stream of another
/// context (told when the driver refuses it). CudaError: any other refusal, with kernel, grid, block and shared memory
/// in its text.
void launch(const Driver& driver, const Kernel& kernel, const Grid& grid, const LaunchArguments& arguments,
            CUstream stream, std::array<unsigned, 3> cluster = {1, 1, 1});

}  // namespace tilejit
