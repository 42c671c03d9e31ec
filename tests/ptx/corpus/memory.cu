// Every state space and width, initialised variables, local arrays, pointers that hide their space.
struct alignas(16) Four { float v[4]; };
struct Named { char kind; const char* name; short size; int* where; };

__device__ int counts[4] = {1, 2, 3, 4};
__device__ int* pointers[3] = {counts, counts + 1, nullptr};
__device__ Named named[2] = {{1, "first", 2, counts + 2}, {3, "second // no comment; {", 4, nullptr}};
__device__ float scale = 0.5f;
__device__ double wide[2] = {1.5, -2.25};
__device__ long long minus = -3;
__device__ unsigned char bytes[3] = {255, 0, 7};
__constant__ float table[2][3] = {{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}};
__constant__ int settings[64];
__device__ int plain[1000];

template <class T>
__device__ void copy(T* y, const T* x, long n, int stride) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n) y[i * stride] = x[i];
}

extern "C" __global__ void copy_u8(unsigned char* y, const unsigned char* x, long n) { copy(y, x, n, 1); }
extern "C" __global__ void copy_s16(short* y, const short* x, long n, int s) { copy(y, x, n, s); }
extern "C" __global__ void copy_f64(double* __restrict__ y, const double* __restrict__ x, long n) { copy(y, x, n, 1); }
extern "C" __global__ void copy_four(Four* __restrict__ y, const Four* __restrict__ x, long n) { copy(y, x, n, 1); }
extern "C" __global__ void copy_int2(int2* y, const int2* x, long n) { copy(y, x, n, 3); }

extern "C" __global__ void __launch_bounds__(128, 2) transpose(float* y, const float* x, int rows, int columns) {
  __shared__ float tile[32][33];
  extern __shared__ float dynamic[];
  int c = blockIdx.x * 32 + threadIdx.x;
  for (int r = threadIdx.y; r < 32; r += 8) {
    if (r < rows && c < columns) tile[r][threadIdx.x] = x[(long)r * columns + c];
  }
  __syncthreads();
  dynamic[threadIdx.x] = tile[threadIdx.x][threadIdx.y] + table[rows & 1][columns & 2] + settings[rows & 63];
  __syncthreads();
  y[c] = dynamic[127 - threadIdx.x];
}

extern "C" __global__ void scattered(float* x, int n, Named by_value) {
  float local[32];
  for (int i = 0; i < 32; ++i) local[i] = x[i * n];
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += local[(i * by_value.size) & 31];
  x[threadIdx.x] = sum + scale + wide[n & 1] + *pointers[n & 1] + named[n & 1].size + plain[n] + minus + bytes[n & 1];
  *by_value.where = by_value.name[n & 7];
  plain[n] = n;
}

extern "C" __global__ void cached(float* x, const float4* y, volatile int* z) {
  int i = threadIdx.x;
  x[i] = __ldg(x + i + 1) + __ldcg(x + i + 2) + __ldca(x + i + 3) + __ldcs(x + i + 4) + __ldlu(x + i + 5) + __ldcv(x + i + 6);
  float4 v = __ldg(y + i);
  __stcs(x + i + 8, v.x + v.w);
  __stcg(x + i + 9, v.y);
  __stwt(x + i + 10, v.z);
  z[i] = z[i + 1];
}

extern "C" __global__ void generic(float* x, int n) {
  __shared__ float fast[64];
  float mine[4] = {x[0], x[1], x[2], x[3]};
  float* from = n == 0 ? x : n == 1 ? fast : mine;
  fast[threadIdx.x & 63] = x[threadIdx.x];
  __syncthreads();
  x[n] = from[threadIdx.x & 3];
}
