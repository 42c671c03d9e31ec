#include <tilejit/runtime/ops/matmul_pack.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <tilejit/generator/map_rules.h>
#include <tilejit/runtime/ops/workspace_layout.h>

namespace tilejit {
namespace {

constexpr std::int64_t map_bytes = 16;  ///< that strides are a multiple of

/// A place for `from` with rows (or columns) of a multiple of 16 bytes.
StepTensor place_for(const StepTensor& from, WorkspaceLayout& workspace) {
  const TensorView& layout = from.layout;
  const int along = unit_stride_axis(layout.problem()) == 0 ? 0 : 1;
  const std::int64_t length = layout.shape()[along], lines = layout.shape()[1 - along];
  const std::int64_t whole = map_bytes / std::int64_t(size_of(layout.dtype()));
  StepTensor place = workspace.take(layout.dtype(), std::array{lines, (length + whole - 1) / whole * whole});
  place.layout = place.layout.slice(1, 0, length);
  if (along == 0) place.layout = place.layout.t();
  return place;
}

/// One launch for all of them, each from where it lies to its place.
Step copy_of(std::span<const std::pair<StepTensor, StepTensor>> copies, const PlanContext& context) {
  if (copies.size() == 1) return copy_step(copies[0].first, copies[0].second, context);
  Step step{context.own.get("copy_pair"), {}, {}};
  for (const auto& [from, to] : copies) {
    step.tensors.insert(step.tensors.end(), {from, to});
    if (unit_stride_axis(to.layout.problem()) == 1) continue;
    for (StepTensor* tensor : {&step.tensors.end()[-2], &step.tensors.end()[-1]}) tensor->layout = tensor->layout.t();
  }
  return step;
}

/// Microseconds on an H200 (docs/performance.md): the copies' launch, their bytes both ways, a product by wgmma, and by
/// what takes any alignment.
constexpr double launching = 2.5;
double copying(const StepTensor& tensor) {
  return 2 * double(tensor.layout.elements()) * double(size_of(tensor.layout.dtype())) / 3.6e6;
}
double multiplying(const Product& product, double teraflops) {
  return 5 + 2 * double(product.m()) * double(product.n()) * double(product.k()) / (teraflops * 1e6);
}

}  // namespace

std::optional<PackedProduct> packed_for_maps(const Product& product, const Call& call, const PlanContext& context) {
  if (!context.own.has("matmul_wgmma")) return std::nullopt;
  const FrontMatter& info = context.own.get("matmul_wgmma")->info;
  const std::vector<DType>& dtypes = info.arguments[0].dtypes;
  if (std::find(dtypes.begin(), dtypes.end(), product.a.layout.dtype()) == dtypes.end() || product.k() == 0 ||
      !std::all_of(info.needs.begin(), info.needs.end(), [&](const auto& need) { return context.target.has(need); })) {
    return std::nullopt;
  }
  PackedProduct packed{product, {}, 0, {}};
  WorkspaceLayout workspace;
  std::vector<std::pair<StepTensor, StepTensor>> copies;
  double copied = launching;
  for (const bool left : {true, false}) {
    StepTensor& operand = left ? packed.product.a : packed.product.b;
    const std::string why = why_no_map(info.arguments[left ? 0 : 1], problem_of(operand, call));
    if (why.empty()) continue;
    const StepTensor place = place_for(operand, workspace);
    packed.notes.push_back(fmt::format("{} as it lies, so that it is packed: {}", left ? "a" : "b", why));
    copies.emplace_back(operand, place);
    copied += copying(operand);
    operand = place;
  }
  packed.workspace_bytes = workspace.bytes();
  if (copies.empty() || copied + multiplying(product, 650) > multiplying(product, 60)) return std::nullopt;
  packed.copy = copy_of(copies, context);
  return packed;
}

}  // namespace tilejit
