/*---
version = 1
summary = "d = alpha * a @ b + bias"
needs = ["tma", "wgmma", "cluster"]
requires = ["stride(a, 1) == 1", "align(a) >= 16", "K % 8 == 0"]
grid = ["cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)", 1, "SPLIT"]
where = ["BLOCK_M % 64 == 0", "num_stages * (BLOCK_M + BLOCK_N) * BLOCK_K * size(a) <= shared_limit", "M >= 1"]
cluster = ["CLUSTER", 1]
min_blocks = "2 / CLUSTER"
shared = "num_stages * (BLOCK_M + BLOCK_N) * BLOCK_K * size(a) + 1024"
tolerance = { relative = 1e-2, absolute = 0.001 }
options = ["--maxrregcount=168"]
use = ["block/mma.cuh", "block/ptx.cuh"]
default = { num_stages = 4, num_warps = 4, BLOCK_M = 128, CLUSTER = 1, BLOCK_K = 64, SPLIT = 1 }
cost.flops = "2 * M * N * K"
cost.bytes = "(M * K + K * N) * size(a) + M * N * size(d)"
[[arguments]]
name = "a"
shape = ["M", "K"]
access = "read"
dtypes = ["f16", "bf16"]
via = "tma"
box = ["BLOCK_M", "BLOCK_K"]
swizzle = 128
[[arguments]]
name = "b"
shape = ["K", "N"]
access = "read"
dtype = "a"
via = "tma"
box = ["BLOCK_K", "128 / size(b)"]
[[arguments]]
name = "bias"
shape = ["N"]
access = "read"
optional = true
[[arguments]]
name = "d"
shape = ["M", "N"]
access = "update"
dtype = "f32"
[[arguments]]
name = "alpha"
dtype = "f32"
default = 0.1
[[arguments]]
name = "count"
dtype = "i32"
[config]
num_stages = [3, 4]
BLOCK_N = [128]
BLOCK_M = [64, 128]
num_warps = [8, 4]
---*/
template <class A, class B, class C, class D>
__device__ void copy_2d(A a, B b, C bias, D d, float alpha, int count) {}
