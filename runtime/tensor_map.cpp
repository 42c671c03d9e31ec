#include <tilejit/runtime/tensor_map.h>

#include <fmt/format.h>

#include <tilejit/generator/codegen_views.h>

namespace tilejit {
namespace {

/// Bits are copied, not interpreted: the element's size is what counts, and a zero is a zero in all of them.
CUtensorMapDataType data_type(DType dtype) {
  switch (size_of(dtype)) {
    case 1:
      return CU_TENSOR_MAP_DATA_TYPE_UINT8;
    case 2:
      return CU_TENSOR_MAP_DATA_TYPE_UINT16;
    case 4:
      return dtype == DType::f32 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : CU_TENSOR_MAP_DATA_TYPE_UINT32;
    default:
      return CU_TENSOR_MAP_DATA_TYPE_UINT64;
  }
}

CUtensorMapSwizzle swizzle_of(std::int64_t bytes) {
  return bytes == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
         : bytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
         : bytes == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                       : CU_TENSOR_MAP_SWIZZLE_NONE;
}

}  // namespace

std::vector<TensorMapForm> tensor_map_forms(const Template& kernel, const Specialization& specialization) {
  std::vector<TensorMapForm> forms;
  for (const TensorArgument& tensor : tensor_arguments(kernel, specialization)) {
    if (!tensor.specialization.present || !tensor.specialization.mapped) continue;
    TensorMapForm form;
    form.tensor = tensor.index;
    form.dtype = data_type(tensor.specialization.dtype);
    form.axes[form.rank++] = tensor.specialization.unit_axis;
    for (int axis = static_cast<int>(tensor.info.shape.size()) - 1; axis >= 0; --axis)
      if (axis != tensor.specialization.unit_axis) form.axes[form.rank++] = axis;
    for (int i = 0; i < form.rank; ++i)
      form.box[i] = static_cast<unsigned>(compile_time_value(tensor.info.map.box[form.axes[i]], kernel, specialization,
                                                             fmt::format("box of {}", tensor.info.name), 1, 256));
    if (tensor.info.map.swizzle)
      form.swizzle = swizzle_of(compile_time_value(*tensor.info.map.swizzle, kernel, specialization,
                                                   "swizzle of " + tensor.info.name, 0, 128));
    forms.push_back(form);
  }
  return forms;
}

CUtensorMap encode_tensor_map(const Driver& driver, const TensorMapForm& form, const TensorView& view,
                              const std::string& kernel) {
  std::array<cuuint64_t, TensorMapForm::max_axes> extents{}, byte_strides{};
  std::array<cuuint32_t, TensorMapForm::max_axes> steps{};
  const auto size = static_cast<std::int64_t>(size_of(view.dtype()));
  for (int i = 0; i < form.rank; ++i) {
    const auto axis = static_cast<std::size_t>(form.axes[i]);
    extents[i] = static_cast<cuuint64_t>(view.shape()[axis]);
    // An axis of one element is never stepped along: any stride that a map may have will do.
    if (i > 0) byte_strides[i - 1] = static_cast<cuuint64_t>(extents[i] > 1 ? view.strides()[axis] * size : 16);
    steps[i] = 1;
  }
  CUtensorMap map;
  const CUresult code = driver.call.cuTensorMapEncodeTiled(
      &map, form.dtype, static_cast<cuuint32_t>(form.rank), view.data(), extents.data(), byte_strides.data(),
      form.box.data(), steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, form.swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (code != CUDA_SUCCESS)
    throw driver.error(code, "cuTensorMapEncodeTiled",
                       fmt::format("{}: tensor {}, {}", kernel, form.tensor, view.to_string()));
  return map;
}

}  // namespace tilejit
