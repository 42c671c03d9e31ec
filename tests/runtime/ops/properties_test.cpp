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

  void print_table() {
    for (const auto& [op, of_op] : table_)
      for (const Kind kind : kinds) {
        std::string row = fmt::format("{:8} {:11}", op, names[std::size_t(kind)]);
        for (const DType dtype : all_dtypes()) {
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

// Which dtype meets which shape is one choice for all: cases of a cell repeat seeds over dtypes, so kernels are shared
// by shapes that fold alike.
TEST_F(Properties, FormulasHoldForEveryKindOfViewAndDtype) {
  const long rounds = test::rounds(1);
  for (const FormulaCase& one : formulas())
    for (const Kind kind : kinds)
      for (const DType dtype : all_dtypes())
        for (long round = 0; round < rounds; ++round) {
          const auto seed = unsigned(1000 * std::size_t(kind) + 17 * std::size_t(dtype) + 131 * round);
          ASSERT_NO_FATAL_FAILURE(check(one, kind, dtype, seed));
        }
  print_table();
  const Jit::Counters counters = jit().counters();
  fmt::print("{} kernels compiled\n", counters.compiles);
  if (rounds == 1) {
    EXPECT_LE(counters.compiles, 600U);
  }
}

}  // namespace
}  // namespace tilejit::test
