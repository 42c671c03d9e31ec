#include <tilejit/runtime/ops/op.h>

#include <fmt/format.h>

#include <algorithm>

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
