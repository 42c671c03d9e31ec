#include <fmt/format.h>

#include <cmath>
#include <random>

#include <tilejit/runtime/jit.h>
#include <tilejit/tools/reference/element.h>

#include "../support/gpu_fixture.h"

namespace tilejit {
namespace {

using tool::double_at;
using tool::put_double;

/// Rows for the templates of clusters, through the ops, against sums in double.
class ClusterRows : public test::GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    if (!device().target().has("cluster")) GTEST_SKIP() << device().name() << " has no clusters";
    Options options;
    options.cache_root = "";
    options.tuning = Tuning::off;
    jit_.emplace(device(), options);
  }

  struct Rows {
    std::vector<double> values;
    Tensor memory;
    TensorView view;
  };
  /// `rows` rows of n numbers, `pitch` apart.
  Rows random_rows(DType dtype, std::int64_t rows, std::int64_t n, std::int64_t pitch, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0.5, 2);
    const auto size = static_cast<std::size_t>(size_of(dtype));
    std::vector<std::byte> bytes(static_cast<std::size_t>(rows * pitch) * size);
    std::vector<double> values;
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t i = 0; i < n; ++i) {
        std::byte* const at = bytes.data() + static_cast<std::size_t>(row * pitch + i) * size;
        put_double(dtype, at, normal(random));
        values.push_back(double_at(dtype, at));
      }
    const std::int64_t shape[] = {rows, pitch};
    Tensor memory = device().copy_of_bytes(dtype, bytes, shape);
    TensorView view = memory.view().slice(1, 0, n);
    return {std::move(values), std::move(memory), view};
  }

  static std::vector<double> expected(const std::string& op, const std::vector<double>& row, double epsilon = 1e-5) {
    const double n = double(row.size());
    double greatest = -INFINITY, sum = 0, squares = 0;
    for (const double x : row) greatest = std::max(greatest, x), sum += x;
    const double mean = op == "layernorm" ? sum / n : 0;
    double exponentials = 0;
    for (const double x : row) exponentials += std::exp(x - greatest), squares += (x - mean) * (x - mean);
    std::vector<double> result;
    for (const double x : row)
      result.push_back(op == "softmax"       ? std::exp(x - greatest) / exponentials
                       : op == "log_softmax" ? x - greatest - std::log(exponentials)
                                             : (x - mean) / std::sqrt(squares / n + epsilon));
    return result;
  }

  using Settings = std::vector<std::pair<std::string, std::int64_t>>;

  /// With the default Config, or with these settings.
  void expect_right(const std::string& op, DType dtype, std::int64_t n, std::int64_t pitch, const Settings& set = {}) {
    SCOPED_TRACE(fmt::format("{} of {} {}, pitch {}, {} settings", op, n, name_of(dtype), pitch, set.size()));
    const std::int64_t rows = 3;
    const Rows x = random_rows(dtype, rows, n, pitch, 1), y = random_rows(dtype, rows, n, pitch, 2);
    const Rows weight = random_rows(dtype, 1, n, n, 3);
    const std::vector<std::byte> before = y.memory.to_host_bytes();
    const Stream stream = device().stream();
    const JitFunction function = set.empty() ? jit_->function(op) : jit_->function(op).with_config(set);
    const bool weighted = op == "layernorm" || op == "rmsnorm";
    if (!weighted)
      function(stream, x.view, y.view);
    else
      function(stream, x.view, y.view, weight.view.select(0, 0));
    stream.synchronize();
    const std::vector<std::byte> after = y.memory.to_host_bytes();
    const auto size = static_cast<std::size_t>(size_of(dtype));
    const double allowed = dtype == f64 ? 1e-12 : dtype == f32 ? 2e-6 : dtype == f16 ? 1e-3 : 8e-3;
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::vector<double> of_row(x.values.begin() + row * n, x.values.begin() + (row + 1) * n);
      const std::vector<double> want = expected(op, of_row);
      for (std::int64_t i = 0; i < pitch; ++i) {
        const auto at = static_cast<std::size_t>(row * pitch + i) * size;
        if (i >= n) {
          ASSERT_TRUE(std::equal(after.begin() + at, after.begin() + at + size, before.begin() + at))
              << "a stray write at row " << row << ", column " << i;
          continue;
        }
        const double factor = weighted ? weight.values[static_cast<std::size_t>(i)] : 1;
        const double exact = want[static_cast<std::size_t>(i)] * factor, got = double_at(dtype, after.data() + at);
        // f16 has no normal numbers below 6e-5: what a long softmax mostly makes.
        // The other ops' numbers are differences, as exact as what they were taken from.
        const double absolute = op != "softmax" ? 4 * allowed : dtype == f16 ? 6e-8 : 1e-6 * allowed;
        ASSERT_NEAR(got, exact, allowed * std::abs(exact) + absolute) << "row " << row << ", column " << i;
      }
    }
  }

  std::optional<Jit> jit_;
};

TEST_F(ClusterRows, AreRightForEveryLengthAndDtype) {
  for (const std::string op : {"softmax", "log_softmax", "layernorm", "rmsnorm"}) {
    for (const std::int64_t n : {32769, 40001, 65536, 131072, 262144}) {
      expect_right(op, f32, n, n);
      expect_right(op, bf16, n, n + 8);
    }
    for (const std::int64_t n : {24577, 28001, 32768}) expect_right(op, bf16, n, n + n % 2);
    expect_right(op, f16, 32767, 32767);
    expect_right(op, f16, 131071, 131071);
    expect_right(op, f32, 100000, 100003);
    expect_right(op, f64, 16385, 16385);
    expect_right(op, f64, 131072, 131072);
  }
}

TEST_F(ClusterRows, AreRightWhateverTheConfig) {
  for (const std::string op : {"softmax", "log_softmax", "layernorm", "rmsnorm"})
    for (const DType dtype : {f32, bf16}) {
      const Settings four{{"BLOCK_N", 32768}, {"CLUSTER", 4}, {"RESIDENT", 1}, {"num_warps", 32}};
      const std::int64_t fit = op == "rmsnorm" ? 3 : dtype == f32 ? 2 : 4;
      const Settings crowded{{"BLOCK_N", 16384}, {"CLUSTER", 8}, {"RESIDENT", fit}, {"num_warps", 8}};
      for (const Settings& settings : {four, crowded}) expect_right(op, dtype, 131072, 131072, settings);
      if (dtype != bf16) continue;
      const Settings pair{{"BLOCK_N", 16384}, {"CLUSTER", 2}, {"RESIDENT", fit}, {"num_warps", 8}};
      const Settings alone{{"BLOCK_N", 32768}, {"CLUSTER", 1}, {"RESIDENT", 1}, {"num_warps", 16}};
      for (const Settings& settings : {pair, alone})
        for (const std::int64_t n : {32768, 32760, 32001, 24578}) expect_right(op, dtype, n, n, settings);
    }
}

TEST_F(ClusterRows, OfMinusInfinityCountAsTheyDoInShortRows) {
  const std::int64_t n = 65536;
  const Stream stream = device().stream();
  for (const DType dtype : {f32, bf16})
    for (const double greatest : {2.0, -200.0}) {  // e^200 is more than a float holds
      // The other programs' parts hold nothing but -inf; all of row 1 does.
      const auto size = static_cast<std::size_t>(size_of(dtype));
      std::vector<std::byte> host(2 * n * size);
      for (std::int64_t i = 0; i < 2 * n; ++i)
        put_double(dtype, host.data() + std::size_t(i) * size, i > 1 ? -INFINITY : greatest - 1 + double(i));
      const Tensor x = device().copy_of_bytes(dtype, host, std::vector<std::int64_t>{2, n});
      const Tensor y = device().empty(dtype, {2, n});
      for (const bool log : {false, true}) {
        SCOPED_TRACE(fmt::format("{}{}, the greatest is {}", log ? "log_" : "", name_of(dtype), greatest));
        jit_->function(log ? "log_softmax" : "softmax")(stream, x, y);
        stream.synchronize();
        const std::vector<std::byte> bytes = y.to_host_bytes();
        const auto got = [&](std::int64_t i) { return double_at(dtype, bytes.data() + std::size_t(i) * size); };
        const auto expected = [log](double share) { return log ? std::log(share) : share; };
        const double allowed = dtype == f32 ? 1e-6 : 8e-3;
        EXPECT_NEAR(got(0), expected(1 / (1 + std::exp(1.0))), allowed);
        EXPECT_NEAR(got(1), expected(1 / (1 + std::exp(-1.0))), allowed);
        for (std::int64_t i = 2; i < n; ++i) ASSERT_EQ(got(i), log ? -INFINITY : 0) << i;
        for (std::int64_t i = 0; i < n; ++i) ASSERT_TRUE(std::isnan(got(n + i))) << i;
      }
    }
}

}  // namespace
}  // namespace tilejit
