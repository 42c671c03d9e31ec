#include <tilejit/tools/op_call.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include <tilejit/generator/nearest.h>
#include <tilejit/runtime/ops/elementwise.h>
#include <tilejit/runtime/ops/ops.h>
#include <tilejit/tools/assignment.h>
#include <tilejit/tools/device_call.h>
#include <tilejit/tools/offline_build.h>
#include <tilejit/tools/output.h>
#include <tilejit/tools/product_call.h>
#include <tilejit/tools/reference/formula_value.h>
#include <tilejit/tools/reference/matmul.h>
#include <tilejit/tools/reference/ops.h>
#include <tilejit/tools/scalar_argument.h>

namespace tilejit::tool {
namespace {

constexpr const char* elementwise_name = "elementwise";

/// DTYPE:SHAPE..., a number, true, false, none: what NAME=VALUE may say. Anything else is a formula.
bool is_value(const std::string& text) {
  const std::string dtype = text.substr(0, text.find(':'));
  if (text.find(':') != text.npos || dtype_named(dtype)) return true;
  if (text == "none" || text == "true" || text == "false") return true;
  try {
    ArgumentInfo number;
    number.dtype = DType::f64;
    parse_scalar(number, text);
    return true;
  } catch (const InvalidArgument&) {
    return false;
  }
}

/// The formula among the arguments, taken out of them.
std::string take_formula(std::vector<std::string>& arguments) {
  const auto formula = std::find_if(arguments.begin(), arguments.end(), [](const std::string& text) {
    const std::size_t equals = text.find('=');
    return equals == text.npos || !is_value(text.substr(equals + 1));
  });
  if (formula == arguments.end()) {
    throw InvalidArgument(
        "elementwise wants a formula, the argument that is no value: elementwise x=f32:4096 \"out = gelu(x * 2)\"");
  }
  std::string text = *formula;
  arguments.erase(formula);
  return text;
}

std::map<std::string, std::string> given_arguments(const Op& op, const std::vector<std::string>& texts) {
  std::vector<std::string> known;
  for (const ArgumentInfo& info : op.declared().info.arguments) known.push_back(info.name);
  std::map<std::string, std::string> given;
  for (const std::string& text : texts) {
    const Assignment argument = parse_assignment(text, "NAME=DTYPE:SHAPE[:STRIDES[:OFFSET]], or NAME=VALUE");
    if (std::find(known.begin(), known.end(), argument.name) == known.end()) {
      throw InvalidArgument(
          fmt::format("{} has no argument '{}' (known: {})", op.name(), argument.name, fmt::join(known, ", ")));
    }
    if (!given.emplace(argument.name, argument.value).second)
      throw InvalidArgument(fmt::format("{}: given twice", argument.name));
  }
  return given;
}

int width(DType dtype) { return int(size_of(dtype)) + (is_floating(dtype) ? 100 : 0); }

/// What an output that is not given is: of the inputs' broadcast shape.
TensorArgument inferred_output(const std::string& name, const std::vector<CallArgument>& inputs) {
  std::vector<std::int64_t> shape;
  std::optional<DType> dtype;
  for (const CallArgument& input : inputs) {
    const auto* tensor = std::get_if<TensorArgument>(&input);
    if (tensor == nullptr) continue;
    if (!dtype || width(tensor->dtype) > width(*dtype)) dtype = tensor->dtype;
    if (tensor->shape.size() > shape.size()) shape.insert(shape.begin(), tensor->shape.size() - shape.size(), 1);
    for (std::size_t i = 1; i <= tensor->shape.size(); ++i) {
      std::int64_t& extent = shape[shape.size() - i];
      if (extent == 1) extent = tensor->shape[tensor->shape.size() - i];
    }
  }
  if (!dtype) throw InvalidArgument(fmt::format("{0}: missing: expected {0}=DTYPE:SHAPE", name));
  const std::string text = shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "x"));
  return parse_tensor(name, fmt::format("{}:{}", tilejit::name_of(*dtype), text));
}

Argument parse_number(const ArgumentInfo& declared, const std::string& value) {
  ArgumentInfo number = declared;
  number.dtype = DType::f64;
  return parse_scalar(number, value);
}

CallArgument read_argument(const Op& op, const ArgumentInfo& declared, const std::map<std::string, std::string>& given,
                           const std::vector<CallArgument>& before) {
  const auto found = given.find(declared.name);
  const bool formula = dynamic_cast<const ElementwiseOp*>(&op) != nullptr;
  if (declared.kind == ArgumentInfo::Kind::scalar)
    return found == given.end() ? default_scalar(declared) : parse_scalar(declared, found->second);
  if (found == given.end() && formula && declared.access == Access::write)
    return inferred_output(declared.name, before);
  if (!formula && declared.optional && (found == given.end() || found->second == "none")) return Absent{};
  if (found == given.end() || found->second == "none") {
    const bool number = formula && declared.access == Access::read;
    throw InvalidArgument(fmt::format("{0}: {1}: expected {0}=DTYPE:SHAPE{2}", declared.name,
                                      found == given.end() ? "missing" : "not optional",
                                      number ? fmt::format(", or {}=NUMBER", declared.name) : ""));
  }
  const bool number = formula && declared.access == Access::read && found->second.find(':') == std::string::npos;
  if (number) return parse_number(declared, found->second);
  return parse_tensor(declared.name, found->second);
}

/// The call's views, at addresses that are aligned as a device's would be.
class HostCall {
 public:
  explicit HostCall(const OpCall& call) {
    constexpr std::uintptr_t somewhere = 0x100000;
    views_.reserve(call.call.arguments.size());
    for (const CallArgument& argument : call.call.arguments) {
      if (const auto* tensor = std::get_if<TensorArgument>(&argument)) {
        auto* const address = reinterpret_cast<void*>(somewhere + origin_of(*tensor));
        views_.emplace_back(address, tensor->dtype, tensor->shape, tensor->strides);
        arguments_.emplace_back(views_.back());
      } else if (const auto* scalar = std::get_if<Argument>(&argument)) {
        arguments_.push_back(*scalar);
      } else {
        arguments_.emplace_back(nullptr);
      }
    }
    call.op->read(arguments_, call_);
  }
  const tilejit::Call& call() const { return call_; }
  HostCall(const HostCall&) = delete;
  HostCall& operator=(const HostCall&) = delete;
  Plan plan(const OpCall& call, const Target& target) const {
    const TemplateLibrary own;
    return call.op->plan(call_, {own, target});
  }

 private:
  std::vector<TensorView> views_;
  std::vector<Argument> arguments_;
  tilejit::Call call_;
};

std::string place_text(const Op& op, const StepTensor& tensor) {
  if (tensor.argument == StepTensor::absent) return "absent";
  std::string where = "workspace";
  if (tensor.argument >= 0) {
    int tensors = 0;
    for (const ArgumentInfo& info : op.declared().info.arguments)
      if (info.kind == ArgumentInfo::Kind::tensor && tensors++ == tensor.argument) where = info.name;
  }
  return fmt::format("{} + {} bytes: {}", where, tensor.offset, tensor.layout.to_string());
}

}  // namespace

std::optional<OpCall> resolve_op(const CallText& text, const TemplateLibrary& library) {
  const std::string name = template_name_of(text);
  if (library.has(name) && !library.is_own(name)) return std::nullopt;
  std::vector<std::string> arguments = text.arguments;
  OpCall result;
  if (name == elementwise_name) {
    result.op = elementwise_op(take_formula(arguments));
  } else {
    result.op = op_named(name);
  }
  if (!result.op) {
    check_known(name, library);
    return std::nullopt;
  }
  if (!text.fix_strides.empty()) throw InvalidArgument(fmt::format("--fix-strides: {} is an op, not a template", name));
  if (text.debug) throw InvalidArgument(fmt::format("--debug: {} is an op; run its templates so", name));
  result.call.kernel = std::shared_ptr<const Template>(result.op, &result.op->declared());
  result.call.settings = parse_settings(text.settings);
  if (arguments.empty()) return result;  // asked about, not called
  const auto given = given_arguments(*result.op, arguments);
  for (const ArgumentInfo& declared : result.op->declared().info.arguments)
    result.call.arguments.push_back(read_argument(*result.op, declared, given, result.call.arguments));
  const HostCall host(result);
  host.plan(result, target_of("sm_90a"));
  result.call.kernel = std::make_shared<const Template>(result.op->declared_for(host.call()));
  return result;
}

JitFunction function_of(const Jit& jit, const OpCall& call) {
  const auto* formula = dynamic_cast<const ElementwiseOp*>(call.op.get());
  const JitFunction function = formula != nullptr && call.op->name() == elementwise_name
                                   ? jit.elementwise(formula->formula().text())
                                   : jit.function(call.op->name());
  return call.call.settings.empty() ? function : function.with_config(call.call.settings);
}

Expected expected_of_op(const OpCall& call, std::uint64_t seed) {
  Expected expected{images_of(call.call, seed, Poison::expected), "the slow CPU reference"};
  std::vector<HostTensor> tensors;
  std::vector<FormulaInput> inputs;
  std::vector<double> scalars;
  std::size_t next = 0;
  const std::vector<ArgumentInfo>& infos = call.op->declared().info.arguments;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    const CallArgument& argument = call.call.arguments[i];
    FormulaInput input;
    if (const auto* tensor = std::get_if<TensorArgument>(&argument)) {
      std::byte* const origin = expected.images.at(next++).bytes.data() + origin_of(*tensor);
      input.tensor = {tensor->dtype, origin, tensor->shape, tensor->strides};
    } else if (const auto* number = std::get_if<Argument>(&argument)) {
      const Scalar& scalar = number->scalar();
      const bool floating = scalar.holds_floating();
      input.number = FormulaNumber{scalar.as_double(), floating ? 0 : scalar.as_integer(), floating};
      if (infos[i].kind == ArgumentInfo::Kind::scalar) {
        scalars.push_back(scalar.as_double());
        continue;
      }
    }
    tensors.push_back(input.tensor);
    inputs.push_back(std::move(input));
  }
  if (const std::optional<ProductCall> product = product_of(call)) {
    expected.norm_bound = product->norm_bound;
    expected.sample = sampled_outputs(product->m, product->n, product->k);
  }
  if (const auto* formula = dynamic_cast<const ElementwiseOp*>(call.op.get())) {
    inputs.pop_back();
    elementwise(formula->formula(), inputs, tensors.back());
  } else if (const Reference reference = op_reference_for(call.op->name())) {
    reference(tensors, scalars);
  }
  return expected;
}

std::int64_t bytes_of(const Call& call) {
  std::int64_t bytes = 0;
  for (const CallArgument& argument : call.arguments) {
    const auto* tensor = std::get_if<TensorArgument>(&argument);
    if (tensor == nullptr) continue;
    std::int64_t elements = 1;
    for (const std::int64_t extent : tensor->shape) elements *= extent;
    bytes += elements * std::int64_t(size_of(tensor->dtype));
  }
  return bytes;
}

Call main_step(const OpCall& call, const std::string& arch) {
  const HostCall host(call);
  const Plan plan = host.plan(call, target_of(arch));
  if (plan.steps.empty()) throw InvalidArgument(fmt::format("{}: nothing is launched for this call", call.op->name()));
  const Step& step = plan.steps.at(plan.main);
  Call result;
  result.kernel = step.kernel;
  result.settings = call.call.settings;
  result.config = config_with(step.kernel->info, settings_over(call.op->name(), step, result.settings));
  for (const StepTensor& tensor : step.tensors) {
    if (tensor.argument == StepTensor::absent) {
      result.problem.tensors.push_back({.present = false});
      continue;
    }
    const auto start =
        tensor.argument < 0
            ? std::uintptr_t{0}
            : reinterpret_cast<std::uintptr_t>(host.call().tensors()[std::size_t(tensor.argument)]->data());
    result.problem.tensors.push_back(
        tensor.layout.at(reinterpret_cast<void*>(start + std::uintptr_t(tensor.offset))).problem());
  }
  for (const ArgumentInfo& info : step.kernel->info.arguments)
    if (info.kind == ArgumentInfo::Kind::scalar) result.problem.scalars.push_back(info.dtype);
  return result;
}

void refuse_op(const CallText& text, const TemplateLibrary& library, const std::string& what, const std::string& arch) {
  const std::string name = template_name_of(text);
  if (library.has(name)) return;  // a template of the op's name
  const bool no_formula = name == elementwise_name && text.arguments.empty();
  const std::optional<OpCall> op = no_formula ? std::nullopt : resolve_op(text, library);
  if (!op && !no_formula) return;
  constexpr const char* made = "its kernel is made for the call: `tilejit inspect` shows it";
  std::string instead =
      no_formula ? made : fmt::format("name one of its templates: `tilejit show {} ARGUMENTS` lists them", name);
  if (op && !op->call.arguments.empty()) {
    const Plan plan = HostCall(*op).plan(*op, target_of(arch));
    if (plan.steps.empty()) throw InvalidArgument(fmt::format("{}: {} launches nothing for this call", what, name));
    const Template& kernel = *plan.steps.at(plan.main).kernel;
    const std::string& main = kernel.name;  // what is made for a call may have the name of one of the library's
    instead =
        library.has(main) && library.get(main)->file.text == kernel.file.text
            ? fmt::format("name the template that it runs here, {0}, with the arguments of `tilejit show {0}`", main)
            : made;
  }
  throw InvalidArgument(fmt::format("{}: {} is an op; {}", what, name, instead));
}

bool asks_for_elementwise(const CallText& text, const TemplateLibrary& library) {
  return text.template_name == elementwise_name && text.arguments.empty() && text.settings.empty() &&
         !library.has(elementwise_name);
}

std::string elementwise_text() {
  return fmt::format(
      "elementwise: what a formula of the caller's says of each element\n"
      "an op: any strides, up to 8 axes (docs/ops.md)\n\n"
      "formula     \"out = gelu(x * alpha + bias)\": an output, then names, numbers, + - * / and comparisons\n"
      "functions   {}\n"
      "arguments   the names of the right side, each a tensor or a number, then the output\n"
      "for one     tilejit show elementwise x=f32:64x100 bias=f32:100 alpha=0.5 \"out = gelu(x * alpha + bias)\"\n",
      fmt::join(Formula::known_functions(), " "));
}

std::string op_text(const Op& op) {
  std::string text =
      fmt::format("{}: {}\nan op: any strides, up to 8 axes (docs/ops.md)\n\n", op.name(), op.declared().info.summary);
  Table table({"argument", "access", "dtypes"});
  const bool formula = dynamic_cast<const ElementwiseOp*>(&op) != nullptr;
  for (const ArgumentInfo& info : op.declared().info.arguments) {
    std::vector<std::string_view> dtypes;
    for (const DType dtype : info.dtypes) dtypes.push_back(name_of(dtype));
    if (info.kind == ArgumentInfo::Kind::scalar) {
      table.add(
          {info.name, info.choices.empty() ? "a number" : "one of",
           info.choices.empty() ? std::string(name_of(info.dtype)) : fmt::format("{}", fmt::join(info.choices, " "))});
    } else {
      const bool input = info.access == Access::read;
      table.add({info.name,
                 !input          ? "write"
                 : formula       ? "read, or a number"
                 : info.optional ? "read, optional"
                                 : "read",
                 dtypes.empty() ? "any" : fmt::format("{}", fmt::join(dtypes, " "))});
    }
  }
  return text + table.text();
}

namespace {

/// What --set makes of the main step; nullopt: nothing is set.
std::optional<Config> set_config(const OpCall& call, const Plan& plan, const std::string& arch) {
  if (call.call.settings.empty() || plan.steps.empty()) return std::nullopt;
  return specialize_offline(main_step(call, arch), arch).specialization.config;
}

}  // namespace

std::string plan_text(const OpCall& call, const std::string& arch) {
  const Plan plan = HostCall(call).plan(call, target_of(arch));
  std::string text = fmt::format("\nfor {}\nworkspace   {} bytes\n", arch, plan.workspace_bytes);
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    text += fmt::format("step {}      {}{}\n", i, plan.steps[i].kernel->name, i == plan.main ? " (main)" : "");
    if (const std::optional<Config> config = i == plan.main ? set_config(call, plan, arch) : std::nullopt)
      text += fmt::format("            {}\n", to_string(*config));
    for (const StepTensor& tensor : plan.steps[i].tensors) {
      if (tensor.argument == StepTensor::absent) continue;
      text += fmt::format("            {}\n", place_text(*call.op, tensor));
    }
  }
  for (const std::string& note : plan.notes) text += fmt::format("passed over {}\n", note);
  return plan.steps.empty() ? text + "nothing to launch\n" : text;
}

std::string op_json(const Op& op, const OpCall* call, const std::string& arch) {
  nlohmann::ordered_json json{{"op", op.name()}, {"summary", op.declared().info.summary}};
  json["arguments"] = nlohmann::ordered_json::array();
  for (const ArgumentInfo& info : op.declared().info.arguments) json["arguments"].push_back(info.name);
  if (call != nullptr && !call->call.arguments.empty()) {
    const Plan plan = HostCall(*call).plan(*call, target_of(arch));
    json["workspace_bytes"] = plan.workspace_bytes;
    json["steps"] = nlohmann::ordered_json::array();
    for (const Step& step : plan.steps) {
      nlohmann::ordered_json tensors = nlohmann::ordered_json::array();
      for (const StepTensor& tensor : step.tensors) tensors.push_back(place_text(op, tensor));
      json["steps"].push_back({{"template", step.kernel->name}, {"tensors", tensors}});
    }
    if (const std::optional<Config> config = set_config(*call, plan, arch))
      json["steps"][plan.main]["config"] = nlohmann::ordered_json::parse(config_json(*config));
  }
  return json.dump();
}

}  // namespace tilejit::tool
