#include <tilejit/generator/front_matter_arguments.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <tilejit/generator/nearest.h>
#include <tilejit/generator/problem.h>
#include <tilejit/generator/signature.h>

namespace tilejit {
namespace {

std::vector<std::string> dtype_names() {
  std::vector<std::string> names;
  for (DType dtype : all_dtypes()) names.emplace_back(name_of(dtype));
  return names;
}

DType read_dtype(const FrontMatterReader& reader, const TomlNode& node, std::string_view what) {
  return *dtype_named(reader.word(node, what, dtype_names()));
}

/// The value of `dtype` nearest to `value`; none beyond its range.
std::optional<double> nearest_value(double value, DType dtype) {
  const auto floating = [&](int mantissa_bits, int lowest_exponent, double largest) -> std::optional<double> {
    if (value == 0) return value;
    const int shift = mantissa_bits - std::max(std::ilogb(value), lowest_exponent);
    const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, shift)), -shift);
    return std::abs(rounded) <= largest ? std::optional(rounded) : std::nullopt;
  };
  const auto integer = [&](double low, double high) -> std::optional<double> {
    return value >= low && value <= high ? std::optional(std::nearbyint(value)) : std::nullopt;
  };
  switch (dtype) {
    case DType::f64:
      return value;
    case DType::f32:
      return floating(23, -126, 3.4028234663852886e38);
    case DType::f16:
      return floating(10, -14, 65504);
    case DType::bf16:
      return floating(7, -126, 3.3895313892515355e38);
    case DType::f8e4m3:
      return floating(3, -6, 448);
    case DType::f8e5m2:
      return floating(2, -14, 57344);
    case DType::i8:
      return integer(-128, 127);
    case DType::u8:
      return integer(0, 255);
    case DType::i16:
      return integer(-32768, 32767);
    case DType::i32:
      return integer(-2147483648.0, 2147483647.0);
    case DType::i64:
      return integer(-9007199254740992.0, 9007199254740992.0);  // beyond 2^53 a double may be a rounded number
    case DType::boolean:
      return integer(0, 1);
  }
  return std::nullopt;
}

/// A fraction is rounded to the dtype, as a literal in code would be; a whole number must be one that the dtype has.
double read_default(const FrontMatterReader& reader, const TomlNode& node, DType dtype) {
  const bool boolean = node.kind == TomlNode::Kind::boolean, integer = node.kind == TomlNode::Kind::integer;
  if (boolean != (dtype == DType::boolean) || (!integer && !boolean && !is_floating(dtype)))
    reader.fail(node.at, fmt::format("default: {} needs {}, not {}", name_of(dtype),
                                     dtype == DType::boolean ? "true or false"
                                     : is_floating(dtype)    ? "a number"
                                                             : "a whole number",
                                     kind_name(node.kind)));
  const double value = boolean ? static_cast<double>(node.integer) : reader.number(node, "default");
  const std::optional<double> nearest = nearest_value(value, dtype);
  if (!nearest) reader.fail(node.at, fmt::format("default: {} is beyond what {} holds here", value, name_of(dtype)));
  const bool exact = *nearest == value && static_cast<std::int64_t>(value) == node.integer;
  if (integer && !exact)
    reader.fail(node.at, fmt::format("default: {} is not exact in {}", node.integer, name_of(dtype)));
  return *nearest;
}

std::vector<Dimension> read_shape(const FrontMatterReader& reader, const TomlNode& node) {
  reader.expect(node, TomlNode::Kind::array, "shape");
  if (node.items.size() > max_rank)
    reader.fail(node.at, fmt::format("a tensor has at most {} axes, this shape has {}", max_rank, node.items.size()));
  std::vector<Dimension> shape;
  for (const TomlNode& item : node.items) {
    if (item.kind == TomlNode::Kind::string) {
      shape.push_back({reader.name(item, "a size in shape"), 0});
    } else if (item.kind == TomlNode::Kind::integer) {
      if (item.integer < 1) reader.fail(item.at, fmt::format("a fixed extent is at least 1, not {}", item.integer));
      shape.push_back({"", item.integer});
    } else {
      reader.fail(item.at,
                  fmt::format("an axis in shape is a size's name or a whole number, not {}", kind_name(item.kind)));
    }
  }
  return shape;
}

Via via_named(std::string_view word) {
  return word == "tma" ? Via::tma : word == "either" ? Via::either : Via::pointer;
}

void read_tensor(const FrontMatterReader& reader, const TomlNode& node, ArgumentInfo& info) {
  reader.check_keys(node, {"name", "shape", "access", "dtypes", "dtype", "optional", "via", "box", "swizzle"},
                    "a tensor argument");
  info.kind = ArgumentInfo::Kind::tensor;
  info.shape = read_shape(reader, node.find("shape")->value);
  const TomlNode::Entry* access = node.find("access");
  if (access == nullptr)
    reader.fail(node.at, fmt::format("tensor \"{}\" needs access = \"read\", \"write\" or \"update\"", info.name));
  const std::string word = reader.word(access->value, "access", {"read", "write", "update"});
  info.access = word == "read" ? Access::read : word == "write" ? Access::write : Access::update;

  if (const auto* dtypes = node.find("dtypes")) {
    if (const auto* dtype = node.find("dtype")) reader.fail(dtype->at, "either dtypes or dtype, not both");
    reader.expect(dtypes->value, TomlNode::Kind::array, "dtypes");
    if (dtypes->value.items.empty()) reader.fail(dtypes->value.at, "dtypes is empty; left out it means all");
    for (const TomlNode& item : dtypes->value.items) {
      const DType dtype = read_dtype(reader, item, "dtypes");
      if (std::find(info.dtypes.begin(), info.dtypes.end(), dtype) != info.dtypes.end())
        reader.fail(item.at, fmt::format("dtypes: \"{}\" stands twice", item.text));
      info.dtypes.push_back(dtype);
    }
  } else if (const auto* dtype = node.find("dtype")) {
    const std::string text = reader.string(dtype->value, "dtype");
    if (const auto own = dtype_named(text))
      info.dtypes = {*own};
    else
      info.same_dtype_as = text;
  }
  if (const auto* optional = node.find("optional")) info.optional = reader.boolean(optional->value, "optional");
  if (const auto* via = node.find("via"))
    info.via = via_named(reader.word(via->value, "via", {"pointer", "tma", "either"}));
  for (std::string_view key : {"box", "swizzle"})
    if (const auto* entry = node.find(key); entry != nullptr && info.via == Via::pointer)
      reader.fail(entry->at, fmt::format("{} belongs to via = \"tma\" and \"either\"", key));
}

void read_scalar(const FrontMatterReader& reader, const TomlNode& node, ArgumentInfo& info) {
  for (std::string_view key : {"access", "dtypes", "optional", "via", "box", "swizzle"})
    if (const auto* entry = node.find(key))
      reader.fail(entry->at,
                  fmt::format("{} belongs to a tensor; \"{}\" has no shape, so it is a scalar", key, info.name));
  reader.check_keys(node, {"name", "dtype", "default", "shape", "factor_of"}, "a scalar argument");
  info.kind = ArgumentInfo::Kind::scalar;
  const auto* dtype = node.find("dtype");
  if (dtype == nullptr)
    reader.fail(node.at, fmt::format("\"{}\" needs a shape (a tensor) or a dtype (a scalar)", info.name));
  info.dtype = read_dtype(reader, dtype->value, "a scalar's dtype");
  if (const auto* entry = node.find("default")) info.default_value = read_default(reader, entry->value, info.dtype);
  if (const auto* entry = node.find("factor_of")) {
    info.factor_of = reader.string(entry->value, "factor_of");
    if (info.dtype != DType::f64)
      reader.fail(entry->at,
                  fmt::format("factor_of belongs to a scalar of f64; \"{}\" is {}", info.name, name_of(info.dtype)));
  }
}

ArgumentInfo read_argument(const FrontMatterReader& reader, const TomlNode& node) {
  reader.expect(node, TomlNode::Kind::table, "an argument");
  ArgumentInfo info;
  info.line = node.at.line;
  info.column = node.at.column;
  const auto* name = node.find("name");
  if (name == nullptr) reader.fail(node.at, "an argument needs a name");
  info.name = reader.name(name->value, "an argument's name");
  if (node.find("shape") != nullptr)
    read_tensor(reader, node, info);
  else
    read_scalar(reader, node, info);
  return info;
}

void check_same_dtype(const FrontMatterReader& reader, const TomlNode& node,
                      const std::vector<ArgumentInfo>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& other = arguments[i].same_dtype_as;
    if (other.empty()) continue;
    const SourcePosition at = node.items[i].find("dtype")->value.at;
    const auto found = std::find_if(arguments.begin(), arguments.end(), [&](const auto& a) { return a.name == other; });
    if (found == arguments.end()) {
      std::vector<std::string> known = dtype_names();
      for (const ArgumentInfo& argument : arguments)
        if (argument.kind == ArgumentInfo::Kind::tensor && argument.name != arguments[i].name)
          known.push_back(argument.name);
      reader.fail(
          at, fmt::format("dtype: \"{}\" is neither a dtype nor another tensor{}", other, suggestion(other, known)));
    }
    if (found->kind != ArgumentInfo::Kind::tensor || !found->same_dtype_as.empty() || found->optional ||
        found->name == arguments[i].name)
      reader.fail(
          at, fmt::format("dtype: \"{}\" must be another tensor that is never absent and has its own dtype", other));
  }
}

void check_factors(const FrontMatterReader& reader, const TomlNode& node, const std::vector<ArgumentInfo>& arguments) {
  std::vector<std::string> tensors;
  for (const ArgumentInfo& argument : arguments)
    if (argument.kind == ArgumentInfo::Kind::tensor && !argument.optional) tensors.push_back(argument.name);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& other = arguments[i].factor_of;
    const auto* entry = node.items[i].find("factor_of");
    if (entry == nullptr || std::find(tensors.begin(), tensors.end(), other) != tensors.end()) continue;
    reader.fail(entry->value.at, fmt::format("factor_of: \"{}\" is no tensor that is never absent{}", other,
                                             suggestion(other, tensors)));
  }
}

}  // namespace

std::vector<ArgumentInfo> read_arguments(const FrontMatterReader& reader, const TomlNode& node) {
  reader.expect(node, TomlNode::Kind::array, "arguments, written [[arguments]],");
  std::vector<ArgumentInfo> arguments;
  for (const TomlNode& item : node.items) {
    ArgumentInfo info = read_argument(reader, item);
    for (const ArgumentInfo& earlier : arguments)
      if (earlier.name == info.name)
        reader.fail(item.find("name")->value.at,
                    fmt::format("argument \"{}\" stands twice, first in line {}", info.name, earlier.line));
    arguments.push_back(std::move(info));
  }
  if (arguments.empty()) reader.fail(node.at, "a template has at least one argument");
  check_same_dtype(reader, node, arguments);
  check_factors(reader, node, arguments);
  return arguments;
}

std::vector<std::string> sizes_in(const FrontMatterReader& reader, const TomlNode& node,
                                  const std::vector<ArgumentInfo>& arguments) {
  std::vector<std::string> sizes;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (std::size_t axis = 0; axis < arguments[i].shape.size(); ++axis) {
      const std::string& size = arguments[i].shape[axis].name;
      if (size.empty() || std::find(sizes.begin(), sizes.end(), size) != sizes.end()) continue;
      for (const ArgumentInfo& argument : arguments)
        if (argument.name == size)
          reader.fail(node.items[i].find("shape")->value.items[axis].at,
                      fmt::format("size \"{}\" has the name of an argument", size));
      sizes.push_back(size);
    }
  return sizes;
}

TmaMap read_map(const FrontMatterReader& reader, const TomlNode& argument, const ArgumentInfo& info,
                const Symbols& symbols) {
  TmaMap map;
  const auto* box = argument.find("box");
  if (box == nullptr) reader.fail(argument.at, fmt::format("\"{}\" goes through a TMA map and needs a box", info.name));
  if (info.shape.empty() || info.shape.size() > 5)
    reader.fail(argument.at, fmt::format("a TMA map has 1 to 5 axes, \"{}\" has {}", info.name, info.shape.size()));
  map.box = reader.expressions(box->value, "box", symbols);
  if (map.box.size() != info.shape.size())
    reader.fail(box->value.at, fmt::format("box has {} elements, the shape of \"{}\" has {} axes", map.box.size(),
                                           info.name, info.shape.size()));
  if (const auto* swizzle = argument.find("swizzle"))
    map.swizzle = reader.expression(swizzle->value, "swizzle", symbols);
  return map;
}

void check_function(const FrontMatterReader& reader, SourcePosition front_matter,
                    const std::vector<ArgumentInfo>& arguments) {
  const std::string name = template_name_of(reader.file());
  std::vector<std::string> others;
  bool found = false;
  for (const DeviceFunction& function : device_functions(reader.source())) {
    if (function.name != name) {
      others.push_back(function.name);
      continue;
    }
    found = true;
    const auto& parameters = function.parameters;
    for (std::size_t i = 0; i < std::min(parameters.size(), arguments.size()); ++i)
      if (parameters[i].name != arguments[i].name)
        reader.fail({parameters[i].line, parameters[i].column},
                    fmt::format("parameter {} of {} is {}; [[arguments]] has \"{}\" there, in line {}", i + 1, name,
                                parameters[i].name.empty() ? "without a name" : "\"" + parameters[i].name + "\"",
                                arguments[i].name, arguments[i].line));
    if (parameters.size() < arguments.size())
      reader.fail({function.line, function.column},
                  fmt::format("{} takes {} parameters, [[arguments]] has {}: \"{}\" in line {} is missing", name,
                              parameters.size(), arguments.size(), arguments[parameters.size()].name,
                              arguments[parameters.size()].line));
    if (parameters.size() > arguments.size())
      reader.fail({parameters[arguments.size()].line, parameters[arguments.size()].column},
                  fmt::format("{} takes {} parameters, [[arguments]] has {}: \"{}\" is not among them", name,
                              parameters.size(), arguments.size(), parameters[arguments.size()].name));
  }
  if (!found)
    reader.fail(front_matter, fmt::format("the file defines no __device__ function {}, the template's name{}", name,
                                          suggestion(name, others)));
}

}  // namespace tilejit
