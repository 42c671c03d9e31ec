#include <tilejit/runtime/ops/matmul_choice.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>

#include <tilejit/generator/error.h>
#include <tilejit/generator/map_rules.h>
#include <tilejit/runtime/ops/matmul_model.h>

namespace tilejit {
namespace {

/// A template that computes products, the fastest first.
struct Way {
  std::string_view kernel;
  bool rounds_f32 = false;  ///< of f32 it makes tf32
};
constexpr std::array ways{Way{"matmul_wgmma"}, Way{"matmul_mma", true}, Way{"matmul_tiled"}};

Problem problem_of(const Product& product, const Call& call, const Template& kernel) {
  Problem problem;
  for (const StepTensor& tensor : product.tensors()) problem.tensors.push_back(tilejit::problem_of(tensor, call));
  for (const ArgumentInfo& info : kernel.info.arguments)
    if (info.kind == ArgumentInfo::Kind::scalar) problem.scalars.emplace_back(info.dtype);
  return problem;
}

std::string name_of_device(const PlanContext& context) {
  return context.device.empty() ? context.target.arch : fmt::format("{} ({})", context.device, context.target.arch);
}

bool takes(const ArgumentInfo& info, DType dtype) {
  return info.dtypes.empty() || std::find(info.dtypes.begin(), info.dtypes.end(), dtype) != info.dtypes.end();
}

/// Why this template is no choice; empty: it is. `choice` then has it.
std::string refusal(const Way& way, const Product& product, const Call& call, const PlanContext& context,
                    ProductChoice& choice) {
  const auto kernel = with_constants(*context.own.get(way.kernel), {{"ACTIVATION", std::int64_t(product.activation)}});
  const std::vector<ArgumentInfo>& infos = kernel->info.arguments;
  const DType dtype = product.a.layout.dtype();
  if (!takes(infos[0], dtype)) return fmt::format("takes no {}", name_of(dtype));
  if (!takes(infos[2], product.c.layout.dtype()))
    return fmt::format("makes no {} of {}", name_of(product.c.layout.dtype()), name_of(dtype));
  if (way.rounds_f32 && dtype == DType::f32 && product.precision == Precision::full)
    return "rounds f32 to tf32, which precision = tf32 asks for";
  for (const std::string& feature : kernel->info.needs)
    if (!context.target.has(feature))
      return fmt::format("needs {}, which {} does not have", feature, name_of_device(context));
  const Problem problem = problem_of(product, call, *kernel);
  const Config usual = default_config(kernel->info);
  const ProblemScope scope(*kernel, problem, usual, context.target);
  const std::vector<Config> configs = candidates(*kernel, problem, context.target);
  if (configs.empty()) return why_not(*kernel, scope, usual, context.target);
  for (std::size_t i = 0; i < problem.tensors.size(); ++i) {
    if (infos[i].via != Via::tma) continue;
    if (const std::string why = why_no_map(infos[i], problem.tensors[i]); !why.empty())
      return fmt::format("{} goes through a TMA map: {}", infos[i].name, why);
  }
  const bool finishes =
      product.activation != Activation::none ||
      std::any_of(problem.tensors.begin() + 3, problem.tensors.end(), std::mem_fn(&TensorProblem::present));
  const bool by_lanes = finishes || !why_no_map(infos[2], problem.tensors[2]).empty();
  choice.first =
      modelled_best(configs, *kernel, scope, {product.m(), product.n(), product.k(), by_lanes}, context.target);
  choice.kernel = kernel;
  return {};
}

}  // namespace

TensorProblem problem_of(const StepTensor& tensor, const Call& call) {
  if (tensor.argument == StepTensor::absent) return {.present = false};
  const bool own = tensor.argument == StepTensor::in_workspace;
  const auto start =
      own ? std::uintptr_t{0} : reinterpret_cast<std::uintptr_t>(call.tensors()[std::size_t(tensor.argument)]->data());
  return tensor.layout.at(reinterpret_cast<void*>(start + std::uintptr_t(tensor.offset))).problem();
}

ProductChoice choose_product(const Product& product, const Call& call, const PlanContext& context) {
  ProductChoice choice;
  for (const Way& way : ways) {
    if (!context.own.has(way.kernel)) continue;
    const std::string why = refusal(way, product, call, context, choice);
    if (why.empty()) return choice;
    choice.notes.push_back(fmt::format("{}: {}", way.kernel, why));
  }
  throw InvalidArgument(fmt::format("matmul: no template can run this on {}: {}", name_of_device(context),
                                    fmt::join(choice.notes, "; ")));
}

}  // namespace tilejit
