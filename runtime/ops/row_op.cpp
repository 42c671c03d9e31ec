#include <tilejit/runtime/ops/row_op.h>

#include <fmt/format.h>

#include <algorithm>

#include <tilejit/runtime/ops/row_plan.h>

namespace tilejit {
namespace {

using Kind = RowOp::Kind;

const char* template_of(Kind kind, bool fits_registers, bool fits_cluster) {
  if (fits_cluster && !fits_registers) {
    if (kind == Kind::softmax) return "softmax_cluster";
    if (kind == Kind::log_softmax) return "log_softmax_cluster";
    if (kind == Kind::layernorm) return "layernorm_cluster";
    if (kind == Kind::rmsnorm) return "rmsnorm_cluster";
  }
  switch (kind) {
    case Kind::softmax:
      return fits_registers ? "softmax" : "softmax_online";
    case Kind::log_softmax:
      return fits_registers ? "log_softmax" : "log_softmax_online";
    case Kind::layernorm:
      return fits_registers ? "layernorm" : "layernorm_long";
    case Kind::rmsnorm:
      return fits_registers ? "rmsnorm" : "rmsnorm_long";
    case Kind::cumsum:
      break;
  }
  return "row_cumsum";
}

Template declaration(Kind kind, const std::string& name, const std::string& summary) {
  const std::vector<DType> floats =
      kind == Kind::cumsum ? std::vector<DType>{} : std::vector<DType>{DType::f64, DType::f32, DType::f16, DType::bf16};
  std::vector<ArgumentInfo> arguments{op_tensor("x", Access::read, floats), op_tensor("y", Access::write, floats)};
  if (kind == Kind::layernorm || kind == Kind::rmsnorm) {
    arguments.push_back(op_tensor("weight", Access::read, {}, true));
    if (kind == Kind::layernorm) arguments.push_back(op_tensor("bias", Access::read, {}, true));
    arguments.push_back(op_tensor("residual", Access::read, {}, true));
    arguments.push_back(op_tensor("total", Access::write, {}, true));
    arguments.push_back(op_scalar("epsilon", DType::f32, double(1e-5f)));
  }
  Template declared = op_declaration(name, summary, std::move(arguments));
  declared.info.relative_tolerance = 1e-5;
  declared.info.absolute_tolerance = kind == Kind::cumsum ? 1e-4 : 1e-5;
  return declared;
}

/// Weight and bias: one number a column.
void check_line(const Template& declared, const Call& call, int argument, const std::string& name) {
  const TensorView &x = *call.tensors()[0], &line = *call.tensors()[std::size_t(argument)];
  if (!line.present() || (line.rank() == 1 && line.shape()[0] == x.shape()[x.rank() - 1])) return;
  throw InvalidArgument(fmt::format("{}: {} has one axis, as long as axis {} of x; given {}, x is {}", declared.name,
                                    name, x.rank() - 1, line.to_string(), x.to_string()));
}

void check_same_dtype(const Template& declared, const Call& call, int a, int b, const char* a_name,
                      const char* b_name) {
  const TensorView &left = *call.tensors()[std::size_t(a)], &right = *call.tensors()[std::size_t(b)];
  if (!right.present() || left.dtype() == right.dtype()) return;
  throw InvalidArgument(fmt::format("{}: {} is {}; it must have the dtype of {}, which is {}", declared.name, b_name,
                                    name_of(right.dtype()), a_name, name_of(left.dtype())));
}

}  // namespace

RowOp::RowOp(Kind kind, const std::string& name, const std::string& summary)
    : Op(declaration(kind, name, summary)), kind_(kind) {}

Plan RowOp::plan(const Call& call, const PlanContext& context) const {
  const TensorView& x = *call.tensors()[0];
  check_dtypes(declared(), call);
  if (x.rank() == 0)
    throw InvalidArgument(fmt::format("{}: x has no axis to go along: it is {}", name(), x.to_string()));
  check_same_shape(declared(), call, 0, 1);
  if (kind_ != Kind::cumsum) check_same_dtype(declared(), call, 0, 1, "x", "y");
  const bool layernorm = kind_ == Kind::layernorm, norm = layernorm || kind_ == Kind::rmsnorm;
  const int residual = layernorm ? 4 : 3, total = residual + 1;
  if (norm) {
    check_line(declared(), call, 2, "weight");
    if (layernorm) check_line(declared(), call, 3, "bias");
    check_same_shape(declared(), call, 0, residual);
    check_same_shape(declared(), call, 0, total);
    check_same_dtype(declared(), call, 0, total, "x", "total");
  }
  check_self_overlap(declared(), call.tensors());
  if (x.elements() == 0) return {};

  const AxisSet along = axes_from(x.rank() - 1, x.rank());
  // As the templates' candidates have it: at most 16 warps, 256 bytes a thread.
  const std::int64_t longest = std::min<std::int64_t>(32768, 131072 / std::int64_t(size_of(x.dtype())));
  const std::int64_t columns = x.shape()[x.rank() - 1];
  const bool fits_cluster = context.target.has("cluster") && columns <= 8 * longest;
  // A program that widens more than 24576 2-byte elements has a multiprocessor for itself, so that its loads and stores
  // do not overlap; those for clusters keep them packed.
  const bool packed = fits_cluster && kind_ != Kind::cumsum && size_of(x.dtype()) == 2;
  const char* const kernel = template_of(kind_, columns <= (packed ? 24576 : longest), fits_cluster);
  RowPlan plan(call, context);
  std::vector<StepTensor> tensors{plan.input(0, along), plan.output(1, along)};
  std::vector<StepScalar> scalars;
  if (norm) {
    for (int line = 2; line < residual; ++line)
      tensors.push_back(call.tensors()[std::size_t(line)]->present() ? whole(call, line) : StepTensor{});
    tensors.push_back(plan.input(residual, along));
    tensors.push_back(plan.output(total, along));
    scalars.push_back({StepScalar::From::argument, 0, 0});
  }
  plan.step(kernel, std::move(tensors), std::move(scalars));
  return plan.finish();
}

GatherOp::GatherOp()
    : Op(op_declaration("gather", "y = x[index], along x's first axis",
                        {op_tensor("x", Access::read), op_tensor("index", Access::read, {DType::i32, DType::i64}),
                         op_tensor("y", Access::write)})) {}

Plan GatherOp::plan(const Call& call, const PlanContext& context) const {
  const TensorView &x = *call.tensors()[0], &index = *call.tensors()[1], &y = *call.tensors()[2];
  check_dtypes(declared(), call);
  check_same_dtype(declared(), call, 0, 2, "x", "y");
  bool fits = x.rank() > 0 && y.rank() == index.rank() + x.rank() - 1;
  for (int axis = 0; fits && axis < y.rank(); ++axis) {
    const bool of_index = axis < index.rank();
    const TensorView& from = of_index ? index : x;
    const int there = of_index ? axis : axis - index.rank() + 1;
    if (y.shape()[axis] == from.shape()[there]) continue;
    throw InvalidArgument(fmt::format(
        "gather: axis {} of y is {} long, axis {} of {} is {}: x is {}, index is {}, y is {}", axis, y.shape()[axis],
        there, of_index ? "index" : "x", from.shape()[there], x.to_string(), index.to_string(), y.to_string()));
  }
  if (!fits) {
    throw InvalidArgument(
        fmt::format("gather: y has index's axes and then all of x's but the first: x is {}, index is "
                    "{}, y is {}",
                    x.to_string(), index.to_string(), y.to_string()));
  }
  check_self_overlap(declared(), call.tensors());
  if (y.elements() == 0) return {};
  RowPlan plan(call, context);
  std::vector<StepTensor> tensors{plan.input(0, axes_from(1, x.rank())), plan.line_input(1),
                                  plan.output(2, axes_from(index.rank(), y.rank()))};
  plan.step("gather_rows", std::move(tensors));
  return plan.finish();
}

}  // namespace tilejit
