#include <tilejit/tools/reference/matmul.h>

#include <cmath>

#include <tilejit/tools/reference/kernels.h>

namespace tilejit::tool {
namespace {

template <class T>
T element(const HostTensor& x, std::int64_t row, std::int64_t col) {
  if constexpr (std::is_same_v<T, double>)
    return double_at(x.dtype, x.at({row, col}));
  else
    return T(integer_at(x.dtype, x.at({row, col})));
}

/// A matrix's numbers, row after row; turned: column after column.
template <class T>
std::vector<T> numbers(const HostTensor& x, bool turned) {
  std::vector<T> all;
  const std::int64_t rows = x.size(turned ? 1 : 0), cols = x.size(turned ? 0 : 1);
  all.reserve(std::size_t(rows * cols));
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t col = 0; col < cols; ++col)
      all.push_back(turned ? element<T>(x, col, row) : element<T>(x, row, col));
  return all;
}

double activated(double x, int activation) {
  switch (activation) {
    case 1:
      return std::isnan(x) || x > 0 ? x : 0;
    case 2:
      return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
    case 3:
      return x / (1 + std::exp(-x));
    default:
      return x;
  }
}

/// x where it broadcasts to (row, col).
const std::byte* spread(const HostTensor& x, std::int64_t row, std::int64_t col) {
  if (x.shape.empty()) return x.at({});
  const std::int64_t last = x.shape.back() == 1 ? 0 : col;
  if (x.shape.size() == 1) return x.at({last});
  return x.at({x.shape[0] == 1 ? 0 : row, last});
}

template <class T>
T value(const HostTensor& x, std::int64_t row, std::int64_t col) {
  if constexpr (std::is_same_v<T, double>)
    return double_at(x.dtype, spread(x, row, col));
  else
    return T(integer_at(x.dtype, spread(x, row, col)));
}

/// T is double, or std::uint64_t, which wraps.
template <class T>
void multiply(const HostTensor& a, const HostTensor& b, const HostTensor& c, const HostTensor& bias,
              const HostTensor& previous, const HostTensor& residual, const MatmulFinish& finish) {
  const std::int64_t rows = c.size(0), cols = c.size(1), depth = a.size(1);
  const auto sample = sampled_outputs(rows, cols, depth);
  const std::vector<T> left = sample.empty() ? numbers<T>(a, false) : std::vector<T>();
  const std::vector<T> right = sample.empty() ? numbers<T>(b, true) : std::vector<T>();
  const T alpha = std::is_same_v<T, double> ? T(finish.alpha) : T(std::int64_t(finish.alpha));
  const T beta = std::is_same_v<T, double> ? T(finish.beta) : T(std::int64_t(finish.beta));
  const auto one = [&](std::int64_t row, std::int64_t col) {
    T sum = 0;
    if (sample.empty()) {
      const T *x = left.data() + row * depth, *y = right.data() + col * depth;
      for (std::int64_t k = 0; k < depth; ++k) sum += x[k] * y[k];
    } else {
      for (std::int64_t k = 0; k < depth; ++k) sum += element<T>(a, row, k) * element<T>(b, k, col);
    }
    sum *= alpha;
    if (finish.beta != 0 && previous.data != nullptr) sum += beta * value<T>(previous, row, col);
    if (bias.data != nullptr) sum += value<T>(bias, row, col);
    if constexpr (std::is_same_v<T, double>) {
      sum = activated(sum, finish.activation);
    } else if (finish.activation == 1) {
      const bool wide = a.dtype == DType::i64;
      if (wide ? std::int64_t(sum) < 0 : std::int32_t(sum) < 0) sum = 0;
    }
    if (residual.data != nullptr) sum += value<T>(residual, row, col);
    if constexpr (std::is_same_v<T, double>) {
      c.put({row, col}, sum);
    } else {
      // Accumulators of 32 bits wrap before the result is cast.
      c.put({row, col}, a.dtype == DType::i64 ? std::int64_t(sum) : std::int64_t(std::int32_t(sum)));
    }
  };
  for (const auto& [row, col] : sample) one(row, col);
  if (!sample.empty()) return;
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t col = 0; col < cols; ++col) one(row, col);
}

}  // namespace

std::vector<std::array<std::int64_t, 2>> sampled_outputs(std::int64_t m, std::int64_t n, std::int64_t k) {
  constexpr double most = 1e9;
  constexpr std::int64_t count = 4096;
  std::vector<std::array<std::int64_t, 2>> sample;
  if (2.0 * double(m) * double(n) * double(k) <= most || m * n <= count) return sample;
  // Steps of the golden ratio through all elements: even, and they meet every row and column class.
  std::uint64_t state = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    state += 0x9e3779b97f4a7c15u;
    const auto at = std::int64_t(double(state >> 11) * 0x1p-53 * double(m * n));
    sample.push_back({at / n, at % n});
  }
  sample.front() = {0, 0};
  sample.back() = {m - 1, n - 1};
  return sample;
}

void matmul(const HostTensor& a, const HostTensor& b, const HostTensor& c, const HostTensor& bias,
            const HostTensor& previous, const HostTensor& residual, const MatmulFinish& finish) {
  if (is_floating(a.dtype))
    multiply<double>(a, b, c, bias, previous, residual, finish);
  else
    multiply<std::uint64_t>(a, b, c, bias, previous, residual, finish);
}

namespace reference {

void matmul_row(Tensors tensors, Scalars) { matmul(tensors[0], tensors[1], tensors[2], {}, {}, {}, {}); }

void matmul_mma(Tensors tensors, Scalars scalars) { matmul_tiled(tensors, scalars); }

void matmul_tiled(Tensors tensors, Scalars scalars) {
  matmul(tensors[0], tensors[1], tensors[2], tensors[3], tensors[4], tensors[5],
         {scalars[0], scalars[1], int(scalars[2])});
}

}  // namespace reference
}  // namespace tilejit::tool
