#include <tilejit/tests/templates/tensor_case.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>
#include <random>

#include <tilejit/tests/templates/view_memory.h>

namespace tilejit::test {
namespace {

tool::HostTensor host_tensor(const ViewSpec& view, ViewMemory& memory) {
  return {view.dtype, memory.bytes.data() + memory.origin, view.shape, view.strides};
}

/// Half a unit in the last place, relative.
double rounding_of(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return 0x1p-53;
    case DType::f32:
      return 0x1p-24;
    case DType::f16:
      return 0x1p-11;
    case DType::bf16:
      return 0x1p-8;
    case DType::f8e4m3:
      return 0x1p-4;
    default:
      return 0x1p-3;
  }
}
bool near(DType dtype, const std::byte* a, const std::byte* b, double tolerance) {
  if (tolerance == 0 || !is_floating(dtype)) return false;
  const double x = tool::double_at(dtype, a), e = tool::double_at(dtype, b);
  return std::abs(x - e) <= tolerance * std::max(1.0, std::abs(e)) + 2 * rounding_of(dtype) * std::abs(e);
}

bool both_nan(DType dtype, const std::byte* a, const std::byte* b) {
  return is_floating(dtype) && std::isnan(tool::double_at(dtype, a)) && std::isnan(tool::double_at(dtype, b));
}

/// The first element or byte that differs.
testing::AssertionResult same(const ViewSpec& view, std::size_t position, const ViewMemory& expected, ViewMemory actual,
                              double tolerance) {
  const std::size_t size = size_of(view.dtype);
  std::string wrong;
  int count = 0;
  for_each_element(view, [&](std::int64_t place, const std::vector<std::int64_t>& index) {
    const std::size_t at = expected.origin + std::size_t(place * std::int64_t(size));
    std::byte* a = actual.bytes.data() + at;
    const std::byte* e = expected.bytes.data() + at;
    if (std::memcmp(a, e, size) == 0) return;
    if (!both_nan(view.dtype, a, e) && !near(view.dtype, a, e, tolerance) && count++ == 0)
      wrong = fmt::format("({}) is {}, expected {}", fmt::join(index, ", "), tool::text_at(view.dtype, a),
                          tool::text_at(view.dtype, e));
    std::memcpy(a, e, size);
  });
  if (count > 0) return testing::AssertionFailure() << "tensor " << position << ": " << wrong << "; " << count << " so";
  for (std::size_t i = 0; i < expected.bytes.size(); ++i)
    if (actual.bytes[i] != expected.bytes[i])
      return testing::AssertionFailure() << "tensor " << position << ": a stray write at byte "
                                         << std::int64_t(i) - std::int64_t(expected.origin)
                                         << " from its first element";
  return testing::AssertionSuccess();
}

}  // namespace

std::string to_string(const ViewSpec& view) {
  return fmt::format("{} ({}) strides ({}){}", name_of(view.dtype), fmt::join(view.shape, ", "),
                     fmt::join(view.strides, ", "), view.offset == 0 ? "" : fmt::format(" offset {}", view.offset));
}

testing::AssertionResult computes(const Jit& jit, const std::string& name, const std::vector<ViewSpec>& views,
                                  const Settings& settings, Values values, tool::Reference reference,
                                  double tolerance) {
  const Device& device = jit.device();
  std::mt19937 random(1);
  std::vector<ViewMemory> expected;
  std::vector<Tensor> memory;
  std::vector<TensorView> tensors;
  for (const ViewSpec& view : views) {
    expected.push_back(memory_of(view));
    if (view.absent) {
      memory.push_back(device.empty(DType::u8, {1}));
      tensors.emplace_back();
      continue;
    }
    if (!view.output) fill(view, expected.back(), values, random);
    const auto bytes = std::int64_t(expected.back().bytes.size());
    memory.push_back(device.copy_of_bytes(DType::u8, expected.back().bytes, std::vector{bytes}));
    tensors.emplace_back(static_cast<std::byte*>(memory.back().data()) + expected.back().origin, view.dtype, view.shape,
                         view.strides);
  }
  const Stream stream = device.stream();
  const std::vector<Argument> arguments(tensors.begin(), tensors.end());
  jit.template_function(name).with_config(settings).call(stream, arguments);

  std::vector<tool::HostTensor> host;
  for (std::size_t i = 0; i < views.size(); ++i)
    host.push_back(views[i].absent ? tool::HostTensor{} : host_tensor(views[i], expected[i]));
  if (reference == nullptr) reference = tool::reference_for(name);
  std::vector<double> scalars;
  const FrontMatter info = jit.templates().get(name)->info;
  for (const ArgumentInfo& argument : info.arguments)
    if (argument.kind == ArgumentInfo::Kind::scalar) scalars.push_back(argument.default_value.value_or(0));
  for (const auto& [constant, value] : config_with(info, settings).constants)
    if (std::ranges::find(info.config, constant, &ConfigAxis::name) == info.config.end())
      scalars.push_back(double(value));
  reference(host, scalars);
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (views[i].absent) continue;
    const auto result =
        same(views[i], i, expected[i], {memory[i].to_host_bytes(stream), expected[i].origin}, tolerance);
    if (result) continue;
    auto failure = testing::AssertionFailure() << name << " ";
    for (const auto& [constant, value] : settings) failure << constant << "=" << value << " ";
    for (const ViewSpec& view : views) failure << "[" << to_string(view) << "] ";
    return failure << result.message();
  }
  return testing::AssertionSuccess();
}

}  // namespace tilejit::test
