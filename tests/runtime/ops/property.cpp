#include <tilejit/tests/runtime/ops/property.h>

#include <algorithm>
#include <optional>

#include <tilejit/generator/formula.h>
#include <tilejit/tools/reference/formula_value.h>
#include <tilejit/tools/reference/ops.h>

namespace tilejit::test {
namespace {

using tool::HostTensor;
using Extents = std::vector<std::int64_t>;

bool is_row_op(const std::string& op) {
  return op == "softmax" || op == "log_softmax" || op == "layernorm" || op == "rmsnorm";
}
bool chooses(const std::string& op) { return op == "max" || op == "min" || op == "argmax"; }

/// Outputs of every fourth structure lie as the input does.
ViewWay way_of_output(const ViewMaker& maker, ViewWay way) {
  const bool like = maker.structure() % 4 == 0 && way != ViewWay::repeated;
  return like || way == ViewWay::scalar ? way : ViewWay::contiguous;
}

/// What broadcasts to `shape`: its first or last axis an extent of 1, or leading axes left out.
Extents narrowed(Extents shape, unsigned how) {
  if (shape.empty()) return shape;
  if (how % 3 == 0) shape.front() = std::min<std::int64_t>(shape.front(), 1);
  if (how % 3 == 1) shape.back() = std::min<std::int64_t>(shape.back(), 1);
  if (how % 3 == 2 && shape.front() != 0) shape.erase(shape.begin());
  return shape;
}

std::vector<Operand> formula_operands(ViewMaker& maker, const Formula& formula, ViewWay way, DType dtype) {
  const Extents shape = maker.shape(way);
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < formula.inputs().size(); ++i) {
    const Extents own = i > 0 ? narrowed(shape, maker.structure() + unsigned(i)) : shape;
    operands.push_back(maker.view(i == 0 ? way : ViewWay::contiguous, dtype, own, false));
  }
  operands.push_back(maker.view(way_of_output(maker, way), dtype, shape, true));
  return operands;
}

/// y keeps the outermost axis, all but that one, or nothing.
std::vector<Operand> reduction_operands(ViewMaker& maker, const std::string& op, ViewWay way, DType dtype) {
  Extents shape = maker.shape(way);
  if (chooses(op))  // there is nothing to choose from
    for (std::int64_t& extent : shape) extent = std::max<std::int64_t>(extent, 1);
  const Operand x = maker.view(way, dtype, shape, false);
  Extents kept = shape;
  switch (maker.structure() / 4 % 4) {
    case 0:
      kept.clear();
      break;
    case 1:
      if (!kept.empty()) kept.front() = 1;
      break;
    default:
      if (!kept.empty()) kept.resize(1);
  }
  const DType real = is_floating(dtype) ? dtype : f32;
  const DType to = op == "argmax" ? i64 : chooses(op) ? dtype : op == "sum" && !is_floating(dtype) ? i64 : real;
  return {x, maker.view(ViewWay::contiguous, to, kept, true)};
}

std::vector<Operand> gather_operands(ViewMaker& maker, ViewWay way, DType dtype) {
  Extents shape = maker.shape(way);
  if (shape.empty()) shape = {1};
  std::vector<Operand> operands{maker.view(way, dtype, shape, false)};
  const std::int64_t rows = shape[0] == 0 ? 0 : 2 * maker.number(1, 4) + 1;
  const bool matrix = maker.structure() % 2 == 0 && shape.size() < 8;
  operands.push_back(contiguous(dtype == u8 ? i64 : i32, matrix ? Extents{rows, 3} : Extents{rows}));
  Extents taken = operands[1].shape;
  taken.insert(taken.end(), shape.begin() + 1, shape.end());
  operands.push_back(maker.view(way_of_output(maker, way), dtype, taken, true));
  return operands;
}

/// x and y, and for the norms weight, (bias,) residual and total.
std::vector<Operand> row_operands(ViewMaker& maker, const std::string& op, ViewWay way, DType dtype) {
  Extents shape = maker.shape(way);
  if (shape.empty()) shape = {1};
  std::vector<Operand> operands{maker.view(way, dtype, shape, false)};
  operands.push_back(maker.view(way_of_output(maker, way), dtype, shape, true));
  if (op != "layernorm" && op != "rmsnorm") return operands;
  operands.push_back(contiguous(f32, {shape.back()}));
  if (op == "layernorm") operands.push_back(contiguous(dtype, {shape.back()}));
  operands.push_back(maker.view(way, dtype, shape, false));
  operands.push_back(maker.view(ViewWay::contiguous, dtype, shape, true));
  return operands;
}

Closeness closeness_of(const Property& property, DType dtype) {
  if (!is_row_op(property.op)) return property.closeness;
  // bf16 and f16: an ulp of the largest value, since a sum in f32 may fall on the other side of a tie.
  const double close = dtype == f64 ? 1e-9 : dtype == f32 ? 2e-5 : 2e-2;
  return {close, close};
}

}  // namespace

const std::vector<Property>& properties() {
  static const auto* const all = new std::vector<Property>{
      {"copy", "copy_2d or a form's own", "y = x", {}, Group::elementwise},
      {"add", "a form's own", "z = x + y", {1e-6, 1e-7}, Group::elementwise},
      {"fused", "a form's own", "out = where(x > 0, x * a + 0.5, min(x, b))", {1e-2, 1e-2}, Group::elementwise},
      {"sum", "split_sum", "", {1e-5, 1e-5}, Group::reductions},
      {"mean", "split_mean", "", {1e-5, 1e-5}, Group::reductions},
      {"max", "split_max", "", {}, Group::reductions},
      {"min", "split_min", "", {}, Group::reductions},
      {"norm", "split_norm", "", {1e-5, 1e-5}, Group::reductions},
      {"argmax", "split_argmax", "", {}, Group::reductions},
      {"cumsum", "row_cumsum", "", {1e-5, 1e-5}, Group::rows},
      {"gather", "gather_rows", "", {}, Group::rows},
      {"softmax", "softmax", "", {}, Group::rows},
      {"log_softmax", "log_softmax", "", {}, Group::rows},
      {"layernorm", "layernorm", "", {}, Group::rows},
      {"rmsnorm", "rmsnorm", "", {}, Group::rows},
  };
  return *all;
}

std::vector<DType> dtypes_of(const Property& property) {
  if (is_row_op(property.op) || property.op == "fused") return {f64, f32, f16, bf16};
  return {all_dtypes().begin(), all_dtypes().end()};
}

testing::AssertionResult property_holds(const Jit& jit, const Property& property, ViewWay way, DType dtype,
                                        unsigned round) {
  const bool elementwise = property.group == Group::elementwise, reduces = property.group == Group::reductions;
  const auto place = unsigned(&property - properties().data());
  // Reductions share the copies that some of them make first.
  const unsigned structure = 7 * unsigned(dtype) + (reduces ? 0 : 3 * place);
  const unsigned seed = 1 + round + 1000 * (unsigned(way) + 100 * structure);
  ViewMaker maker(structure, seed);
  std::optional<Formula> formula;
  if (elementwise) formula = Formula::parse(property.formula);
  const std::vector<Operand> operands = elementwise               ? formula_operands(maker, *formula, way, dtype)
                                        : reduces                 ? reduction_operands(maker, property.op, way, dtype)
                                        : property.op == "gather" ? gather_operands(maker, way, dtype)
                                                                  : row_operands(maker, property.op, way, dtype);
  const JitFunction function = elementwise ? jit.elementwise(property.formula) : jit.function(property.op);
  const auto call = [&](StreamRef stream, const std::vector<TensorView>& views) {
    function.call(stream, std::vector<Argument>(views.begin(), views.end()));
  };
  const auto expect = [&](std::vector<HostTensor>& tensors) {
    if (!elementwise) return tool::op_reference_for(property.op)(tensors, std::vector{double(1e-5F)});
    std::vector<tool::FormulaInput> inputs;
    for (std::size_t i = 0; i + 1 < tensors.size(); ++i) inputs.push_back({tensors[i], std::nullopt});
    tool::elementwise(*formula, inputs, tensors.back());
  };
  const auto where = [&] {
    return property.op + ", " + std::string(name_of(way)) + ", round " + std::to_string(round) + " (seed " +
           std::to_string(seed) + "): ";
  };
  try {
    const auto result = holds(jit.device(), operands, maker.random(), call, expect, closeness_of(property, dtype));
    return result ? result : testing::AssertionFailure() << where() << result.message();
  } catch (const Error& error) {
    auto failure = testing::AssertionFailure() << where();
    for (const Operand& operand : operands) failure << "[" << to_string(operand) << "] ";
    return failure << error.what();
  }
}

}  // namespace tilejit::test
