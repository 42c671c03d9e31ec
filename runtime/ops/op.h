#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tilejit/generator/specialization.h>
#include <tilejit/generator/target.h>
#include <tilejit/generator/template_library.h>
#include <tilejit/runtime/call.h>
#include <tilejit/runtime/tensor_view.h>

namespace tilejit {

/// Where a step's tensor lies, and how. `layout` has no address of its own.
struct StepTensor {
  static constexpr int in_workspace = -1, absent = -2;
  int argument = absent;    ///< one of the call's tensors, or one of the two above
  std::int64_t offset = 0;  ///< bytes from that tensor's address, or from the workspace's
  TensorView layout;
};

/// A scalar that a step hands its kernel.
struct StepScalar {
  enum class From {
    constant,    ///< `bits`
    argument,    ///< the call's scalar, bits as they are
    f64_to_f32,  ///< the call's scalar, a double, rounded
    i64_to_f32,  ///< an i64, rounded
    i64_to_f64
  } from = From::constant;
  int argument = 0;
  std::uint64_t bits = 0;
};

/// One launch of a plan.
struct Step {
  std::shared_ptr<const Template> kernel;
  std::vector<StepTensor> tensors;
  std::vector<StepScalar> scalars;
  std::optional<Config> first{};  ///< what runs where nothing was tuned; none: the template's default
};

/// An op's steps for one call: they run in order on one stream. None: nothing is to be done.
struct Plan {
  std::vector<Step> steps;
  std::size_t workspace_bytes = 0;   ///< each part of it begins at a multiple of 256 bytes
  std::size_t main = 0;              ///< the step that moves the most: what tuning and --set are about
  std::vector<std::string> notes{};  ///< which templates were passed over, and why
};

/// What a plan may depend on beyond the call.
struct PlanContext {
  const TemplateLibrary& own;  ///< TileJIT's own templates
  const Target& target;
  std::string device{};  ///< its name, for what is refused; empty: plans for an arch alone
};

/// What a caller asks for by name: host code that checks a call's views and plans launches of templates for them. Knows
/// nothing of CUDA; immutable, safe from all threads.
class Op {
 public:
  /// `declared` says what a template's front matter would: name, summary, arguments (without shapes), tolerance.
  explicit Op(Template declared) : declared_(std::move(declared)) {}
  virtual ~Op() = default;
  Op(const Op&) = delete;
  Op& operator=(const Op&) = delete;

  const Template& declared() const { return declared_; }
  const std::string& name() const { return declared_.name; }
  /// The declaration as this call has it: what is only written without some option may be updated with it.
  virtual Template declared_for(const Call&) const { return declared_; }

  /// A call's arguments sorted. InvalidArgument: what does not fit the declaration.
  virtual void read(std::span<const Argument> args, Call& call) const { read_arguments(declared_, args, call); }
  /// InvalidArgument where a tensor that is written overlaps another argument as it must not. Asked on every call.
  virtual void check_aliases(const Call& call) const { check_overlap(declared_, call); }
  /// What a plan depends on beyond the tensors' dtypes, shapes, strides and alignments.
  virtual std::uint64_t key(const Call&) const { return 0; }
  /// Checks everything that does not depend on addresses, and plans. InvalidArgument names tensor and axis.
  virtual Plan plan(const Call& call, const PlanContext& context) const = 0;

 private:
  const Template declared_;
};

/// The declaration of a tensor argument of any rank.
ArgumentInfo op_tensor(const std::string& name, Access access, std::vector<DType> dtypes = {}, bool optional = false);
/// The declaration of a scalar argument; none: it has no default.
ArgumentInfo op_scalar(const std::string& name, DType dtype, std::optional<double> default_value = std::nullopt);
/// A declaration of these arguments.
Template op_declaration(const std::string& name, const std::string& summary, std::vector<ArgumentInfo> arguments);

/// The template with other values for constants that its [config] leaves no choice in.
std::shared_ptr<const Template> with_constants(const Template& kernel,
                                               const std::vector<std::pair<std::string, std::int64_t>>& constants);

/// What a step's main kernel runs with where a caller sets some constants: `settings`, and what the plan says of all
/// other names. InvalidArgument: one that the op decides, which [config] leaves no choice in, is set to another value.
std::vector<std::pair<std::string, std::int64_t>> settings_over(
    const std::string& op, const Step& step, std::vector<std::pair<std::string, std::int64_t>> settings);

/// InvalidArgument: a tensor of a dtype that its declaration does not list (those are named).
void check_dtypes(const Template& declared, const Call& call);

}  // namespace tilejit
