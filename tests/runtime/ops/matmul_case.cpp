#include "matmul_case.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <random>

#include <tilejit/tools/reference/element.h>
#include <tilejit/tools/reference/matmul.h>

namespace tilejit::test {
namespace {

using tool::HostTensor;

/// A matrix's memory on the host and on the device.
class Memory {
 public:
  Memory(const Device& device, const Matrix& matrix, std::mt19937& random, bool poisoned)
      : matrix_(matrix), size_(std::int64_t(size_of(matrix.dtype))) {
    const Lie& lie = matrix.lie;
    const std::int64_t inner = lie.turned ? matrix.rows : matrix.cols, outer = lie.turned ? matrix.cols : matrix.rows;
    std::int64_t far = lie.row < 0 ? 0 : inner * lie.col + lie.row;
    strides_ = {far, lie.col};
    if (lie.turned) std::swap(strides_[0], strides_[1]);
    bytes_.assign(
        std::size_t((lie.offset + std::max<std::int64_t>(outer, 1) * std::max<std::int64_t>(far, inner) + 64) * size_),
        std::byte{0xff});
    if (!poisoned) fill(random);
    memory_.emplace(device.copy_of_bytes(DType::u8, bytes_, std::vector{std::int64_t(bytes_.size())}));
  }

  TensorView view() const {
    return TensorView(static_cast<std::byte*>(memory_->data()) + matrix_.lie.offset * size_, matrix_.dtype,
                      {matrix_.rows, matrix_.cols}, {strides_[0], strides_[1]});
  }
  /// On the host, as it was made.
  HostTensor host() {
    return {matrix_.dtype,
            bytes_.data() + matrix_.lie.offset * size_,
            {matrix_.rows, matrix_.cols},
            {strides_[0], strides_[1]}};
  }
  std::vector<std::byte> now(StreamRef stream) const { return memory_->to_host_bytes(stream); }
  std::vector<std::byte>& bytes() { return bytes_; }
  std::int64_t origin() const { return matrix_.lie.offset * size_; }

 private:
  void fill(std::mt19937& random) {
    std::uniform_real_distribution<double> real(-1, 1);
    std::uniform_int_distribution<std::int64_t> whole(-100, 100);
    const HostTensor all = host();
    for (std::int64_t row = 0; row < matrix_.rows; ++row)
      for (std::int64_t col = 0; col < matrix_.cols; ++col) {
        if (is_floating(matrix_.dtype))
          all.put({row, col}, real(random));
        else
          all.put({row, col}, whole(random));
      }
  }

  const Matrix matrix_;
  const std::int64_t size_;
  std::array<std::int64_t, 2> strides_{};
  std::vector<std::byte> bytes_;
  std::optional<Tensor> memory_;
};

double bound_of(const Matrix& a, const Matrix& c, Precision precision) {
  if (!is_floating(c.dtype)) return 0;
  if (size_of(c.dtype) <= 2) return precision == Precision::tf32 ? 5e-3 : 2e-3;  // beside the rounded reference
  if (precision == Precision::tf32) return 1e-3;
  return 1e-5 * std::sqrt(double(std::max<std::int64_t>(a.cols, 32))) / 32;
}

testing::AssertionResult within(const Matrix& c, Memory& result, std::vector<std::byte> actual, double bound) {
  HostTensor expected = result.host(), found = expected;
  found.data = actual.data() + result.origin();
  double error = 0, norm = 0;
  for (std::int64_t row = 0; row < c.rows; ++row)
    for (std::int64_t col = 0; col < c.cols; ++col) {
      const double x = found.number({row, col}), y = expected.number({row, col});
      if (std::isnan(x) != std::isnan(y) || (bound == 0 && x != y))
        return testing::AssertionFailure() << fmt::format("({}, {}) is {}, expected {}", row, col, x, y);
      error += (x - y) * (x - y);
      norm += y * y;
      found.put({row, col}, y);
      expected.put({row, col}, y);
    }
  if (std::sqrt(error) > bound * std::sqrt(norm))
    return testing::AssertionFailure() << fmt::format("relative error {} of {} allowed", std::sqrt(error / norm),
                                                      bound);
  if (actual != result.bytes()) return testing::AssertionFailure() << "something beside c was written";
  return testing::AssertionSuccess();
}

}  // namespace

testing::AssertionResult computes_product(const Device& device, const Matrix& a, const Matrix& b, const Matrix& c,
                                          const Extra& extra,
                                          const std::function<void(StreamRef, const ProductViews&)>& run) {
  std::mt19937 random(7);
  Memory left(device, a, random, false), right(device, b, random, false);
  Memory result(device, c, random, extra.beta == 0);
  std::optional<Memory> bias, residual;
  if (extra.bias) bias.emplace(device, *extra.bias, random, false);
  if (extra.residual) residual.emplace(device, *extra.residual, random, false);
  const Stream stream = device.stream();
  const auto copy = [&] {
    return device.copy_of_bytes(DType::u8, result.bytes(), std::vector{std::int64_t(result.bytes().size())});
  };
  const Tensor second = copy(), before = copy();
  const TensorView first = result.view();
  const auto in = [&](const Tensor& memory) {
    return first.at(static_cast<std::byte*>(memory.data()) + result.origin());
  };
  ProductViews views{left.view(), right.view(), first, {}, {}, {}};
  if (extra.beta != 0) views.previous = in(before);
  if (bias) views.bias = bias->view();
  if (residual) views.residual = residual->view();
  run(stream, views);
  views.c = in(second);
  run(stream, views);
  const std::vector<std::byte> actual = result.now(stream);
  if (actual != second.to_host_bytes(stream)) return testing::AssertionFailure() << "another run gives other bits";

  HostTensor expected = result.host();
  tool::matmul(left.host(), right.host(), expected, bias ? bias->host() : HostTensor{},
               extra.beta != 0 ? expected : HostTensor{}, residual ? residual->host() : HostTensor{},
               {extra.alpha, extra.beta, int(extra.activation)});
  return within(c, result, actual, bound_of(a, c, extra.precision));
}

}  // namespace tilejit::test
