#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>

#include <tilejit/runtime/device.h>
#include <tilejit/runtime/matmul_options.h>

namespace tilejit::test {

/// How a matrix lies in memory with a margin.
struct Lie {
  std::string name;
  std::int64_t row = 0, col = 1, offset = 0;  ///< row: elements between two rows; -1: all rows are one
  bool turned = false;                        ///< the axes change places
};
inline const Lie plain{"plain"}, turned{"turned", 0, 1, 0, true}, padded{"padded", 5, 1}, stepped{"stepped", 0, 2},
    shifted{"offset", 0, 1, 1}, repeated{"one row", -1, 1};

struct Matrix {
  DType dtype;
  std::int64_t rows, cols;
  Lie lie = plain;
};

/// What a product has beyond a, b and c.
struct Extra {
  std::optional<Matrix> bias = {}, residual = {};
  double alpha = 1, beta = 0;
  Activation activation = Activation::none;
  Precision precision = Precision::full;
};

/// The views of one product; absent where it has none. `previous` holds what c does, where beta is not 0.
struct ProductViews {
  TensorView a, b, c, previous, bias, residual;
};

/// Runs the product twice on random values and compares with a reference in double: the same bits both times, the
/// relative Frobenius error within what the dtypes allow, integers equal, and nothing beside c changed. c holds NaN
/// before where beta is 0.
testing::AssertionResult computes_product(const Device& device, const Matrix& a, const Matrix& b, const Matrix& c,
                                          const Extra& extra,
                                          const std::function<void(StreamRef, const ProductViews&)>& run);

}  // namespace tilejit::test
