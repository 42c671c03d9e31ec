#include <tilejit/runtime/ops/elementwise.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include <tilejit/generator/elementwise_source.h>
#include <tilejit/runtime/ops/axes.h>

namespace tilejit {
namespace {

Template declaration(const std::string& name, const std::string& summary, const Formula& formula) {
  std::vector<ArgumentInfo> arguments;
  // Optional: an input that is given as a number has no tensor.
  for (const std::string& input : formula.inputs()) arguments.push_back(op_tensor(input, Access::read, {}, true));
  arguments.push_back(op_tensor(formula.output(), Access::write));
  return op_declaration(name, summary, std::move(arguments));
}

/// Whether both step through the same elements in the same order.
bool is_in_place(const TensorView& input, const TensorView& output) {
  if (input.data() != output.data() || size_of(input.dtype()) != size_of(output.dtype())) return false;
  if (!std::ranges::equal(input.shape(), output.shape())) return false;
  for (int axis = 0; axis < input.rank(); ++axis)
    if (input.shape()[axis] > 1 && input.strides()[axis] != output.strides()[axis]) return false;
  return true;
}

std::int64_t power_of_two(std::int64_t at_least) { return std::int64_t(std::bit_ceil(std::uint64_t(at_least))); }

/// Puts the two axes that tiles lie in last: columns are where the output steps by 1 (or else most inputs do), rows
/// where an input does, else the longest that is left.
void choose_plane(Axes& axes, std::size_t output) {
  const auto unit = [&](int axis) {
    return std::count_if(axes.operands.begin(), axes.operands.end(),
                         [&](const Axes::Operand& operand) { return operand.strides[std::size_t(axis)] == 1; });
  };
  const int last = axes.rank - 1;
  if (axes.operands[output].strides[std::size_t(last)] != 1) {
    int columns = last;
    for (int axis = 0; axis < last; ++axis)
      if (unit(axis) > unit(columns)) columns = axis;
    axes.move_to(columns, last);
  }
  int rows = last - 1;
  for (int axis = last - 2; axis >= 0; --axis) {
    const bool turned = unit(axis) > 0, best = unit(rows) > 0;
    const bool longer = axes.extents[std::size_t(axis)] > axes.extents[std::size_t(rows)];
    if (turned == best ? longer : turned) rows = axis;
  }
  axes.move_to(rows, last - 1);
}

/// Whether a copy of planes is one for copy_2d_unaligned: elements of 1 or 2 bytes, in rows that leave accesses of less
/// than 4 bytes, and so long that few programs meet their ends.
bool goes_unaligned(const Axes& axes, std::span<const TensorView* const> views) {
  constexpr std::int64_t least_columns = 4096;
  const std::int64_t size = std::int64_t(size_of(views[0]->dtype()));
  if (size > 2 || axes.rank != 2 || axes.extents[1] < least_columns) return false;
  if (axes.operands[0].strides[1] != 1 || axes.operands[1].strides[1] != 1) return false;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto address = reinterpret_cast<std::uintptr_t>(views[i]->data()) +
                         static_cast<std::uintptr_t>(axes.operands[i].offset * size);
    TensorProblem rows{true, views[i]->dtype(), 2, {axes.extents[0], axes.extents[1]}};
    std::copy_n(axes.operands[i].strides.begin(), 2, rows.strides.begin());
    rows.address_align = 1 << std::countr_zero(address | 16);
    if (rows.address_align >= size && alignment_class(rows, "") < 4) return true;
  }
  return false;
}

/// The default blocks: whole lines of memory along both axes where an input is turned, else long rows, or as many short
/// ones as make a tile.
void choose_blocks(ElementwiseForm& form, std::int64_t rows, std::int64_t cols, std::int64_t bytes) {
  constexpr std::int64_t threads = 256;
  form.num_warps = threads / 32;
  const std::int64_t tile = threads * std::max<std::int64_t>(4, 32 / bytes);
  if (form.turned) {
    form.block_n = std::min<std::int64_t>(64, power_of_two(cols));
    // A turned tile goes through scratch, where each of its rows takes a line of 128 bytes or more.
    const std::int64_t fit = 32 * 1024 / std::max<std::int64_t>(form.block_n * bytes, 128);
    form.block_m = std::min({power_of_two(rows), 4096 / form.block_n, fit});
    form.block_m = std::max(form.block_m, threads / form.block_n);
  } else if (rows == 1 || cols >= 512) {
    form.block_m = 1;
    form.block_n = tile;
  } else {
    form.block_n = power_of_two(cols);
    form.block_m = tile / form.block_n;
  }
}

}  // namespace

DType compute_type(const Formula& formula, std::span<const DType> tensors, bool floating_number) {
  if (std::find(tensors.begin(), tensors.end(), DType::f64) != tensors.end()) return DType::f64;
  const bool fraction = floating_number || !formula.keeps_integers() ||
                        std::any_of(tensors.begin(), tensors.end(), [](DType dtype) { return is_floating(dtype); });
  return fraction ? DType::f32 : DType::i64;
}

ElementwiseOp::ElementwiseOp(const std::string& name, const std::string& summary, Formula formula)
    : Op([&] {
        Template declared = declaration(name, summary, formula);
        const double tolerance = formula.is_plain_copy() ? 0 : 1e-5;
        declared.info.relative_tolerance = declared.info.absolute_tolerance = tolerance;
        return declared;
      }()),
      formula_(std::move(formula)) {}

void ElementwiseOp::read(std::span<const Argument> args, Call& call) const {
  const std::vector<ArgumentInfo>& infos = declared().info.arguments;
  if (args.size() != infos.size()) {
    std::string names;
    for (const ArgumentInfo& info : infos) names += (names.empty() ? "" : ", ") + info.name;
    throw InvalidArgument(fmt::format("{} takes {} argument{}, {} given: {}({})", name(), infos.size(),
                                      infos.size() == 1 ? "" : "s", args.size(), name(), names));
  }
  static const TensorView* const absent = Argument(nullptr).tensor();
  for (std::size_t i = 0; i < args.size(); ++i) {
    const TensorView* tensor = args[i].tensor();
    const bool output = i + 1 == args.size();
    if (tensor == nullptr && !output) {
      const Scalar& scalar = args[i].scalar();
      const int at = call.scalar_count++;
      if (scalar.holds_floating()) call.floating |= 1u << at;
      call.scalar_storage[std::size_t(at)] = scalar.holds_floating() ? std::bit_cast<std::uint64_t>(scalar.as_double())
                                                                     : std::uint64_t(scalar.as_integer());
      tensor = absent;
    } else if (tensor == nullptr) {
      throw InvalidArgument(fmt::format("{}: {} is the output, the scalar {} was given", name(), infos[i].name,
                                        args[i].scalar().to_string()));
    } else if (!tensor->present()) {
      throw InvalidArgument(fmt::format("{}: {} is not optional", name(), infos[i].name));
    }
    call.tensor_storage[std::size_t(call.tensor_count++)] = tensor;
  }
}

void ElementwiseOp::check_aliases(const Call& call) const {
  const std::vector<ArgumentInfo>& infos = declared().info.arguments;
  const TensorView& output = *call.tensors().back();
  for (std::size_t i = 0; i + 1 < infos.size(); ++i) {
    const TensorView& input = *call.tensors()[i];
    if (!input.present()) continue;
    const Overlap found = overlap(output, input);
    if (found == Overlap::no || is_in_place(input, output)) continue;
    throw InvalidArgument(fmt::format("{}: {} is written and {} {}; give it memory of its own, or exactly {}'s", name(),
                                      infos.back().name, found == Overlap::yes ? "overlaps" : "may overlap",
                                      infos[i].name, infos[i].name));
  }
}

Plan ElementwiseOp::plan(const Call& call, const PlanContext& context) const {
  const std::vector<ArgumentInfo>& infos = declared().info.arguments;
  const std::span<const TensorView* const> all = call.tensors();
  const TensorView& output = *all.back();
  std::vector<NamedView> inputs;
  std::vector<const TensorView*> views;
  std::vector<DType> dtypes;
  std::vector<int> places;  // of each operand among the call's tensors
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i]->present()) continue;
    views.push_back(all[i]);
    dtypes.push_back(all[i]->dtype());
    places.push_back(static_cast<int>(i));
    if (i + 1 < all.size()) inputs.push_back({&infos[i].name, all[i]});
  }
  check_broadcast(name(), inputs, {&infos.back().name, &output});
  check_self_overlap(declared(), all);
  if (output.elements() == 0) return {};

  Axes axes = Axes::over(output.shape(), views);
  const std::size_t leader = views.size() - 1;
  axes.simplify(leader);
  axes.require(2);
  choose_plane(axes, leader);
  const std::size_t columns = std::size_t(axes.rank) - 1, rows = columns - 1;

  ElementwiseForm form;
  form.rank = axes.rank;
  form.name = fmt::format("{}_made_{}d", name(), form.rank);  // no template of the library is called so
  form.output = formula_.output();
  form.compute = compute_type(formula_, dtypes, call.floating != 0);
  std::int64_t bytes = 1;
  for (const DType dtype : dtypes) bytes = std::max(bytes, std::int64_t(size_of(dtype)));
  std::size_t operand = 0;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    ElementwiseInput input{formula_.inputs()[i], !all[i]->present(), false};
    if (!input.scalar) {
      const Axes::Operand& lies = axes.operands[operand++];
      input.spread = lies.strides[columns] == 0 && axes.extents[columns] > 1;
      form.turned |= lies.strides[rows] == 1 && lies.strides[columns] != 1 && axes.extents[columns] > 1;
    }
    form.inputs.push_back(input);
  }
  choose_blocks(form, axes.extents[rows], axes.extents[columns], bytes);

  Step step;
  const bool same_dtype = dtypes.size() == 2 && dtypes[0] == dtypes[1];
  const bool plane = axes.rank == 2 && axes.extents[rows] >= 32 && axes.extents[columns] >= 32;
  if (!formula_.is_plain_copy() || !same_dtype) {
    step.kernel = TemplateLibrary::read(elementwise_source(formula_, form));
  } else if (goes_unaligned(axes, views)) {
    step.kernel = context.own.get("copy_2d_unaligned");
    step.first = Config{{{"BLOCK_M", 1}, {"BLOCK_N", 4096 / bytes}}, 4, 1};
  } else {
    step.kernel = plane ? context.own.get("copy_2d") : TemplateLibrary::read(elementwise_source(formula_, form));
  }
  for (std::size_t i = 0; i < views.size(); ++i) {
    const std::int64_t size = std::int64_t(size_of(dtypes[i]));
    step.tensors.push_back({places[i], axes.operands[i].offset * size, axes.layout(i, dtypes[i])});
  }
  int scalar = 0;
  for (const ElementwiseInput& input : form.inputs) {
    if (!input.scalar) continue;
    const bool floating = (call.floating >> scalar & 1) != 0;
    using From = StepScalar::From;
    const From from = form.compute == DType::i64   ? From::argument
                      : form.compute == DType::f64 ? (floating ? From::argument : From::i64_to_f64)
                                                   : (floating ? From::f64_to_f32 : From::i64_to_f32);
    step.scalars.push_back({from, scalar++, 0});
  }
  return {{std::move(step)}, 0, 0};
}

}  // namespace tilejit
