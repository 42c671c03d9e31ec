#include <tilejit/bench/row_checks.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <tilejit/bench/samples.h>
#include <tilejit/tests/support/fake_driver.h>

namespace tilejit::bench {
namespace {

/// The fake driver's memory is the host's: what an op would write is put there.
class RowChecks : public testing::Test {
 protected:
  test::FakeDriver driver_;
  Device device_ = driver_.device();
};

TEST_F(RowChecks, SeeAWrongElementOfALongRow) {
  constexpr std::int64_t n = 131072;
  const std::vector<float> x(n, 0.5F);
  const Tensor in = device_.copy_of(x, {n});
  std::vector<float> y(n, float(1.0 / n));
  const auto check = [&](std::string_view op) {
    const Tensor out = device_.copy_of(y, {n});
    check_row(device_, "a row", op, in, out);
  };
  EXPECT_NO_THROW(check("softmax"));
  EXPECT_THROW(check("rmsnorm"), Error);
  y[97 * 1000] = 0;
  EXPECT_THROW(check("softmax"), Error);
  y.assign(n, float(-std::log(double(n))));
  EXPECT_NO_THROW(check("log_softmax"));
  y[97 * 1000] = NAN;
  EXPECT_THROW(check("log_softmax"), Error);
}

TEST_F(RowChecks, SeeAWrongSumOfALongColumn) {
  constexpr std::int64_t rows = 100000, columns = 3;
  const Tensor x = device_.copy_of(std::vector<float>(rows * columns, 0.5F), {rows, columns});
  std::vector<float> sums(columns, 0.5F * rows);
  const auto check = [&] {
    const Tensor y = device_.copy_of(sums, {columns});
    check_sums(device_, "a column", x.t(), y);
  };
  EXPECT_NO_THROW(check());
  sums[2] -= 1;
  EXPECT_THROW(check(), Error);
}

TEST_F(RowChecks, ReadALineWhateverItsStride) {
  std::vector<float> host(70);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = float(i);
  const Tensor x = device_.copy_of(host, {10, 7});
  EXPECT_EQ(numbers_of(device_, x.select(0, 9)), (std::vector<double>{63, 64, 65, 66, 67, 68, 69}));
  EXPECT_EQ(numbers_of(device_, x.select(1, 6)), (std::vector<double>{6, 13, 20, 27, 34, 41, 48, 55, 62, 69}));
}

}  // namespace
}  // namespace tilejit::bench
