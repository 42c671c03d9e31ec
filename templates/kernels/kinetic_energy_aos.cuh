/*---
summary = "energy[i] = m v^2 / 2 of particles kept as an array of structs: x, y, z, vx, vy, vz, m in a row"
use     = ["block/elementwise.cuh", "block/memory_1d.cuh"]
default = { BLOCK = 128, num_warps = 4 }
tolerance = 1e-6
grid    = ["cdiv(N, BLOCK)"]
where   = ["BLOCK >= 32 * num_warps", "BLOCK <= 4 * 32 * num_warps"]
[[arguments]]
name   = "particles"
shape  = ["N", 7]
access = "read"
dtypes = ["f32", "f64"]
[[arguments]]
name   = "energy"
shape  = ["N"]
access = "write"
dtype  = "particles"
[config]
BLOCK     = [128, 256, 512, 1024]
num_warps = [4, 8]
[cost]
bytes = "5 * N * size(particles)"
flops = "7 * N"
---*/
template <class Particles, class Energy>
__device__ void kinetic_energy_aos(Particles particles, Energy energy) {
  const auto i = program_id<0>() * BLOCK + arange<BLOCK>();
  const auto vx = load(particles, i, 3), vy = load(particles, i, 4), vz = load(particles, i, 5);
  const auto m = load(particles, i, 6);
  store(energy, i, 0.5 * m * (vx * vx + vy * vy + vz * vz));
}
