#include <tilejit/bench/matmul_operands.h>

#include <tilejit/bench/samples.h>

namespace tilejit::bench {

Operand operand(const Device& device, const MatmulShape& shape, bool left) {
  using Special = MatmulShape::Special;
  const std::int64_t rows = left ? shape.m : shape.k, columns = left ? shape.k : shape.n;
  const unsigned seed = left ? 1 : 2;
  if (shape.special == Special::stepped) {
    Tensor memory = random_tensor(device, shape.dtype, {rows, 2 * columns}, seed);
    TensorView view = memory.view().slice(1, 0, 2 * columns, 2);
    return {std::move(memory), view};
  }
  if (shape.special == Special::offset && left) {
    Tensor memory = random_tensor(device, shape.dtype, {rows + 1, columns + 4}, seed);
    TensorView view = memory.view().slice(0, 0, rows).slice(1, 1, columns + 1);
    return {std::move(memory), view};
  }
  if (left ? shape.a_transposed : shape.b_transposed) {
    Tensor memory = random_tensor(device, shape.dtype, {columns, rows}, seed);
    TensorView view = memory.t();
    return {std::move(memory), view};
  }
  Tensor memory = random_tensor(device, shape.dtype, {rows, columns}, seed);
  TensorView view = memory.view();
  return {std::move(memory), view};
}

}  // namespace tilejit::bench
