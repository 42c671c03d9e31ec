/*---
summary = "energy[i] = m v^2 / 2 of particles kept as an array a field; only the four fields that count are arguments"
use     = ["block/elementwise.cuh", "block/memory_1d.cuh"]
default = { BLOCK = 128, num_warps = 4 }
tolerance = 1e-6
grid    = ["cdiv(N, BLOCK)"]
where   = ["BLOCK >= 32 * num_warps", "BLOCK <= 8 * 32 * num_warps"]
[[arguments]]
name   = "vx"
shape  = ["N"]
access = "read"
dtypes = ["f32", "f64"]
[[arguments]]
name   = "vy"
shape  = ["N"]
access = "read"
dtype  = "vx"
[[arguments]]
name   = "vz"
shape  = ["N"]
access = "read"
dtype  = "vx"
[[arguments]]
name   = "m"
shape  = ["N"]
access = "read"
dtype  = "vx"
[[arguments]]
name   = "energy"
shape  = ["N"]
access = "write"
dtype  = "vx"
[config]
BLOCK     = [128, 256, 512, 1024]
num_warps = [4, 8]
[cost]
bytes = "5 * N * size(vx)"
flops = "7 * N"
---*/
template <class Vx, class Vy, class Vz, class Mass, class Energy>
__device__ void kinetic_energy_soa(Vx vx, Vy vy, Vz vz, Mass m, Energy energy) {
  const auto i = program_id<0>() * BLOCK + arange<BLOCK>();
  const auto u = load(vx, i), v = load(vy, i), w = load(vz, i);
  store(energy, i, 0.5 * load(m, i) * (u * u + v * v + w * w));
}
