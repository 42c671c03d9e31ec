// Integer, floating and conversion instructions as NVVM writes them.
using u32 = unsigned;
using u64 = unsigned long long;

extern "C" __global__ void single(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = x[i], b = x[i + n], c = x[i + 2 * n];
  float r = fmaf(a, b, c) + a / b + sqrtf(a) + rsqrtf(b) + expf(a) + logf(b) + sinf(a) + cosf(b) + tanhf(c) + powf(a, b);
  r += fmodf(a, b) + floorf(a) + ceilf(b) + truncf(c) + rintf(a) + roundf(b) + fabsf(c) + copysignf(a, b) + erff(c);
  r += __fadd_rz(a, b) + __fmul_rd(a, b) + __fdiv_ru(a, b) + __frcp_rn(c) + __fsqrt_rz(a) + __saturatef(b) + fmaxf(a, b);
  r += fminf(b, c) + log1pf(a) + expm1f(b) + cbrtf(c) + hypotf(a, b) + atan2f(a, b) + (isnan(a) ? 1.0f : 0.0f) - 0.1f;
  x[i] = r;
}

extern "C" __global__ void twice(double* x, int n) {
  int i = threadIdx.x;
  double a = x[i], b = x[i + n];
  double r = fma(a, b, 1.5) + a / b + sqrt(a) + exp(a) + log(b) + sin(a) + rsqrt(b) + pow(a, b) + floor(a) + fmin(a, b);
  x[i] = r + __dadd_rz(a, b) + (double)(float)a + (double)(long long)b + (a != b ? 3.25 : -1e-300);
}

extern "C" __global__ void whole(int* x, u32* y, long long* z, short* s, u64* w, int n) {
  int i = threadIdx.x;
  int a = x[i], b = x[i + n];
  u32 c = y[i], d = y[i + n];
  x[i] = a / b + a % 7 + (a << (b & 31)) + (a >> 3) + min(a, b) + max(a, b) + abs(a) + __mulhi(a, b) + __clz(a) + __ffs(b);
  y[i] = c / d + c % 10 + __popc(c) + __brev(d) + __byte_perm(c, d, 0x3210) + __umulhi(c, d) + __funnelshift_l(c, d, 5);
  y[i + 1] = __sad(a, b, c) + __usad(c, d, c) + __fns(c, 3, 4) + __funnelshift_rc(c, d, i) + (c & ~d) + (c ^ d) + (c | 5);
  z[i] = z[i + 1] * z[i + 2] / (z[i + 3] | 1) + __mul64hi(z[i], z[i + 1]) - (long long)a * b + __clzll(z[i]) + __popcll(z[i]);
  w[i] = w[i + 1] % (w[i + 2] + 1) + (w[i] >> 40) + __brevll(w[i]) + 0xFEDCBA9876543210ull;
  s[i] = (short)(s[i + 1] * s[i + 2] + (s[i] >> 2) + (s[i] > s[i + 3] ? 1 : -1));
  x[i + 1] = __dp4a(a, b, a) + (a == b) + (a > 0 && b > 0) + (c < d || a < b) + (i ? 1 : a);
}

extern "C" __global__ void converted(float* f, double* d, int* i, u32* u, long long* l, signed char* c, unsigned char* b) {
  int t = threadIdx.x;
  f[t] = (float)i[t] + (float)u[t] + (float)l[t] + (float)d[t] + (float)c[t] + (float)b[t];
  i[t] = (int)f[t] + __float2int_rn(f[t]) + __float2int_ru(f[t]) + (int)d[t] + __double2int_rd(d[t]) + __float_as_int(f[t]);
  u[t] = (u32)f[t] + __float2uint_rz(f[t]) + (u32)d[t] + b[t] + (u32)(l[t] >> 3);
  l[t] = (long long)f[t] + (long long)d[t] + i[t] + __double_as_longlong(d[t]) + c[t];
  d[t] = (double)l[t] + (double)i[t] + (double)u[t] + __hiloint2double(i[t], (int)u[t]) + __double2hiint(d[t]);
  c[t] = (signed char)f[t];
  b[t] = (unsigned char)(i[t] + u[t]);
}

extern "C" __global__ void carried(u64* x, __int128* y) {
  int t = threadIdx.x;
  y[t] = y[t + 1] * y[t + 2] + y[t + 3] - x[t];
}
