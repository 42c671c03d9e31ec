#include <tilejit/runtime/ops/op.h>

#include <fmt/format.h>

#include <algorithm>

#include <tilejit/generator/error.h>

namespace tilejit {

ArgumentInfo op_tensor(const std::string& name, Access access, std::vector<DType> dtypes, bool optional) {
  ArgumentInfo info;
  info.name = name;
  info.access = access;
  info.dtypes = std::move(dtypes);
  info.optional = optional;
  return info;
}

ArgumentInfo op_scalar(const std::string& name, DType dtype, std::optional<double> default_value) {
  ArgumentInfo info;
  info.kind = ArgumentInfo::Kind::scalar;
  info.name = name;
  info.dtype = dtype;
  info.default_value = default_value;
  return info;
}

Template op_declaration(const std::string& name, const std::string& summary, std::vector<ArgumentInfo> arguments) {
  Template declared;
  declared.name = name;
  declared.info.summary = summary;
  declared.info.arguments = std::move(arguments);
  return declared;
}

std::shared_ptr<const Template> with_constants(const Template& kernel,
                                               const std::vector<std::pair<std::string, std::int64_t>>& constants) {
  auto changed = std::make_shared<Template>(kernel);
  for (const auto& [name, value] : constants) {
    auto& values = changed->info.default_config;
    const auto found = std::ranges::find(values, name, &std::pair<std::string, std::int64_t>::first);
    const bool chosen = std::ranges::find(kernel.info.config, name, &ConfigAxis::name) != kernel.info.config.end();
    if (found == values.end() || chosen)
      throw InvalidArgument(fmt::format("{}: {} is no constant of `default` alone", kernel.name, name));
    found->second = value;
  }
  return changed;
}

std::vector<std::pair<std::string, std::int64_t>> settings_over(
    const std::string& op, const Step& step, std::vector<std::pair<std::string, std::int64_t>> settings) {
  using Setting = std::pair<std::string, std::int64_t>;
  const FrontMatter& info = step.kernel->info;
  for (const auto& [name, value] : info.default_config) {
    if (name == "num_warps" || name == "num_stages") continue;
    if (std::ranges::find(info.config, name, &ConfigAxis::name) != info.config.end()) continue;
    const auto set = std::ranges::find(settings, name, &Setting::first);
    if (set != settings.end() && set->second != value)
      throw InvalidArgument(fmt::format("{}: {} of {} is {} by the call's arguments; it cannot be set to {}", op, name,
                                        step.kernel->name, value, set->second));
  }
  if (!step.first) return settings;
  const auto add = [&](const std::string& name, std::int64_t value) {
    if (std::ranges::find(settings, name, &Setting::first) == settings.end()) settings.emplace_back(name, value);
  };
  for (const auto& [name, value] : step.first->constants) add(name, value);
  add("num_warps", step.first->num_warps);
  add("num_stages", step.first->num_stages);
  return settings;
}

void check_dtypes(const Template& declared, const Call& call) {
  std::size_t i = 0;
  for (const ArgumentInfo& info : declared.info.arguments) {
    if (info.kind != ArgumentInfo::Kind::tensor) continue;
    const TensorView& view = *call.tensors()[i++];
    if (!view.present() || info.dtypes.empty()) continue;
    if (std::find(info.dtypes.begin(), info.dtypes.end(), view.dtype()) != info.dtypes.end()) continue;
    std::string allowed;
    for (const DType each : info.dtypes) allowed += (allowed.empty() ? "" : ", ") + std::string(name_of(each));
    throw InvalidArgument(
        fmt::format("{}: {} is {}; it may be {}", declared.name, info.name, name_of(view.dtype()), allowed));
  }
}

}  // namespace tilejit
