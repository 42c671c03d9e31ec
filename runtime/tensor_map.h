#pragma once
#include <cuda.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <tilejit/generator/specialization.h>
#include <tilejit/runtime/driver.h>
#include <tilejit/runtime/tensor_view.h>

namespace tilejit {

/// What a template fixes of one tensor's TMA map: everything but address, extents and strides.
struct TensorMapForm {
  static constexpr int max_axes = 5;
  int tensor = 0;                    ///< among the template's tensors
  std::array<int, max_axes> axes{};  ///< the tensor's axes, the unit-stride one first, then from the last to the first
  std::array<unsigned, max_axes> box{};  ///< elements, in that order
  int rank = 0;
  CUtensorMapDataType dtype = CU_TENSOR_MAP_DATA_TYPE_UINT8;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
};

/// One for each present tensor of the Specialization that goes through a map, in the order of the entry's parameters.
/// InvalidArgument: a box or swizzle out of range with this Config.
std::vector<TensorMapForm> tensor_map_forms(const Template& kernel, const Specialization& specialization);

/// The map of `view` as the driver encodes it; host work alone, 0.14 us. Elements beyond the tensor read as zero. L2
/// fetches at least 128 bytes: 256 were slower on rows that are not aligned to that, and nowhere faster (H200).
/// CudaError with the tensor in its text where the driver refuses.
CUtensorMap encode_tensor_map(const Driver& driver, const TensorMapForm& form, const TensorView& view,
                              const std::string& kernel);

}  // namespace tilejit
