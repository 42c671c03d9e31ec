// A thread an element: arithmetic of each kind, divergence, atomics, local memory.
__device__ int self() { return blockIdx.x * blockDim.x + threadIdx.x; }

// The same polynomial in packed f16, packed bf16 and double.
extern "C" __global__ void polynomial_f16(const unsigned* x, unsigned* y) {
  const unsigned v = x[self()];
  unsigned sum = 0x38003800;
#pragma unroll
  for (int k = 0; k < 64; ++k) asm("fma.rn.f16x2 %0, %1, %0, %2;" : "+r"(sum) : "r"(v), "r"(0x30003000 + k));
  y[self()] = sum;
}
extern "C" __global__ void polynomial_bf16(const unsigned* x, unsigned* y) {
  const unsigned v = x[self()];
  unsigned sum = 0x3f003f00;
#pragma unroll
  for (int k = 0; k < 64; ++k) asm("fma.rn.bf16x2 %0, %1, %0, %2;" : "+r"(sum) : "r"(v), "r"(0x3e003e00 + k));
  y[self()] = sum;
}
extern "C" __global__ void polynomial_f64(const double* x, double* y) {
  const double v = x[self()];
  double sum = 0.5;
#pragma unroll
  for (int k = 0; k < 64; ++k) sum = fma(v, sum, 1.0 / (k + 3));
  y[self()] = sum;
}

// To e4m3 and back, two elements a thread.
extern "C" __global__ void through_fp8(const float2* x, float2* y) {
  const float2 v = x[self()];
  asm("{.reg .b16 q; .reg .b32 h; .reg .b16 a, b; cvt.rn.satfinite.e4m3x2.f32 q, %3, %2; cvt.rn.f16x2.e4m3x2 h, q;"
      "mov.b32 {a, b}, h; cvt.f32.f16 %0, a; cvt.f32.f16 %1, b;}"
      : "=f"(y[self()].x), "=f"(y[self()].y)
      : "f"(v.x), "f"(v.y));
}

extern "C" __global__ void functions(const float* x, float* y) {
  const float v = x[self()];
  y[self()] = sinf(v) + expf(v) * logf(fabsf(v) + 1) + tanhf(v) + sqrtf(fabsf(v)) / (1 + powf(fabsf(v), 0.3f));
}

extern "C" __global__ void hash_u32(const unsigned* x, unsigned* y) {
  unsigned h = x[self()];
#pragma unroll 8
  for (int k = 0; k < 64; ++k) {
    h ^= h >> 16;
    h *= 0x7feb352du;
    h = (h << 13) | (h >> 19);
    h += k;
  }
  y[self()] = h;
}
extern "C" __global__ void hash_u64(const unsigned long long* x, unsigned long long* y) {
  unsigned long long h = x[self()];
#pragma unroll 8
  for (int k = 0; k < 64; ++k) {
    h ^= h >> 30;
    h *= 0xbf58476d1ce4e5b9ull;
    h = (h << 27) | (h >> 37);
  }
  y[self()] = h;
}
extern "C" __global__ void divide(const int* x, int* y, int by) {
  int v = x[self()], sum = 0;
  for (int k = 0; k < 16; ++k) {
    sum += v / (by + k) + v % (by + k);
    v += sum;
  }
  y[self()] = sum;
}

// Each thread leaves the loop in its own time.
extern "C" __global__ void mandelbrot(int* y, int edge, int most) {
  const float u = (self() % edge) * (3.0f / edge) - 2, v = (self() / edge) * (2.0f / edge) - 1;
  float a = 0, b = 0;
  int k = 0;
  while (k < most && a * a + b * b < 4) {
    const float next = a * a - b * b + u;
    b = 2 * a * b + v;
    a = next;
    ++k;
  }
  y[self()] = k;
}

// Counts of bytes: each block in shared memory, then all in global memory.
extern "C" __global__ void histogram(const unsigned* x, unsigned* counts, int each) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < each; ++k) {
    const unsigned v = x[(blockIdx.x * each + k) * blockDim.x + threadIdx.x];
    for (int byte = 0; byte < 4; ++byte) atomicAdd(&own[v >> (8 * byte) & 255], 1u);
  }
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}
extern "C" __global__ void scatter_add(const unsigned* where, const float* x, float* y, int places) {
  atomicAdd(&y[where[self()] % places], x[self()]);
}
extern "C" __global__ void gather(const unsigned* where, const float* x, float* y, int places) {
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += x[(where[self()] + k * 7919) % places];
  y[self()] = sum;
}

// An array that no register holds: what is local memory on a GPU.
extern "C" __global__ void insertion_sort(const int* x, int* y) {
  int v[16];
  for (int k = 0; k < 16; ++k) v[k] = x[self() * 16 + k];
#pragma unroll 1
  for (int k = 1; k < 16; ++k) {
    const int one = v[k];
    int at = k;
#pragma unroll 1
    for (; at > 0 && v[at - 1] > one; --at) v[at] = v[at - 1];
    v[at] = one;
  }
  for (int k = 0; k < 16; ++k) y[self() * 16 + k] = v[k];
}

// 4-byte elements turned through a padded tile.
extern "C" __global__ void transpose(const float* x, float* y, int n) {
  __shared__ float tile[32][33];
  const int bx = blockIdx.x * 32, by = blockIdx.y * 32, tx = threadIdx.x, ty = threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[ty + k][tx] = x[(by + ty + k) * n + bx + tx];
  __syncthreads();
  for (int k = 0; k < 32; k += 8) y[(bx + ty + k) * n + by + tx] = tile[tx][ty + k];
}
