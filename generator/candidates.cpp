#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include <tilejit/generator/error.h>
#include <tilejit/generator/specialization.h>

namespace tilejit {
namespace {

std::string needs_that_miss(const FrontMatter& info, const Target& target) {
  for (const std::string& feature : info.needs)
    if (!target.has(feature)) return fmt::format("needs {}, which {} does not have", feature, target.arch);
  return {};
}

std::string broken_condition(const FrontMatter& info, const Scope& scope) {
  if (const Expression* broken = broken_requirement(info, scope))
    return fmt::format("requires: {} is false", broken->text());
  for (const Expression& condition : info.where)
    if (counts(condition, scope) && condition.evaluate(scope) == 0)
      return fmt::format("where: {} is false", condition.text());
  return {};
}

std::string beyond_limits(const FrontMatter& info, const Scope& scope, const Config& config, const Target& target) {
  const int threads = 32 * config.num_warps;
  if (threads > target.threads_limit)
    return fmt::format("num_warps = {}: {} threads, {} fit", config.num_warps, threads, target.threads_limit);
  if (info.shared) {
    const std::int64_t bytes = info.shared->evaluate(scope);
    if (bytes < 0 || bytes > target.shared_limit)
      return fmt::format("shared: {} bytes, {} fit", bytes, target.shared_limit);
  }
  std::int64_t programs = 1;
  for (const Expression& axis : info.cluster) {
    const std::int64_t extent = axis.evaluate(scope);
    programs *= std::clamp<std::int64_t>(extent, 0, 9);
    if (extent < 1 || programs > 8) return fmt::format("cluster: {} is {}; 1 to 8 programs fit", axis.text(), extent);
  }
  if (info.min_blocks) {
    const std::int64_t blocks = info.min_blocks->evaluate(scope);
    if (blocks < 1 || blocks > 32)
      return fmt::format("min_blocks: {} is {}; 1 to 32 fit", info.min_blocks->text(), blocks);
  }
  return {};
}

/// Rules of TMA: a box of 1 to 256 elements an axis, whose bytes along the unit axis are a multiple of 16 and no longer
/// than the swizzle's span.
std::string bad_map(const ArgumentInfo& info, const Scope& scope, const Scope::TensorFacts& tensor) {
  const std::int64_t swizzle = info.map.swizzle ? info.map.swizzle->evaluate(scope) : 0;
  if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return fmt::format("swizzle of {}: {} bytes; 0, 32, 64 and 128 are possible", info.name, swizzle);
  for (std::size_t axis = 0; axis < info.map.box.size(); ++axis) {
    const std::int64_t extent = info.map.box[axis].evaluate(scope), bytes = extent * tensor.element_size;
    if (extent < 1 || extent > 256)
      return fmt::format("box of {}: axis {} is {}; 1 to 256 fit", info.name, axis, extent);
    if (tensor.strides[axis] != 1) continue;
    if (bytes % 16 != 0 || (swizzle != 0 && bytes > swizzle))
      return fmt::format("box of {}: {} bytes along axis {}; a multiple of 16{} is needed", info.name, bytes, axis,
                         swizzle == 0 ? "" : fmt::format(" up to {}", swizzle));
  }
  return {};
}

std::string bad_maps(const FrontMatter& info, const Scope& scope) {
  std::size_t tensor = 0;
  for (const ArgumentInfo& argument : info.arguments) {
    if (argument.kind != ArgumentInfo::Kind::tensor) continue;
    const Scope::TensorFacts& facts = scope.tensors[tensor++];
    if (argument.via == Via::pointer || !facts.present) continue;
    if (argument.via == Via::either && facts.strides[static_cast<std::size_t>(facts.rank) - 1] != 1) continue;
    if (std::string why = bad_map(argument, scope, facts); !why.empty()) return why;
  }
  return {};
}

std::string reason(const FrontMatter& info, const Scope& scope, const Config& config, const Target& target) {
  if (std::string why = needs_that_miss(info, target); !why.empty()) return why;
  try {
    if (std::string why = broken_condition(info, scope); !why.empty()) return why;
    if (std::string why = beyond_limits(info, scope, config, target); !why.empty()) return why;
    return bad_maps(info, scope);
  } catch (const ExpressionError& error) {
    return error.what();
  }
}

void set(Config& config, const ConfigAxis& axis, std::int64_t value) {
  if (axis.name == "num_warps") config.num_warps = static_cast<int>(value);
  if (axis.name == "num_stages") config.num_stages = static_cast<int>(value);
  for (auto& [name, current] : config.constants)
    if (name == axis.name) current = value;
}

}  // namespace

ProblemScope::ProblemScope(const Template& kernel, const Problem& problem, const Config& config, const Target& target)
    : values_(sizes_of(kernel, problem)), first_constant_(values_.size()) {
  values_.resize(kernel.info.symbols.values.size());
  values_[values_.size() - 2] = target.sms;
  values_[values_.size() - 1] = target.shared_limit;
  std::size_t i = 0;
  for (const ArgumentInfo& info : kernel.info.arguments) {
    if (info.kind != ArgumentInfo::Kind::tensor) continue;
    const TensorProblem& tensor = problem.tensors[i++];
    Scope::TensorFacts facts;
    facts.present = tensor.present;
    if (tensor.present) {
      facts.element_size = static_cast<std::int64_t>(size_of(tensor.dtype));
      facts.floating = is_floating(tensor.dtype);
      facts.align = alignment_class(tensor, kernel.name + ": " + info.name);
      facts.rank = tensor.rank;
      facts.strides = settled_strides(tensor);
    }
    tensors_.push_back(facts);
  }
  set(config);
}

void ProblemScope::set(const Config& config) {
  if (first_constant_ + config.constants.size() + 4 != values_.size())
    throw std::logic_error("ProblemScope::set: a Config of another template");
  std::size_t at = first_constant_;
  for (const auto& [name, value] : config.constants) values_[at++] = value;
  values_[at++] = config.num_warps;
  values_[at] = config.num_stages;
}

bool counts(const Expression& condition, const Scope& scope) {
  for (std::size_t i = 0; i < scope.tensors.size(); ++i)
    if (!scope.tensors[i].present && condition.uses_tensor(i)) return false;
  return true;
}

const Expression* broken_requirement(const FrontMatter& info, const Scope& scope) {
  for (const Expression& condition : info.requires_)
    if (counts(condition, scope) && condition.evaluate(scope) == 0) return &condition;
  return nullptr;
}

std::string why_not(const Template& kernel, const ProblemScope& scope, const Config& config, const Target& target) {
  ProblemScope with_config = scope;
  with_config.set(config);
  return reason(kernel.info, with_config.scope(), config, target);
}

std::vector<Config> candidates(const Template& kernel, const Problem& problem, const Target& target) {
  const std::vector<ConfigAxis>& axes = kernel.info.config;
  const Config first = default_config(kernel.info);
  ProblemScope scope(kernel, problem, first, target);
  std::vector<Config> result;
  if (reason(kernel.info, scope.scope(), first, target).empty()) result.push_back(first);
  Config config = first;
  std::vector<std::size_t> place(axes.size());
  for (bool more = !axes.empty(); more;) {
    for (std::size_t i = 0; i < axes.size(); ++i) set(config, axes[i], axes[i].values[place[i]]);
    scope.set(config);
    if (config != first && reason(kernel.info, scope.scope(), config, target).empty()) result.push_back(config);
    std::size_t axis = axes.size();
    while (axis > 0 && ++place[axis - 1] == axes[axis - 1].values.size()) place[--axis] = 0;
    more = axis > 0;
  }
  return result;
}

}  // namespace tilejit
