#include <tilejit/runtime/tuning/bucket.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace tilejit {
namespace {

std::string layout_class(const TensorSpecialization& tensor) {
  if (!tensor.present) return "absent";
  std::string strides;
  for (const auto& stride : tensor.strides) strides += stride ? fmt::format(" {}", *stride) : std::string(" ?");
  return fmt::format("{}[unit {}, align {}, strides{}]", name_of(tensor.dtype), tensor.unit_axis, tensor.align,
                     strides);
}

}  // namespace

std::int64_t bucket_of(std::int64_t size) {
  if (size <= 1) return size;
  const auto value = std::uint64_t(size);
  const std::uint64_t power = std::bit_ceil(value);
  const std::uint64_t between = power / 4 * 3;  // 1.5 * 2^k below that power
  const std::uint64_t bucket = power >= 4 && value <= between ? between : power;
  constexpr auto most = std::uint64_t(std::numeric_limits<std::int64_t>::max());
  return std::int64_t(bucket > most ? most : bucket);
}

TuningKey tuning_key(const DeviceIdentity& device, const Template& kernel, const Specialization& specialization,
                     const std::vector<std::int64_t>& sizes) {
  TuningKey key;
  key.parts.add("schema", "tilejit-tuning-1");
  key.parts.add("device", device.name);
  key.parts.add("arch", device.arch);
  key.parts.add("emulated", std::uint64_t(device.emulated));
  key.parts.add("template", kernel.name);
  key.parts.add("source", kernel.file.text);
  key.text = kernel.name;
  for (const TensorSpecialization& tensor : specialization.tensors) {
    const std::string layout = layout_class(tensor);
    key.parts.add("tensor", layout);
    key.text += " " + layout;
  }
  // What an op may have set (with_constants); the rest of the default is in the source.
  for (const auto& [name, value] : kernel.info.default_config) {
    const bool chosen = std::ranges::find(kernel.info.config, name, &ConfigAxis::name) != kernel.info.config.end();
    if (!chosen && name != "num_warps" && name != "num_stages") key.parts.add("constant " + name, std::uint64_t(value));
  }
  for (const ScalarProblem& scalar : specialization.scalars)
    key.parts.add(scalar.in_memory ? "scalar in memory" : "scalar", name_of(scalar.dtype));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    key.parts.add(kernel.info.sizes[i], std::uint64_t(bucket_of(sizes[i])));
    key.text += fmt::format(" {}<={}", kernel.info.sizes[i], bucket_of(sizes[i]));
  }
  key.text += fmt::format(" on {} ({})", device.name, device.arch);
  return key;
}

}  // namespace tilejit
