#include <tilejit/runtime/ops/matmul_pack.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

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

/// Microseconds on an H200 (docs/performance.md): a copy's launch and its bytes both ways, a product by wgmma, and by
/// what takes any alignment.
double copying(const StepTensor& tensor) {
  return 2.5 + 2 * double(tensor.layout.elements()) * double(size_of(tensor.layout.dtype())) / 3.6e6;
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
  double copies = 0;
  for (const bool left : {true, false}) {
    StepTensor& operand = left ? packed.product.a : packed.product.b;
    const std::string why = why_no_map(info.arguments[left ? 0 : 1], problem_of(operand, call));
    if (why.empty()) continue;
    const StepTensor place = place_for(operand, workspace);
    packed.notes.push_back(fmt::format("{} as it lies, so that it is packed: {}", left ? "a" : "b", why));
    packed.copies.push_back(copy_step(operand, place, context));
    copies += copying(operand);
    operand = place;
  }
  packed.workspace_bytes = workspace.bytes();
  if (packed.copies.empty() || copies + multiplying(product, 650) > multiplying(product, 60)) return std::nullopt;
  return packed;
}

}  // namespace tilejit
