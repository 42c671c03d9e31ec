#include <tilejit/generator/codegen.h>

#include <fmt/format.h>

#include <algorithm>

#include <tilejit/generator/codegen_views.h>
#include <tilejit/generator/error.h>
#include <tilejit/generator/template_headers.h>

namespace tilejit {
namespace {

constexpr int map_bytes = 128, map_align = 64;

class ParameterList {
 public:
  void add(Parameter::Kind kind, int index, int axis, int size, int align) {
    end_ = (end_ + align - 1) / align * align;
    list_.push_back({kind, index, axis, end_, size});
    end_ += size;
  }
  std::vector<Parameter> list() && { return std::move(list_); }

 private:
  std::vector<Parameter> list_;
  int end_ = 0;
};

bool uses_size(const std::vector<TensorArgument>& tensors, const std::string& size) {
  return std::any_of(tensors.begin(), tensors.end(), [&](const TensorArgument& tensor) {
    return tensor.specialization.present &&
           std::any_of(tensor.info.shape.begin(), tensor.info.shape.end(),
                       [&](const Dimension& dimension) { return dimension.name == size; });
  });
}

void check(const Template& kernel, const Specialization& specialization, const Target& target) {
  if (specialization.template_name != kernel.name)
    throw InvalidArgument(
        fmt::format("a Specialization of {} was given for {}", specialization.template_name, kernel.name));
  std::vector<std::string> names;
  for (const auto& [name, value] : specialization.config.constants) names.push_back(name);
  if (names != kernel.info.constants)
    throw InvalidArgument(
        fmt::format("{}: the Config {} is of another template", kernel.name, to_string(specialization.config)));
  for (const std::string& feature : kernel.info.needs)
    if (!target.has(feature))
      throw InvalidArgument(fmt::format("{} needs {}, which {} does not have", kernel.name, feature, target.arch));
}

std::string constants(const Specialization& specialization) {
  const auto flag = [](std::string_view name, bool value) {
    return fmt::format("inline constexpr bool {} = {};\n", name, value);
  };
  std::string text;
  const auto integer = [&](const std::string& name, std::int64_t value) {
    text += fmt::format("inline constexpr int {} = {};\n", name, value);
  };
  for (const auto& [name, value] : specialization.config.constants) integer(name, value);
  integer("num_warps", specialization.config.num_warps);
  integer("num_stages", specialization.config.num_stages);
  return text + flag("grid_folded", specialization.folded) + flag("debug_checks", specialization.debug);
}

std::string includes(const FrontMatter& info) {
  std::string text = "#include \"block/index.cuh\"\n";
  if (info.use.empty()) return text + "#include \"block.cuh\"\n";
  for (const std::string& header : info.use)
    if (header != "block/index.cuh") text += fmt::format("#include \"{}\"\n", header);
  return text;
}

std::string declaration(const Template& kernel, const Specialization& specialization, const Parameter& parameter,
                        const std::vector<TensorArgument>& tensors) {
  const std::string name = parameter_name(kernel, parameter);
  const auto index = static_cast<std::size_t>(parameter.index);
  switch (parameter.kind) {
    case Parameter::Kind::tensor_map:
      return fmt::format("const __grid_constant__ tensor_map {}", name);
    case Parameter::Kind::pointer:
      return fmt::format("{}{}* __restrict__ {}", tensors[index].info.access == Access::read ? "const " : "",
                         device_type(tensors[index].specialization.dtype), name);
    case Parameter::Kind::scalar: {
      const ScalarProblem& scalar = specialization.scalars.at(index);
      return fmt::format("{}{}{} {}", scalar.in_memory ? "const " : "", device_type(scalar.dtype),
                         scalar.in_memory ? "* __restrict__" : "", name);
    }
    case Parameter::Kind::size:
    case Parameter::Kind::stride:
    case Parameter::Kind::grid:
      break;
  }
  return "i64 " + name;
}

std::string entry(const Template& kernel, const Specialization& specialization, const GeneratedSource& source,
                  const std::vector<TensorArgument>& tensors) {
  std::string bounds = std::to_string(source.threads);
  if (kernel.info.min_blocks)
    bounds +=
        fmt::format(", {}", compile_time_value(*kernel.info.min_blocks, kernel, specialization, "min_blocks", 1, 32));
  std::string parameters;
  for (const Parameter& parameter : source.parameters)
    parameters += (parameters.empty() ? "" : ",\n    ") + declaration(kernel, specialization, parameter, tensors);

  std::string arguments;
  std::size_t tensor = 0, scalar = 0;
  for (const ArgumentInfo& info : kernel.info.arguments) {
    arguments += arguments.empty() ? "" : ", ";
    if (info.kind == ArgumentInfo::Kind::tensor) {
      arguments += view_value(tensors[tensor++]);
    } else {
      arguments += (specialization.scalars[scalar++].in_memory ? "*scalar_" : "scalar_") + info.name;
    }
  }
  std::string text = fmt::format("extern \"C\" __global__ void __launch_bounds__({}) {}(\n    {}) {{\n", bounds,
                                 source.entry, parameters);
  text += "  follow_launch();\n";
  if (specialization.folded) text += "  unfold_grid(grid_0, grid_1, grid_2);\n";
  return text + fmt::format("  {}({});\n}}\n", kernel.name, arguments);
}

}  // namespace

std::vector<Parameter> parameters_of(const Template& kernel, const Specialization& specialization) {
  using Kind = Parameter::Kind;
  const std::vector<TensorArgument> tensors = tensor_arguments(kernel, specialization);
  ParameterList list;
  for (const TensorArgument& tensor : tensors)
    if (tensor.specialization.present && tensor.specialization.mapped)
      list.add(Kind::tensor_map, tensor.index, 0, map_bytes, map_align);
  for (const TensorArgument& tensor : tensors)
    if (tensor.specialization.present && tensor.info.via != Via::tma) list.add(Kind::pointer, tensor.index, 0, 8, 8);
  for (std::size_t i = 0; i < kernel.info.sizes.size(); ++i)
    if (uses_size(tensors, kernel.info.sizes[i])) list.add(Kind::size, static_cast<int>(i), 0, 8, 8);
  for (const TensorArgument& tensor : tensors) {
    if (tensor.info.via == Via::tma) continue;
    for (std::size_t axis = 0; axis < tensor.specialization.strides.size(); ++axis)
      if (!tensor.specialization.strides[axis]) list.add(Kind::stride, tensor.index, static_cast<int>(axis), 8, 8);
  }
  for (std::size_t i = 0; i < specialization.scalars.size(); ++i) {
    const ScalarProblem& scalar = specialization.scalars[i];
    const int size = scalar.in_memory ? 8 : static_cast<int>(size_of(scalar.dtype));
    list.add(Kind::scalar, static_cast<int>(i), 0, size, size);
  }
  if (specialization.folded)
    for (int axis = 0; axis < 3; ++axis) list.add(Kind::grid, axis, 0, 8, 8);
  return std::move(list).list();
}

GeneratedSource generate(const Template& kernel, const Specialization& specialization, const Target& target) {
  check(kernel, specialization, target);
  const std::vector<TensorArgument> tensors = tensor_arguments(kernel, specialization);
  if (specialization.scalars.size() != kernel.info.arguments.size() - tensors.size())
    throw InvalidArgument(fmt::format("{}: a Specialization of {} scalars, the template has {}", kernel.name,
                                      specialization.scalars.size(), kernel.info.arguments.size() - tensors.size()));
  GeneratedSource source;
  source.name = "/tilejit/generated/" + kernel.name + ".cu";
  source.entry = kernel.name + "_kernel";
  source.threads = 32 * specialization.config.num_warps;
  source.headers = kernel.headers;
  source.options = kernel.info.options;
  source.parameters = parameters_of(kernel, specialization);
  if (!source.parameters.empty())
    source.parameter_bytes = source.parameters.back().offset + source.parameters.back().size;

  std::string& text = source.text;
  text = "// " + to_string(specialization) + "\n";
  text += constants(specialization);
  text += includes(kernel.info);
  const bool maps = std::any_of(source.parameters.begin(), source.parameters.end(),
                                [](const Parameter& p) { return p.kind == Parameter::Kind::tensor_map; });
  if (maps)
    text += fmt::format("struct alignas({}) tensor_map {{ unsigned char bytes[{}]; }};\n", map_align, map_bytes);
  for (const TensorArgument& tensor : tensors) text += view_type(kernel, specialization, tensor);
  text += line_directive(1, kernel.file.name) + kernel.file.text;
  if (text.back() != '\n') text += '\n';
  const auto line = std::count(text.begin(), text.end(), '\n') + 2;
  text += line_directive(static_cast<int>(line), source.name);
  text += entry(kernel, specialization, source, tensors);
  return source;
}

}  // namespace tilejit
