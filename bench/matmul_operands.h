#pragma once
#include <tilejit/bench/matmul_shapes.h>
#include <tilejit/runtime/device.h>

namespace tilejit::bench {

/// An operand: where it lies and how it is looked at.
struct Operand {
  Tensor memory;
  TensorView view;
};

/// The left or the right operand of a row, random.
Operand operand(const Device& device, const MatmulShape& shape, bool left);

}  // namespace tilejit::bench
