/*---
summary = "The trap: copy_2d with a row-major x taken for granted. Right for contiguous x alone; kept as an example"
use     = ["block/memory.cuh"]
default = { BLOCK_M = 64, BLOCK_N = 64, num_warps = 8 }
grid    = ["cdiv(N, BLOCK_N)", "cdiv(M, BLOCK_M)"]
[[arguments]]
name   = "x"
shape  = ["M", "N"]
access = "read"
[[arguments]]
name   = "y"
shape  = ["M", "N"]
access = "write"
dtype  = "x"
[cost]
bytes = "M * N * (size(x) + size(y))"
---*/
// x as if element (row, col) lay at row * N + col, whatever its strides say.
template <class X>
struct row_major : X {
  static constexpr int unit_axis = 1;
  static constexpr int align = sizeof(typename X::type);
  template <int AXIS>
  __device__ i64 stride() const { return AXIS == 0 ? X::template size<1>() : 1; }
};

template <class X, class Y>
__device__ void copy_2d_hardcoded(X x, Y y) {
  const auto rows = program_id<1>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = program_id<0>() * BLOCK_N + arange<BLOCK_N>();
  store(y, rows, cols, load(row_major<X>{x}, rows, cols));
}
