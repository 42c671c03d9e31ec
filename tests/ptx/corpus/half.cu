// Half, bfloat16 and fp8, where the toolkit's headers are at hand.
#if __has_include(<cuda_fp8.h>) && __has_include(<nv/target>)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void halves(__half* x, __half2* y, float* f) {
  int i = threadIdx.x;
  __half a = x[i], b = x[i + 1];
  x[i] = __hadd(a, b) * a - b / a + hexp(a) + htanh(b) + hsqrt(a) + __hfma(a, b, a) + __hmax(a, b);
  y[i] = __hfma2(y[i], y[i + 1], y[i + 2]) + h2exp(y[i]) + __hmin2(y[i], y[i + 3]) + __hneg2(y[i]);
  f[i] = __half2float(a) + __low2float(y[i]) + (a > b) + (float)__half2int_rz(a);
  x[i + 2] = __float2half_rn(f[i + 1]);
  x[i + 3] = __int2half_rn(i);
}

#if __CUDA_ARCH__ >= 800
extern "C" __global__ void brains(__nv_bfloat16* x, __nv_bfloat162* y, float* f) {
  int i = threadIdx.x;
  x[i] = x[i + 1] * x[i + 2] + x[i + 3];
  y[i] = __hfma2(y[i], y[i + 1], y[i + 2]);
  f[i] = __bfloat162float(x[i]) + __bfloat162float(__hmax(x[i], x[i + 1]));
  x[i + 4] = __float2bfloat16(f[i + 1]);
  y[i + 1] = __floats2bfloat162_rn(f[i], f[i + 1]);
}
#endif

extern "C" __global__ void eighths(__nv_fp8_e4m3* x, __nv_fp8_e5m2* y, float* f, float4* v, __nv_fp8x4_e4m3* w) {
  int i = threadIdx.x;
  f[i] = (float)x[i] + (float)y[i];
  x[i] = __nv_fp8_e4m3(f[i + 1]);
  y[i] = __nv_fp8_e5m2(f[i + 2]);
  w[i] = __nv_fp8x4_e4m3(v[i]);
  v[i + 1] = (float4)w[i + 1];
}

extern "C" __global__ void added(__half2* x, __nv_bfloat162* y, __half* h) {
#if __CUDA_ARCH__ >= 800
  atomicAdd(x, x[1]);
  atomicAdd(y, y[1]);
  h[0] = atomicAdd(h + 1, h[2]);
#endif
}
#endif
