#include <tilejit/runtime/ops/reduction.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include <tilejit/runtime/ops/row_plan.h>

namespace tilejit {
namespace {

using Kind = ReductionOp::Kind;

const std::vector<DType> real{DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8e4m3, DType::f8e5m2};
const std::vector<DType> indices{DType::i32, DType::i64};

Template declaration(Kind kind, const std::string& name, const std::string& summary) {
  std::vector<DType> results;
  if (kind == Kind::mean || kind == Kind::norm) results = real;
  if (kind == Kind::argmax) results = indices;
  Template declared =
      op_declaration(name, summary, {op_tensor("x", Access::read), op_tensor("y", Access::write, std::move(results))});
  if (kind == Kind::sum || kind == Kind::mean || kind == Kind::norm) {
    declared.info.relative_tolerance = 1e-5;
    declared.info.absolute_tolerance = 1e-4;
  }
  return declared;
}

/// The axes of x that y does not keep. InvalidArgument: y's shape is of no set of axes.
AxisSet reduced_axes(const std::string& op, const TensorView& x, const TensorView& y) {
  const auto refuse = [&](const std::string& why) {
    throw InvalidArgument(fmt::format(
        "{}: {}; x is {}, y is {}. y has x's axes with extent 1 where x is reduced, or x's leading axes alone", op, why,
        x.to_string(), y.to_string()));
  };
  if (y.rank() > x.rank()) refuse(fmt::format("y has {} axes, x has {}", y.rank(), x.rank()));
  AxisSet reduced = 0;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (axis >= y.rank()) {
      reduced |= AxisSet{1} << axis;
    } else if (y.shape()[axis] != x.shape()[axis]) {
      if (y.rank() < x.rank() || y.shape()[axis] != 1) {
        refuse(fmt::format("axis {} of y is {} long, of x {}", axis, y.shape()[axis], x.shape()[axis]));
      }
      reduced |= AxisSet{1} << axis;
    }
  }
  return reduced;
}

/// What partial results are kept in: what the second pass loses nothing by.
DType partial_type(Kind kind, DType x, DType y) {
  if (kind == Kind::max || kind == Kind::min || kind == Kind::argmax) return x;
  if (x == DType::f64 || y == DType::f64) return DType::f64;
  if (is_floating(x)) return DType::f32;
  return kind == Kind::norm ? DType::f64 : DType::i64;
}

bool is_turned(const TensorView& matrix) { return matrix.strides()[0] == 1 && matrix.strides()[1] != 1; }

/// Into how many segments each row goes: enough programs for the device, each with 32 KB or more to read. Of much, many
/// more, so that a multiprocessor whose programs end early takes others; no more than 64 programs and 512 partial
/// results to a multiprocessor.
std::int64_t segments_of(const TensorView& matrix, const Target& target) {
  constexpr std::int64_t kb = 1024, least_bytes = 32 * kb, most = 1024, most_parts = 64, most_results = 512;
  const std::int64_t rows = matrix.shape()[0], columns = matrix.shape()[1], sms = target.sms;
  const bool turned = is_turned(matrix);
  const std::int64_t programs = std::max<std::int64_t>(turned ? rows / 128 : rows, 1);
  const std::int64_t bytes = columns * std::int64_t(size_of(matrix.dtype()));
  const std::int64_t rows_together = turned ? 32 : 1;
  const std::int64_t few = std::min({4 * sms / programs, bytes * rows_together / least_bytes, most});
  if (few <= 1) return 1;
  // Along rows, where 4 to 8 programs are on a multiprocessor at a time, a second wave or a third costs more than it
  // brings: the device waits for the last one half empty.
  const std::int64_t part_bytes = turned ? 160 * kb : 64 * kb, least_parts = turned ? 4 : 24;
  const std::int64_t parts = std::min((rows * bytes / part_bytes + sms / 2) / sms, most_parts);
  if (parts < least_parts) return few;
  const std::int64_t groups = (rows + rows_together - 1) / rows_together;
  return std::max(few, std::min(parts * sms / groups, most_results * sms / rows));
}

/// Whole rows of a few, a tile each.
std::optional<Config> along_rows(const TensorView& matrix) {
  if (is_turned(matrix)) return std::nullopt;
  return Config{{{"BLOCK_M", 1}, {"BLOCK_N", 4096}}, 4, 1};
}

/// A row of many partial results in few tiles, by a program of its own; none: the template's default does as well.
std::optional<Config> joining(std::int64_t segments, DType partial) {
  if (segments <= 128) return std::nullopt;
  for (const auto& [block, warps] : {std::pair(512, 4), std::pair(1024, 4), std::pair(4096, 4)}) {
    if (block >= segments && block * std::int64_t(size_of(partial)) >= 512 * warps)
      return Config{{{"BLOCK_M", 1}, {"BLOCK_N", block}}, warps, 1};
  }
  return Config{{{"BLOCK_M", 1}, {"BLOCK_N", 8192}}, 8, 1};
}
std::optional<Config> joining_argmax(std::int64_t segments) {
  if (segments <= 128) return std::nullopt;
  if (segments <= 1024) return Config{{{"BLOCK_M", 1}, {"BLOCK_S", 1024}}, 4, 1};
  return Config{{{"BLOCK_M", 1}, {"BLOCK_S", 4096}}, 8, 1};
}

const char* template_of(Kind kind) {
  switch (kind) {
    case Kind::sum:
      return "split_sum";
    case Kind::mean:
      return "split_mean";
    case Kind::max:
      return "split_max";
    case Kind::min:
      return "split_min";
    case Kind::norm:
      return "split_norm";
    case Kind::argmax:
      break;
  }
  return "split_argmax";
}

/// What the last template of a plan takes beside its tensors: a mean's count; 0: the row's own length.
std::vector<StepScalar> scalars_of(Kind kind, double count) {
  if (kind != Kind::mean) return {};
  return {{StepScalar::From::constant, 0, std::bit_cast<std::uint64_t>(count)}};
}

/// A matrix of one column as a tensor of one axis.
StepTensor as_line(StepTensor tensor) {
  const TensorView& column = tensor.layout;
  tensor.layout = TensorView(nullptr, column.dtype(), {column.shape()[0]}, {column.strides()[0]});
  return tensor;
}

}  // namespace

ReductionOp::ReductionOp(Kind kind, const std::string& name, const std::string& summary)
    : Op(declaration(kind, name, summary)), kind_(kind) {}

Plan ReductionOp::plan(const Call& call, const PlanContext& context) const {
  const TensorView &x = *call.tensors()[0], &y = *call.tensors()[1];
  check_dtypes(declared(), call);
  const AxisSet reduced = reduced_axes(name(), x, y);
  check_self_overlap(declared(), call.tensors());
  if (y.elements() == 0) return {};
  if (x.elements() == 0 && (kind_ == Kind::max || kind_ == Kind::min || kind_ == Kind::argmax)) {
    throw InvalidArgument(fmt::format("{}: x is {}: there is nothing to choose from", name(), x.to_string()));
  }

  RowPlan plan(call, context);
  const StepTensor matrix = plan.input(0, reduced);
  const StepTensor result = plan.output(1, 0);  // one column: y's axes in order are the rows
  const std::int64_t segments = segments_of(matrix.layout, context.target);
  if (segments == 1) {
    if (kind_ == Kind::argmax) {
      plan.step("split_argmax", {matrix, result, {}});
    } else {
      plan.step(template_of(kind_), {matrix, result}, scalars_of(kind_, 0));
    }
    return plan.finish();
  }
  const std::int64_t shape[] = {matrix.layout.shape()[0], segments};
  const DType dtype = partial_type(kind_, x.dtype(), y.dtype());
  const StepTensor partial = plan.workspace().take(dtype, shape);
  if (kind_ == Kind::argmax) {
    const StepTensor places = plan.workspace().take(DType::i64, shape);
    plan.step("split_argmax", {matrix, places, partial}, {}, along_rows(matrix.layout));
    plan.step("join_argmax", {partial, places, as_line(result)}, {}, joining_argmax(segments));
  } else {
    // The first pass of a mean sums; the second one divides by the length of whole rows.
    plan.step(kind_ == Kind::mean ? "split_sum" : template_of(kind_), {matrix, partial}, {}, along_rows(matrix.layout));
    plan.step(template_of(kind_), {partial, result}, scalars_of(kind_, double(matrix.layout.shape()[1])),
              joining(segments, dtype));
  }
  return plan.finish();
}

}  // namespace tilejit
