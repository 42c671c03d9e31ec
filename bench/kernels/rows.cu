// A block a row of `n` elements: softmax, layernorm, rmsnorm of halves. y = f(x).
template <class F>
__device__ float over_block(float v, F f) {
  __shared__ float parts[32];
  for (int d = 16; d > 0; d /= 2) v = f(v, __shfl_xor_sync(~0u, v, d));
  __syncthreads();
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
  __syncthreads();
  v = parts[threadIdx.x % 32 % (blockDim.x / 32)];
  for (int d = blockDim.x / 64; d > 0; d /= 2) v = f(v, __shfl_xor_sync(~0u, v, d));
  return v;
}
__device__ float sum_of(float v) {
  return over_block(v, [](float a, float b) { return a + b; });
}
__device__ float most_of(float v) {
  return over_block(v, [](float a, float b) { return fmaxf(a, b); });
}

extern "C" __global__ void softmax(const float* x, float* y, int n) {
  x += blockIdx.x * n, y += blockIdx.x * n;
  float most = -3.4e38f, sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) most = fmaxf(most, x[i]);
  most = most_of(most);
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += expf(x[i] - most);
  sum = sum_of(sum);
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = expf(x[i] - most) / sum;
}

extern "C" __global__ void layernorm(const float* x, float* y, const float* weight, const float* bias, int n) {
  x += blockIdx.x * n, y += blockIdx.x * n;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[i];
  const float mean = sum_of(sum) / n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) squares = fmaf(x[i] - mean, x[i] - mean, squares);
  const float scale = rsqrtf(sum_of(squares) / n + 1e-5f);
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = fmaf((x[i] - mean) * scale, weight[i], bias[i]);
}

__device__ float2 floats_of(unsigned pair) {
  float2 v;
  asm("{.reg .b16 a, b; mov.b32 {a, b}, %2; cvt.f32.f16 %0, a; cvt.f32.f16 %1, b;}" : "=f"(v.x), "=f"(v.y) : "r"(pair));
  return v;
}
__device__ unsigned halves_of(float2 v) {
  unsigned pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(v.y), "f"(v.x));
  return pair;
}

// Two halves a word, four words a thread and step; n in words.
extern "C" __global__ void rmsnorm_f16(const uint4* x, uint4* y, const uint4* weight, int n) {
  x += blockIdx.x * (n / 4), y += blockIdx.x * (n / 4);
  float squares = 0;
  for (int i = threadIdx.x; i < n / 4; i += blockDim.x) {
    const uint4 v = x[i];
    for (unsigned word : {v.x, v.y, v.z, v.w}) {
      const float2 f = floats_of(word);
      squares = fmaf(f.x, f.x, fmaf(f.y, f.y, squares));
    }
  }
  const float scale = rsqrtf(sum_of(squares) / (2 * n) + 1e-5f);
  const auto scaled = [&](unsigned a, unsigned b) {
    const float2 f = floats_of(a), g = floats_of(b);
    return halves_of({f.x * scale * g.x, f.y * scale * g.y});
  };
  for (int i = threadIdx.x; i < n / 4; i += blockDim.x) {
    const uint4 v = x[i], w = weight[i];
    y[i] = {scaled(v.x, w.x), scaled(v.y, w.y), scaled(v.z, w.z), scaled(v.w, w.w)};
  }
}

// The tree in shared memory that textbooks show: half of the threads leave at each step.
extern "C" __global__ void sum_tree(const float* x, float* y) {
  __shared__ float parts[256];
  parts[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (threadIdx.x < d) parts[threadIdx.x] += parts[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = parts[0];
}

// Inclusive sums within each block.
extern "C" __global__ void scan(const int* x, int* y) {
  __shared__ int totals[8];
  const int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int v = x[i];
  for (int d = 1; d < 32; d *= 2) {
    const int below = __shfl_up_sync(~0u, v, d);
    if (lane >= d) v += below;
  }
  if (lane == 31) totals[warp] = v;
  __syncthreads();
  for (int k = 0; k < warp; ++k) v += totals[k];
  y[i] = v;
}
