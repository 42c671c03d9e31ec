/*---
summary = "count += the number of places where two rows differ by more than a tolerance; the tuner's check of its candidates"
default = { num_warps = 8 }
grid    = ["min(cdiv(N, 32 * num_warps), 16 * sms)"]
use     = ["block/index.cuh", "block/tensor.cuh", "block/cast.cuh"]
[[arguments]]
name = "x"
shape = ["N"]
access = "read"
[[arguments]]
name = "expected"
shape = ["N"]
access = "read"
dtype = "x"
[[arguments]]
name = "count"
shape = [1]
access = "update"
dtypes = ["i64"]
[[arguments]]
name = "relative"
dtype = "f64"
default = 0
[[arguments]]
name = "absolute"
dtype = "f64"
default = 0
[cost]
bytes = "2 * N * size(x)"
---*/
// Plain CUDA C++, a thread an element in strides of the whole grid:
//
//   program 0        program 1        ...   program 0          ...
//   0 1 2 .. 255 |   256 .. 511   |   ...   G*256 .. G*256+255 ...
//
// Equal are: the same value, two NaNs, or |x - expected| <= absolute + relative * |expected|.
template <class X, class E, class C>
__device__ void count_differences(X x, E expected, C count, double relative, double absolute) {
  u64 found = 0;
  const i64 step = num_programs<0>() * num_threads;
  for (i64 i = program_id<0>() * num_threads + threadIdx.x; i < x.template size<0>(); i += step) {
    const typename X::type a = x.data[i * x.template stride<0>()];
    const typename X::type b = expected.data[i * expected.template stride<0>()];
    if constexpr (is_float<typename X::type> || sizeof(a) < 8) {
      const double p = cast<double>(a), q = cast<double>(b);
      const bool same = p == q || (p != p && q != q) || fabs(p - q) <= fma(relative, fabs(q), absolute);
      found += !same;
    } else {
      found += a != b;  // 64-bit integers do not fit a double
    }
  }
  if (found > 0) atomicAdd(reinterpret_cast<u64*>(count.data), found);
}
