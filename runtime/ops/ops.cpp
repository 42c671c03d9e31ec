#include <tilejit/runtime/ops/ops.h>

#include <algorithm>
#include <array>

#include <tilejit/generator/error.h>
#include <tilejit/generator/nearest.h>
#include <tilejit/runtime/ops/elementwise.h>
#include <tilejit/runtime/ops/matmul.h>
#include <tilejit/runtime/ops/reduction.h>
#include <tilejit/runtime/ops/row_op.h>

namespace tilejit {
namespace {

struct FormulaRow {
  std::string_view name, formula, summary;
};

constexpr std::array formulas{
    FormulaRow{"abs", "y = abs(x)", "y = |x|"},
    FormulaRow{"add", "z = x + y", "z = x + y"},
    FormulaRow{"ceil", "y = ceil(x)", "y = x rounded up"},
    FormulaRow{"copy", "y = x", "y = x, for any strides, broadcasts and dtypes"},
    FormulaRow{"div", "z = x / y", "z = x / y; of integers in f32"},
    FormulaRow{"erf", "y = erf(x)", "y = erf(x)"},
    FormulaRow{"exp", "y = exp(x)", "y = e^x"},
    FormulaRow{"fill", "y = value", "y = one value everywhere"},
    FormulaRow{"floor", "y = floor(x)", "y = x rounded down"},
    FormulaRow{"gelu", "y = gelu(x)", "y = x / 2 * (1 + erf(x / sqrt(2)))"},
    FormulaRow{"log", "y = log(x)", "y = ln x"},
    FormulaRow{"maximum", "z = max(x, y)", "z = the larger of x and y; NaN where either is"},
    FormulaRow{"minimum", "z = min(x, y)", "z = the smaller of x and y; NaN where either is"},
    FormulaRow{"mul", "z = x * y", "z = x * y"},
    FormulaRow{"neg", "y = -x", "y = -x"},
    FormulaRow{"pow", "z = pow(x, y)", "z = x^y"},
    FormulaRow{"relu", "y = relu(x)", "y = max(x, 0)"},
    FormulaRow{"rsqrt", "y = rsqrt(x)", "y = 1 / sqrt(x)"},
    FormulaRow{"sigmoid", "y = sigmoid(x)", "y = 1 / (1 + e^-x)"},
    FormulaRow{"silu", "y = silu(x)", "y = x / (1 + e^-x)"},
    FormulaRow{"sqrt", "y = sqrt(x)", "y = sqrt(x)"},
    FormulaRow{"sub", "z = x - y", "z = x - y"},
    FormulaRow{"tanh", "y = tanh(x)", "y = tanh(x)"},
    FormulaRow{"where", "y = where(condition, a, b)", "y = a where condition is not 0, else b"},
};

struct ReductionRow {
  std::string_view name;
  ReductionOp::Kind kind;
  std::string_view summary;
};
constexpr std::array reductions{
    ReductionRow{"argmax", ReductionOp::Kind::argmax,
                 "y = where x is greatest, the first of equals; a NaN is greatest"},
    ReductionRow{"max", ReductionOp::Kind::max, "y = the greatest of x; NaN where there is one"},
    ReductionRow{"mean", ReductionOp::Kind::mean, "y = the mean of x"},
    ReductionRow{"min", ReductionOp::Kind::min, "y = the least of x; NaN where there is one"},
    ReductionRow{"norm", ReductionOp::Kind::norm, "y = the Euclidean norm of x"},
    ReductionRow{"sum", ReductionOp::Kind::sum, "y = the sum of x"},
};

struct RowsRow {
  std::string_view name;
  RowOp::Kind kind;
  std::string_view summary;
};
constexpr std::array row_ops{
    RowsRow{"cumsum", RowOp::Kind::cumsum, "y = running sums of x along its last axis"},
    RowsRow{"layernorm", RowOp::Kind::layernorm,
            "y = (x - mean) / sqrt(variance + epsilon) * weight + bias along the last axis, of x + residual"},
    RowsRow{"log_softmax", RowOp::Kind::log_softmax, "y = the logarithm of softmax along the last axis"},
    RowsRow{"rmsnorm", RowOp::Kind::rmsnorm,
            "y = x / sqrt(mean of x^2 + epsilon) * weight along the last axis, of x + residual"},
    RowsRow{"softmax", RowOp::Kind::softmax, "y = exp(x - max) / sum along the last axis"},
};

constexpr std::string_view gather = "gather", matmul = "matmul";

}  // namespace

std::shared_ptr<const Op> op_named(std::string_view name) {
  for (const FormulaRow& row : formulas) {
    if (row.name != name) continue;
    return std::make_shared<const ElementwiseOp>(std::string(name), std::string(row.summary),
                                                 Formula::parse(row.formula));
  }
  for (const ReductionRow& row : reductions)
    if (row.name == name)
      return std::make_shared<const ReductionOp>(row.kind, std::string(name), std::string(row.summary));
  for (const RowsRow& row : row_ops)
    if (row.name == name) return std::make_shared<const RowOp>(row.kind, std::string(name), std::string(row.summary));
  if (name == gather) return std::make_shared<const GatherOp>();
  if (name == matmul) return std::make_shared<const MatmulOp>();
  return nullptr;
}

std::vector<std::string> op_names() {
  std::vector<std::string> names;
  for (const FormulaRow& row : formulas) names.emplace_back(row.name);
  for (const ReductionRow& row : reductions) names.emplace_back(row.name);
  for (const RowsRow& row : row_ops) names.emplace_back(row.name);
  names.emplace_back(gather);
  names.emplace_back(matmul);
  std::sort(names.begin(), names.end());
  return names;
}

void check_known(std::string_view name, const TemplateLibrary& library) {
  if (library.has(name) || op_named(name)) return;
  std::vector<std::string> known = library.names();
  for (const std::string& op : op_names())
    if (!library.has(op)) known.push_back(op);
  throw InvalidArgument("there is no template or op \"" + std::string(name) + '"' + suggestion(name, known));
}

std::shared_ptr<const Op> elementwise_op(std::string_view formula) {
  Formula parsed = Formula::parse(formula);
  const std::string summary = parsed.text();
  return std::make_shared<const ElementwiseOp>("elementwise", summary, std::move(parsed));
}

}  // namespace tilejit
