#include <tilejit/bench/row_checks.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include <tilejit/bench/samples.h>

namespace tilejit::bench {

void wrong(const std::string& work, std::span<const std::int64_t> at) {
  throw Error(fmt::format("{}: element ({}) is wrong", work, fmt::join(at, ", ")));
}

void check_sums(const Device& device, const std::string& work, const TensorView& x, const TensorView& y) {
  const std::int64_t n = x.shape()[1];
  for (const std::int64_t row : {std::int64_t{0}, y.shape()[0] / 2, y.shape()[0] - 1}) {
    const std::vector<double> line = numbers_of(device, x.select(0, row));
    const double sum = std::accumulate(line.begin(), line.end(), 0.0);
    if (!(std::abs(number_at(device, y, std::array{row}) - sum) <= 1e-3 * std::sqrt(double(n))))
      wrong(work, std::array{row});
  }
}

void check_row(const Device& device, const std::string& work, std::string_view op, const TensorView& x,
               const TensorView& y) {
  const std::int64_t n = x.shape()[0];
  const std::vector<double> row = numbers_of(device, x), results = numbers_of(device, y);
  const double mean = op == "layernorm" ? std::accumulate(row.begin(), row.end(), 0.0) / double(n) : 0;
  double greatest = row[0], squares = 0, sum = 0;
  for (const double value : row) greatest = std::max(greatest, value), squares += (value - mean) * (value - mean);
  for (const double value : row) sum += std::exp(value - greatest);
  const double scale = 1 / std::sqrt(squares / double(n) + 1e-5);
  const double allowed = x.dtype() == f32 ? 1e-4 : 2e-2;
  const double small = op == "softmax" ? 0.1 / double(n) : 1e-3;  // what a difference is compared with at least
  for (std::int64_t i = 0; i < n; i += 97) {
    const double value = row[std::size_t(i)];
    const double expected = op == "softmax"       ? std::exp(value - greatest) / sum
                            : op == "log_softmax" ? value - greatest - std::log(sum)
                                                  : (value - mean) * scale;
    if (!(std::abs(results[std::size_t(i)] - expected) <= allowed * std::max(std::abs(expected), small)))
      wrong(work, std::array{i});
  }
}

}  // namespace tilejit::bench
