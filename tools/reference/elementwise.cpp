#include <cmath>

#include <tilejit/tools/reference/kernels.h>

namespace tilejit::tool::reference {
namespace {

double kinetic_energy(double vx, double vy, double vz, double m) { return 0.5 * m * (vx * vx + vy * vy + vz * vz); }

/// Sums and differences of 64-bit integers that wrap.
std::int64_t wrapped_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

}  // namespace

void vector_add(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1], &z = tensors[2];
  for (std::int64_t i = 0; i < z.size(0); ++i) {
    if (is_floating(x.dtype))
      z.put({i}, x.number({i}) + y.number({i}));
    else
      z.put({i}, wrapped_sum(x.integer({i}), y.integer({i})));
  }
}

void add_2d(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1], &z = tensors[2];
  for (std::int64_t m = 0; m < z.size(0); ++m)
    for (std::int64_t n = 0; n < z.size(1); ++n) {
      if (is_floating(x.dtype) || is_floating(y.dtype))
        z.put({m, n}, x.number({m, n}) + y.number({m, n}));
      else
        z.put({m, n}, wrapped_sum(x.integer({m, n}), y.integer({m, n})));
    }
}

void kinetic_energy_aos(Tensors tensors, Scalars) {
  const HostTensor &particles = tensors[0], &energy = tensors[1];
  for (std::int64_t i = 0; i < energy.size(0); ++i)
    energy.put({i}, kinetic_energy(particles.number({i, 3}), particles.number({i, 4}), particles.number({i, 5}),
                                   particles.number({i, 6})));
}

void kinetic_energy_soa(Tensors tensors, Scalars) {
  const HostTensor &vx = tensors[0], &vy = tensors[1], &vz = tensors[2], &m = tensors[3], &energy = tensors[4];
  for (std::int64_t i = 0; i < energy.size(0); ++i)
    energy.put({i}, kinetic_energy(vx.number({i}), vy.number({i}), vz.number({i}), m.number({i})));
}

void count_differences(Tensors tensors, Scalars scalars) {
  const HostTensor &x = tensors[0], &expected = tensors[1], &count = tensors[2];
  const double relative = scalars[0], absolute = scalars[1];
  std::int64_t found = count.integer({0});
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    if (x.dtype == DType::i64) {
      found += x.integer({i}) != expected.integer({i});
      continue;
    }
    const double a = x.number({i}), e = expected.number({i});
    const bool same =
        a == e || (std::isnan(a) && std::isnan(e)) || std::abs(a - e) <= absolute + relative * std::abs(e);
    found += !same;
  }
  count.put({0}, found);
}

}  // namespace tilejit::tool::reference
