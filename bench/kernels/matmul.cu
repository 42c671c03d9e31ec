// c = a b, n x n fp32, n a multiple of 128: a block a 128x128 tile through shared memory, 64 accumulators a thread.
extern "C" __global__ void __launch_bounds__(256) matmul(const float* a, const float* b, float* c, int n) {
  constexpr int tile = 128, depth = 8;
  __shared__ float as[depth][tile], bs[depth][tile];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16, row = blockIdx.y * tile, col = blockIdx.x * tile;
  const int a_row = threadIdx.x / 2, a_k = threadIdx.x % 2 * 4, b_k = threadIdx.x / 32, b_col = threadIdx.x % 32 * 4;
  float sum[8][8] = {};
  for (int k0 = 0; k0 < n; k0 += depth) {
    const float4 va = *reinterpret_cast<const float4*>(&a[(row + a_row) * n + k0 + a_k]);
    const float4 vb = *reinterpret_cast<const float4*>(&b[(k0 + b_k) * n + col + b_col]);
    as[a_k][a_row] = va.x;
    as[a_k + 1][a_row] = va.y;
    as[a_k + 2][a_row] = va.z;
    as[a_k + 3][a_row] = va.w;
    *reinterpret_cast<float4*>(&bs[b_k][b_col]) = vb;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      float x[8], y[8];
#pragma unroll
      for (int i = 0; i < 8; i += 4)
        *reinterpret_cast<float4*>(&x[i]) = *reinterpret_cast<float4*>(&as[k][ty * 4 + i * 16]);
#pragma unroll
      for (int j = 0; j < 8; j += 4)
        *reinterpret_cast<float4*>(&y[j]) = *reinterpret_cast<float4*>(&bs[k][tx * 4 + j * 16]);
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] = fmaf(x[i], y[j], sum[i][j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j)
      c[(row + ty * 4 + i / 4 * 64 + i % 4) * n + col + tx * 4 + j / 4 * 64 + j % 4] = sum[i][j];
}

// The textbook's: a thread an element, 16x16 tiles.
extern "C" __global__ void matmul_16(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][16], bs[16][17];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += 16) {
    as[y][x] = a[row * n + k0 + x];
    bs[y][x] = b[(k0 + y) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum = fmaf(as[y][k], bs[k][x], sum);
    __syncthreads();
  }
  c[row * n + col] = sum;
}
