#include <tilejit/runtime/ops/matmul.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>

#include <tilejit/generator/error.h>
#include <tilejit/runtime/ops/matmul_choice.h>
#include <tilejit/runtime/ops/matmul_pack.h>
#include <tilejit/runtime/ops/workspace_layout.h>
#include <tilejit/runtime/sum_factor.h>

namespace tilejit {
namespace {

enum Tensors : int { A, B, C, bias, residual };
enum Scalars : int { alpha, beta, activation, precision };

/// What c may be for each dtype of a and b.
struct Pair {
  DType operands;
  std::array<DType, 4> results;
  int count;
};
constexpr std::array pairs{
    Pair{DType::f64, {DType::f64, DType::f32}, 2},
    Pair{DType::f32, {DType::f32, DType::f64, DType::f16, DType::bf16}, 4},
    Pair{DType::f16, {DType::f16, DType::f32, DType::bf16}, 3},
    Pair{DType::bf16, {DType::bf16, DType::f32, DType::f16}, 3},
    Pair{DType::i8, {DType::i32, DType::i64}, 2},
    Pair{DType::i32, {DType::i32, DType::i64}, 2},
    Pair{DType::i64, {DType::i64}, 1},
};

std::vector<DType> operands() {
  std::vector<DType> dtypes;
  for (const Pair& pair : pairs) dtypes.push_back(pair.operands);
  return dtypes;
}
std::vector<DType> results() { return {DType::f64, DType::f32, DType::f16, DType::bf16, DType::i32, DType::i64}; }

Template declaration() {
  Template declared =
      op_declaration("matmul", "c = activation(alpha * a b + beta * c + bias) + residual, for any strides",
                     {op_tensor("a", Access::read, operands()), op_tensor("b", Access::read, operands()),
                      op_tensor("c", Access::write, results()), op_tensor("bias", Access::read, {}, true),
                      op_tensor("residual", Access::read, {}, true), op_scalar("alpha", DType::f64, 1),
                      op_scalar("beta", DType::f64, 0), op_scalar("activation", DType::i32, 0),
                      op_scalar("precision", DType::i32, 0)});
  declared.info.arguments[7].choices = {"none", "relu", "gelu", "silu"};
  declared.info.arguments[8].choices = {"full", "tf32"};
  declared.info.relative_tolerance = 1e-5;
  declared.info.absolute_tolerance = 1e-3;
  return declared;
}

double number(const Call& call, Scalars scalar) { return std::bit_cast<double>(call.scalars()[std::size_t(scalar)]); }
int chosen(const Call& call, Scalars scalar) { return static_cast<std::int32_t>(call.scalars()[std::size_t(scalar)]); }

const TensorView& tensor(const Call& call, Tensors which) { return *call.tensors()[std::size_t(which)]; }

std::string all_pairs() {
  std::string text;
  for (const Pair& pair : pairs) {
    text += fmt::format("{}{} x {} ->", text.empty() ? "" : "; ", name_of(pair.operands), name_of(pair.operands));
    for (int i = 0; i < pair.count; ++i) text += fmt::format(" {}", name_of(pair.results[std::size_t(i)]));
  }
  return text;
}

std::string given(const Call& call) {
  return fmt::format("a is {}, b is {}, c is {}", tensor(call, A).to_string(), tensor(call, B).to_string(),
                     tensor(call, C).to_string());
}

void check_dtypes(const Call& call) {
  const DType a = tensor(call, A).dtype(), b = tensor(call, B).dtype(), c = tensor(call, C).dtype();
  const auto pair = std::ranges::find(pairs, a, &Pair::operands);
  const bool exists =
      pair != pairs.end() && a == b &&
      std::find(pair->results.begin(), pair->results.begin() + pair->count, c) != pair->results.begin() + pair->count;
  if (!exists) {
    throw InvalidArgument(fmt::format("matmul: there is no {} x {} -> {}; there are {}", name_of(a), name_of(b),
                                      name_of(c), all_pairs()));
  }
  for (const auto& [which, name] : {std::pair{bias, "bias"}, std::pair{residual, "residual"}}) {
    const TensorView& view = tensor(call, which);
    if (!view.present() || is_floating(view.dtype()) == is_floating(c)) continue;
    throw InvalidArgument(fmt::format("matmul: {} is {}, c is {}: both floating or both integer", name,
                                      name_of(view.dtype()), name_of(c)));
  }
}

void check_shapes(const Call& call) {
  const TensorView &a = tensor(call, A), &b = tensor(call, B), &c = tensor(call, C);
  for (const auto& [view, name] : {std::pair{&a, "a"}, std::pair{&b, "b"}, std::pair{&c, "c"}})
    if (view->rank() != 2)
      throw InvalidArgument(fmt::format("matmul: {} has {} axes; a (M, K), b (K, N) and c (M, N) have two: {}", name,
                                        view->rank(), given(call)));
  const auto agree = [&](const char* left, const TensorView& x, int axis, const char* right, const TensorView& y,
                         int other) {
    if (x.shape()[axis] == y.shape()[other]) return;
    throw InvalidArgument(fmt::format("matmul: axis {} of {} is {} long, axis {} of {} is {}: {}", axis, left,
                                      x.shape()[axis], other, right, y.shape()[other], given(call)));
  };
  agree("a", a, 1, "b", b, 0);
  agree("a", a, 0, "c", c, 0);
  agree("b", b, 1, "c", c, 1);
  if (const TensorView& x = tensor(call, residual); x.present() && !std::ranges::equal(x.shape(), c.shape()))
    throw InvalidArgument(
        fmt::format("matmul: residual has c's shape: residual is {}, c is {}", x.to_string(), c.to_string()));
  if (const TensorView& x = tensor(call, bias); x.present()) {
    bool fits = x.rank() <= 2;
    for (int axis = 1; fits && axis <= x.rank(); ++axis) {
      const std::int64_t extent = x.shape()[x.rank() - axis];
      fits = extent == 1 || extent == c.shape()[2 - axis];
    }
    if (!fits)
      throw InvalidArgument(
          fmt::format("matmul: bias is a row (N) or (1, N), a column (M, 1), (M, N) or () of c: bias is {}, c is {}",
                      x.to_string(), c.to_string()));
  }
}

/// Whether both step through the same elements in the same order.
bool same_place(const TensorView& x, const TensorView& y) {
  if (x.data() != y.data() || x.dtype() != y.dtype()) return false;
  for (int axis = 0; axis < x.rank(); ++axis)
    if (x.shape()[axis] > 1 && x.strides()[axis] != y.strides()[axis]) return false;
  return true;
}

StepTensor place(const Call& call, Tensors which) {
  return tensor(call, which).present() ? whole(call, which) : StepTensor{};
}

/// c^T = b^T a^T where c's rows are what it steps through one by one.
void lay_along_columns(Product& product) {
  if (unit_stride_axis(product.c.layout.problem()) != 0) return;
  std::swap(product.a, product.b);
  for (StepTensor* each : {&product.a, &product.b, &product.c, &product.bias, &product.previous, &product.residual})
    if (each->argument != StepTensor::absent) each->layout = each->layout.t();
}

}  // namespace

MatmulOp::MatmulOp() : Op(declaration()) {}

void MatmulOp::read(std::span<const Argument> args, Call& call) const {
  Op::read(args, call);
  const auto refuse = [&](const std::string& what) { throw InvalidArgument("matmul: " + what); };
  if (call.in_memory != 0) refuse("alpha, beta, activation and precision are values; one lies in device memory");
  for (const auto& [scalar, index] : {std::pair{activation, 7}, std::pair{precision, 8}}) {
    const ArgumentInfo& info = declared().info.arguments[std::size_t(index)];
    const int value = chosen(call, scalar);
    if (value < 0 || std::size_t(value) >= info.choices.size())
      refuse(fmt::format("{} is {}; it may be {}", info.name, value, fmt::join(info.choices, ", ")));
  }
  const DType dtype = tensor(call, A).dtype();
  if (chosen(call, precision) == int(Precision::tf32) && dtype != DType::f32)
    refuse(fmt::format("precision tf32 is for f32; a is {}", name_of(dtype)));
  if (!is_floating(dtype) && chosen(call, activation) > int(Activation::relu))
    refuse("integers have no activation but relu");
  for (const auto& [scalar, name] : {std::pair{alpha, "alpha"}, std::pair{beta, "beta"}})
    check_sum_factor("matmul", name, number(call, scalar), dtype);
}

void MatmulOp::check_aliases(const Call& call) const {
  const TensorView& c = tensor(call, C);
  for (const auto& [which, name] :
       {std::pair{A, "a"}, std::pair{B, "b"}, std::pair{bias, "bias"}, std::pair{residual, "residual"}}) {
    const TensorView& view = tensor(call, which);
    if (!view.present() || (which == residual && same_place(view, c))) continue;
    const Overlap found = overlap(c, view);
    if (found == Overlap::no) continue;
    throw InvalidArgument(fmt::format("matmul: c is written and {} {}; give it memory of its own{}",
                                      found == Overlap::yes ? "overlaps" : "may overlap", name,
                                      which == residual ? ", or exactly residual's" : ""));
  }
}

std::uint64_t MatmulOp::key(const Call& call) const {
  return std::uint64_t(number(call, beta) != 0) | std::uint64_t(chosen(call, activation)) << 1 |
         std::uint64_t(chosen(call, precision)) << 8;
}

Template MatmulOp::declared_for(const Call& call) const {
  Template declared = this->declared();
  if (number(call, beta) != 0) declared.info.arguments[C].access = Access::update;
  return declared;
}

Plan MatmulOp::plan(const Call& call, const PlanContext& context) const {
  check_dtypes(call);
  check_shapes(call);
  check_self_overlap(declared(), call.tensors());
  if (tensor(call, C).elements() == 0) return {};

  Product product;
  product.a = place(call, A);
  product.b = place(call, B);
  product.c = place(call, C);
  product.bias = place(call, bias);
  if (product.bias.argument != StepTensor::absent)
    product.bias.layout = product.bias.layout.broadcast_to(product.c.layout.shape());
  if (number(call, beta) != 0) product.previous = product.c;
  product.residual = place(call, residual);
  product.activation = Activation(chosen(call, activation));
  product.precision = Precision(chosen(call, precision));
  lay_along_columns(product);

  Plan plan;
  if (std::optional<PackedProduct> packed = packed_for_maps(product, call, context)) {
    product = packed->product;
    plan.steps.push_back(std::move(packed->copy));
    plan.workspace_bytes = packed->workspace_bytes;
    plan.notes = std::move(packed->notes);
  }
  ProductChoice choice = choose_product(product, call, context);
  plan.notes.insert(plan.notes.end(), choice.notes.begin(), choice.notes.end());
  plan.main = plan.steps.size();
  plan.steps.push_back({std::move(choice.kernel),
                        product.tensors(),
                        {{StepScalar::From::argument, alpha, 0}, {StepScalar::From::argument, beta, 0}},
                        std::move(choice.first)});
  return plan;
}

}  // namespace tilejit
