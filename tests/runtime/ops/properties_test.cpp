// Each op over generated views of every kind and dtype, against double references. The seed of a case is printed where
// it fails; the table of cases per op, kind of view and dtype is printed at the end and has no empty cell.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include <tilejit/generator/formula.h>
#include <tilejit/tests/runtime/ops/op_case.h>
#include <tilejit/tests/support/effort.h>
#include <tilejit/tests/templates/device_fixture.h>
#include <tilejit/tools/reference/formula_value.h>
#include <tilejit/tools/reference/ops.h>

namespace tilejit::test {
namespace {

using tool::HostTensor;
using Extents = std::vector<std::int64_t>;

enum class Kind { contiguous, transposed, permuted, stepped, offset, padded, repeated, backwards, one, empty, scalar };
constexpr std::array kinds{Kind::contiguous, Kind::transposed, Kind::permuted, Kind::stepped,
                           Kind::offset,     Kind::padded,     Kind::repeated, Kind::backwards,
                           Kind::one,        Kind::empty,      Kind::scalar};
constexpr std::array names{"contiguous", "transposed", "permuted", "stepped", "offset", "padded",
                           "stride 0",   "backwards",  "extent 1", "empty",   "rank 0"};

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}
  std::mt19937& random() { return random_; }
  std::int64_t number(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }

  /// 1, odd, prime, just past a power of two; at most some 3000 elements.
  Extents shape(Kind kind) {
    if (kind == Kind::scalar) return {};
    static constexpr std::array<std::int64_t, 12> extents{1, 2, 3, 5, 7, 16, 17, 31, 33, 64, 65, 129};
    Extents shape(std::size_t(number(kind == Kind::transposed ? 2 : 1, 8)));
    std::int64_t left = 3000;
    for (std::int64_t& extent : shape) {
      do extent = extents[std::size_t(number(0, std::int64_t(extents.size()) - 1))];
      while (extent > left);
      left /= extent;
    }
    std::shuffle(shape.begin(), shape.end(), random_);
    if (kind == Kind::one) shape[std::size_t(number(0, std::int64_t(shape.size()) - 1))] = 1;
    if (kind == Kind::empty) shape[std::size_t(number(0, std::int64_t(shape.size()) - 1))] = 0;
    return shape;
  }

  /// Strides by the kind; outputs never repeat.
  Operand operand(Kind kind, DType dtype, const Extents& shape, bool output) {
    std::vector<std::size_t> order(shape.size());
    std::iota(order.begin(), order.end(), 0U);  // outermost first
    if (kind == Kind::transposed) std::reverse(order.begin(), order.end());
    if (kind == Kind::permuted) std::shuffle(order.begin(), order.end(), random_);
    Operand operand{dtype, shape, Extents(shape.size(), 1), 0, output};
    const std::int64_t special = shape.empty() ? 0 : number(0, std::int64_t(shape.size()) - 1);
    std::int64_t stride = 1;
    for (std::size_t k = order.size(); k-- > 0;) {
      const std::size_t axis = order[k];
      const bool here = std::int64_t(axis) == special;
      if (kind == Kind::stepped && here) stride *= number(2, 3);
      operand.strides[axis] = stride;
      stride *= std::max<std::int64_t>(shape[axis], 1);
      if (kind == Kind::padded && k + 1 == order.size()) stride += number(1, 16);
      if (kind == Kind::repeated && here && !output) operand.strides[axis] = 0;
      if (kind == Kind::backwards && here) operand.strides[axis] *= -1;
      if (kind == Kind::one && shape[axis] == 1) operand.strides[axis] = INT64_C(1) << 40;
    }
    if (kind == Kind::offset) operand.offset = 1;
    return operand;
  }

  /// What broadcasts to `shape`: axes of 1, leading axes left out.
  Extents narrowed(Extents shape) {
    for (std::int64_t& extent : shape)
      if (number(0, 3) == 0 && extent != 0) extent = 1;
    const std::int64_t dropped = number(0, 3) == 0 ? number(0, std::int64_t(shape.size())) : 0;
    const bool empty = std::find(shape.begin(), shape.begin() + dropped, 0) != shape.begin() + dropped;
    if (!empty) shape.erase(shape.begin(), shape.begin() + dropped);
    return shape;
  }

 private:
  std::mt19937 random_;
};

struct FormulaCase {
  std::string name, formula;
  Closeness closeness;
  bool broadcast = false;
};

const std::vector<FormulaCase>& formulas() {
  static const auto* const all = new std::vector<FormulaCase>{
      {"copy", "y = x", {}, false},
      {"add", "z = x + y", {1e-6, 1e-7}, true},
      {"fused", "out = where(x > 0, x * a + 0.5, min(x, b))", {1e-2, 1e-2}, true},
  };
  return *all;
}

/// The op called by name, compared with its reference.
testing::AssertionResult op_holds(const Jit& jit, const std::string& op, const std::vector<Operand>& operands,
                                  Generator& generator, const Closeness& closeness,
                                  const std::vector<double>& scalars = {}) {
  const JitFunction function = jit.function(op);
  return holds(
      jit.device(), operands, generator.random(),
      [&](StreamRef stream, const std::vector<TensorView>& views) {
        function.call(stream, std::vector<Argument>(views.begin(), views.end()));
      },
      [&](std::vector<HostTensor>& tensors) { tool::op_reference_for(op)(tensors, scalars); }, closeness);
}

class Properties : public DeviceTest {
 protected:
  void check(const FormulaCase& one, Kind kind, DType dtype, unsigned seed) {
    Generator generator(seed);
    const Formula formula = Formula::parse(one.formula);
    const Extents shape = generator.shape(kind);
    std::vector<Operand> operands;
    for (std::size_t i = 0; i < formula.inputs().size(); ++i) {
      const Extents own = one.broadcast && i > 0 ? generator.narrowed(shape) : shape;
      operands.push_back(generator.operand(i == 0 ? kind : Kind::contiguous, dtype, own, false));
    }
    const bool also = seed % 3 == 0 && kind != Kind::repeated;
    operands.push_back(generator.operand(also ? kind : Kind::contiguous, dtype, shape, true));
    const JitFunction function = jit().elementwise(one.formula);
    ASSERT_TRUE(holds(
        device(), operands, generator.random(),
        [&](StreamRef stream, const std::vector<TensorView>& views) {
          function.call(stream, std::vector<Argument>(views.begin(), views.end()));
        },
        [&](std::vector<HostTensor>& tensors) {
          std::vector<tool::FormulaInput> inputs;
          for (std::size_t i = 0; i + 1 < tensors.size(); ++i) inputs.push_back({tensors[i], std::nullopt});
          tool::elementwise(formula, inputs, tensors.back());
        },
        one.closeness))
        << one.name << ", " << names[std::size_t(kind)] << ", seed " << seed;
    ++table_[one.name][kind][dtype];
  }

  void check_formula(const FormulaCase& one) {
    const unsigned long before = jit().counters().compiles;
    for (const Kind kind : kinds)
      for (const DType dtype : all_dtypes())
        for (long round = 0; round < test::rounds(1); ++round) {
          const auto seed = unsigned(1000 * std::size_t(kind) + 17 * std::size_t(dtype) + 131 * std::size_t(round));
          ASSERT_NO_FATAL_FAILURE(check(one, kind, dtype, seed));
        }
    print_table();
    fmt::print("{} kernels compiled\n", jit().counters().compiles - before);
    if (test::rounds(1) == 1) {
      EXPECT_LE(jit().counters().compiles - before, 132U);  // one a case
    }
  }

  /// One of sum, mean, max, norm, argmax along some axes of a view of this kind; y keeps the others.
  void check_reduction(const std::string& op, Kind kind, DType dtype, unsigned seed) {
    Generator generator(seed);
    Extents shape = generator.shape(kind);
    const bool chooses = op == "max" || op == "argmax";
    if (chooses)  // there is nothing to choose from
      for (std::int64_t& extent : shape) extent = std::max<std::int64_t>(extent, 1);
    const Operand x = generator.operand(kind, dtype, shape, false);
    Extents kept = shape;
    const std::int64_t way = generator.number(0, 3);
    if (way == 0) {
      kept.clear();  // whole
    } else if (way == 1 && !kept.empty()) {
      kept.resize(std::size_t(generator.number(0, std::int64_t(kept.size()) - 1)));
    } else {
      for (std::int64_t& extent : kept)
        if (generator.number(0, 1) == 0) extent = 1;
    }
    const DType real = is_floating(dtype) ? dtype : f32;
    const DType to = op == "argmax" ? i64 : op == "max" ? dtype : op == "sum" && !is_floating(dtype) ? i64 : real;
    const Kind of_output = seed % 2 == 0 ? Kind::contiguous : Kind::permuted;
    const Operand y = generator.operand(of_output, to, kept, true);
    ASSERT_TRUE(op_holds(jit(), op, {x, y}, generator, {1e-5, 1e-5}))
        << op << ", " << names[std::size_t(kind)] << ", seed " << seed;
    ++table_["reductions"][kind][dtype];
  }

  /// Ops along the last axis, and gather.
  void check_rows(const std::string& op, Kind kind, DType dtype, unsigned seed) {
    Generator generator(seed);
    Extents shape = generator.shape(kind);
    if (shape.empty()) shape = {1};
    const Operand x = generator.operand(kind, dtype, shape, false);
    std::vector<Operand> operands{x};
    std::vector<double> scalars;
    const Kind of_output = seed % 2 == 0 ? Kind::contiguous : Kind::permuted;
    const bool layernorm = op == "layernorm";
    if (op == "gather") {
      const std::int64_t first = shape[0];
      operands.push_back(contiguous(u8 == dtype ? i64 : i32, first == 0         ? Extents{0}
                                                             : shape.size() > 7 ? Extents{9}
                                                                                : Extents{3, 5}));
      Extents taken = operands[1].shape;
      taken.insert(taken.end(), shape.begin() + 1, shape.end());
      operands.push_back(generator.operand(of_output, dtype, taken, true));
    } else {
      operands.push_back(generator.operand(of_output, dtype, shape, true));
    }
    if (layernorm || op == "rmsnorm") {
      operands.push_back(contiguous(f32, {shape.back()}));
      if (layernorm) operands.push_back(contiguous(dtype, {shape.back()}));
      operands.push_back(generator.operand(kind, dtype, shape, false));
      operands.push_back(generator.operand(of_output, dtype, shape, true));
      scalars.push_back(double(1e-5f));
    }
    // bf16 and f16: an ulp of the largest value, since a sum in f32 may fall on the other side of a tie.
    const double close = dtype == f64 ? 1e-9 : dtype == f32 ? 2e-5 : 2e-2;
    ASSERT_TRUE(op_holds(jit(), op, operands, generator, {close, close}, scalars))
        << op << ", " << names[std::size_t(kind)] << ", seed " << seed;
    ++table_[op == "cumsum" || op == "gather" ? "cumsum, gather" : "softmax, norms"][kind][dtype];
  }

  void print_table() {
    for (const auto& [op, of_op] : table_)
      for (const Kind kind : kinds) {
        std::string row = fmt::format("{:14} {:11}", op, names[std::size_t(kind)]);
        for (const DType dtype : all_dtypes()) {
          if (op == "softmax, norms" && dtype != f64 && dtype != f32 && dtype != f16 && dtype != bf16) continue;
          const auto found = of_op.find(kind);
          const int cases = found != of_op.end() && found->second.contains(dtype) ? found->second.at(dtype) : 0;
          row += fmt::format(" {}:{}", name_of(dtype), cases);
          EXPECT_GT(cases, 0) << op << " " << names[std::size_t(kind)] << " " << name_of(dtype);
        }
        fmt::print("{}\n", row);
      }
  }

  std::map<std::string, std::map<Kind, std::map<DType, int>>> table_;
};

TEST_F(Properties, CopiesHoldForEveryKindOfViewAndDtype) { check_formula(formulas()[0]); }
TEST_F(Properties, BroadcastSumsHoldForEveryKindOfViewAndDtype) { check_formula(formulas()[1]); }
TEST_F(Properties, FusedFormulasHoldForEveryKindOfViewAndDtype) { check_formula(formulas()[2]); }

/// Each op in turn where rounds are few; all of them in every cell of the table under TILEJIT_TEST_EFFORT.
template <std::size_t N, class F>
void for_each_cell(const std::array<const char*, N>& ops, F f) {
  const long rounds = test::rounds(1);
  for (const Kind kind : kinds)
    for (const DType dtype : all_dtypes())
      for (long round = 0; round < (rounds == 1 ? 1 : rounds * long(N)); ++round) {
        const std::size_t at = std::size_t(kind) + std::size_t(dtype) + std::size_t(round);
        f(ops[at % N], kind, dtype,
          unsigned(100 * std::size_t(kind) + 7 * std::size_t(dtype) + 131 * std::size_t(round)));
      }
}

TEST_F(Properties, ReductionsHoldForEveryKindOfViewAndDtype) {
  for_each_cell(std::array{"sum", "max", "mean", "argmax", "norm"},
                [&](const char* op, Kind kind, DType dtype, unsigned seed) {
                  ASSERT_NO_FATAL_FAILURE(check_reduction(op, kind, dtype, seed));
                });
  print_table();
}

TEST_F(Properties, RowOpsHoldForEveryKindOfViewAndDtype) {
  for_each_cell(std::array{"cumsum", "gather"}, [&](const char* op, Kind kind, DType dtype, unsigned seed) {
    ASSERT_NO_FATAL_FAILURE(check_rows(op, kind, dtype, seed));
  });
  for_each_cell(std::array{"softmax", "layernorm", "log_softmax", "rmsnorm"},
                [&](const char* op, Kind kind, DType dtype, unsigned seed) {
                  const bool takes = dtype == f64 || dtype == f32 || dtype == f16 || dtype == bf16;
                  if (takes) {
                    ASSERT_NO_FATAL_FAILURE(check_rows(op, kind, dtype, seed));
                  }
                });
  print_table();
}

}  // namespace
}  // namespace tilejit::test
