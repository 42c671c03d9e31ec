#include <tilejit/tools/expected.h>

#include <fmt/format.h>

#include <algorithm>

#include <tilejit/tools/device_call.h>
#include <tilejit/tools/reference/reference.h>

namespace tilejit::tool {
namespace {

/// Ours is what the library brings; a user's file of the same name is another template.
bool is_ours(const Template& kernel) { return kernel.file.name.starts_with("/tilejit/"); }

/// Whether [config] leaves a choice in this constant; one without may decide what is computed.
bool is_free(const FrontMatter& info, const std::string& constant) {
  return std::ranges::find(info.config, constant, &ConfigAxis::name) != info.config.end();
}

/// `config` with what `ran` says of the constants that decide what is computed.
Config computing_as(const Config& ran, Config config, const FrontMatter& info) {
  for (std::size_t i = 0; i < config.constants.size(); ++i)
    if (!is_free(info, config.constants[i].first)) config.constants[i].second = ran.constants.at(i).second;
  return config;
}

Expected by_reference(const Call& call, std::uint64_t seed, Reference reference, const Config& ran) {
  Expected expected{images_of(call, seed, Poison::expected), "the slow CPU reference"};
  std::vector<HostTensor> tensors;
  std::vector<double> scalars;
  std::size_t next = 0;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const CallArgument& argument = call.arguments[i];
    if (const auto* tensor = std::get_if<TensorArgument>(&argument)) {
      std::byte* origin = expected.images.at(next++).bytes.data() + origin_of(*tensor);
      tensors.push_back({tensor->dtype, origin, tensor->shape, tensor->strides});
    } else if (std::holds_alternative<Absent>(argument)) {
      tensors.emplace_back();
    } else {
      const ArgumentInfo& declared = call.kernel->info.arguments[i];
      const std::uint64_t bits = std::get<Argument>(argument).scalar().bits_as(declared.dtype, declared.name);
      scalars.push_back(double_at(declared.dtype, reinterpret_cast<const std::byte*>(&bits)));
    }
  }
  for (const auto& [name, value] : ran.constants)
    if (!is_free(call.kernel->info, name)) scalars.push_back(double(value));
  reference(tensors, scalars);
  return expected;
}

Expected by_config(const Call& call, std::uint64_t seed, const Jit& jit, StreamRef stream, const Config& config,
                   const std::string& source) {
  const DeviceCall on_device(call, jit.device(), images_of(call, seed, Poison::expected));
  jit.template_function(call.kernel->name).with_config(settings_of(config)).call(stream, on_device.arguments());
  return {on_device.images(stream), fmt::format("{} {}", source, to_string(config))};
}

std::optional<Expected> by_emulated_device(const Call& call, std::uint64_t seed, const Options& options,
                                           const Config& config) {
  try {
    const Device device = Device::open(DeviceKind::emulated, 0, options);
    const Jit jit(device, options);
    const Stream stream = device.stream();
    return by_config(call, seed, jit, stream, config, "the emulated device, at");
  } catch (const NoDevice&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<Expected> expected_of(const Call& call, std::uint64_t seed, const Jit& jit, const Options& options,
                                    StreamRef stream, const Config& ran) {
  const Reference reference = is_ours(*call.kernel) ? reference_for(call.kernel->name) : nullptr;
  if (reference) return by_reference(call, seed, reference, ran);

  const FrontMatter& info = call.kernel->info;
  const Target& target = jit.device().target();
  const Config first = computing_as(ran, default_config(info), info);
  const ProblemScope scope(*call.kernel, call.problem, first, target);
  const auto fits = [&](const Config& config) { return why_not(*call.kernel, scope, config, target).empty(); };
  if (first != ran && fits(first)) return by_config(call, seed, jit, stream, first, "its default Config,");
  if (!jit.device().is_emulated()) {
    if (auto expected = by_emulated_device(call, seed, options, ran)) return expected;
  }
  for (const Config& candidate : candidates(*call.kernel, call.problem, target)) {
    const Config config = computing_as(ran, candidate, info);
    if (config != ran && fits(config)) return by_config(call, seed, jit, stream, config, "another of its Configs,");
  }
  return std::nullopt;
}

}  // namespace tilejit::tool
