// Calls, function pointers, prototypes, switches, printf, assertions, inline assembly with scopes of its own.
extern "C" __device__ int printf(const char*, ...);
extern "C" __device__ void __assertfail(const char*, const char*, unsigned, const char*, unsigned long);

__device__ __noinline__ float twice(float x) { return x * 2; }
__device__ __noinline__ float thrice(float x) { return x * 3; }
__device__ float (*table[2])(float) = {twice, thrice};

struct Pair { float a, b; };
__device__ __noinline__ Pair swapped(Pair p, int n) { return n > 0 ? Pair{p.b, p.a} : p; }
__device__ __noinline__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
__device__ __noinline__ void fail(int line) {
  printf("line %d\n", line);
  __trap();
}

__device__ inline float squared(float a) { return a * a + 1.0f; }
__device__ inline float nested(float a) { return squared(a) - squared(a + 2); }

extern "C" __global__ void calls(float* x, int n) {
  int i = threadIdx.x;
  x[i] = table[n & 1](x[i + 1]) + nested(x[i + 2]);
  Pair p = swapped({x[3], x[4]}, n);
  x[5] = p.a - p.b + factorial(n);
  if (x[6] < 0) fail(__LINE__);
  printf("thread %d of %s: %f\n", i, "one; // block {", (double)x[i]);
  if (!(x[7] > 0)) __assertfail("x[7] > 0", "control.cu", __LINE__, "calls", 1);
}

extern "C" __global__ void cases(int* x, int n) {
  int r = 0;
  switch (n) {
    case 0: r = x[3]; break;
    case 1: r = x[1] * 5; break;
    case 2: r = x[7] + 1; break;
    case 3: x[9] = 4; break;
    case 4: r = x[2] / 3; break;
    case 5: r = x[8] - x[1]; break;
    case 9: r = x[5] ^ 77; break;
    case 100: r = x[4] & 12; [[fallthrough]];
    default: r += 4;
  }
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    if (x[i] == 3) continue;
    if (x[i] > 100) break;
    r += x[i];
  }
  x[0] = r;
}

extern "C" __global__ void __launch_bounds__(256) assembled(int* x) {
  int a = x[0], b = 0, c = 0;
  asm volatile("// tilejit.scratch 4096");
  asm volatile("{.reg.b32 hl,hu; mov.b32 hl,%1; add.s32 hu ,hl,0x10;\n\tmov.u32 %0,hu;}" : "=r"(b) : "r"(a));
  for (int i = 0; i < 2; ++i) {
    asm volatile("{ .reg .pred P; .reg.u32 left; mov.u32 left, %1;\nW: sub.u32 left, left, 1; setp.ne.u32 P, left, 0;\n @P bra W;\n mov.u32 %0, left; }" : "=r"(c) : "r"(b));
    asm volatile("{ .reg .pred P;\n { .reg .pred Q; setp.eq.s32 P|Q, %0, -1; @!Q bra DONE; }\n /* a ; comment { */ DONE: }" ::"r"(c));
  }
  asm volatile("{ .reg .v2 .f32 pair; mov.f32 pair.x, 0f3F800000; }");
  asm volatile("// tilejit.scratch 512\n");
  asm volatile("brkpt;");
  x[1] = b + c;
}
