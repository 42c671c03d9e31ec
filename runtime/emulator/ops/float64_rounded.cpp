#include <cfenv>

#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

/// f64 with a direction: rare, so lane by lane under the host's rounding mode. Built with -frounding-math.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

enum class Kind { add, sub, mul, fma, div, rcp, sqrt };

template <Kind K>
[[gnu::noinline]] double compute(double a, double b, double c) {
  if (K == Kind::add) return a + b;
  if (K == Kind::sub) return a - b;
  if (K == Kind::mul) return a * b;
  if (K == Kind::fma) return __builtin_fma(a, b, c);
  if (K == Kind::div) return a / b;
  if (K == Kind::rcp) return 1.0 / a;
  return __builtin_sqrt(a);
}

template <Kind K, int Mode>
const Op* rounded(const Op* op, Warp& w) {
  constexpr int inputs = K == Kind::fma ? 3 : K == Kind::rcp || K == Kind::sqrt ? 1 : 2;
  const double* a = at<const double>(w, op->a);
  const double* b = inputs > 1 ? at<const double>(w, op->b) : a;
  const double* c = inputs > 2 ? at<const double>(w, op->c) : a;
  double* d = at<double>(w, op->d);
  const int before = fegetround();
  fesetround(Mode);
  for (std::uint32_t rest = w.mask; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    volatile double x = a[i], y = b[i], z = c[i];  // read behind the change of mode, written before it is undone
    volatile double result = compute<K>(x, y, z);
    d[i] = result;
  }
  fesetround(before);
  return op + 1;
}

template <Kind K, int Mode>
void put_row(Registry& r, const char* name, const char* rounding) {
  const Width d = Width::b64, n = Width::none;
  constexpr int inputs = K == Kind::fma ? 3 : K == Kind::rcp || K == Kind::sqrt ? 1 : 2;
  put(r, Row{{name, rounding, "f64"}, rounded<K, Mode>, {d, d, inputs > 1 ? d : n, inputs > 2 ? d : n}});
}

template <int Mode>
void direction(Registry& r, const char* rounding) {
  put_row<Kind::add, Mode>(r, "add", rounding);
  put_row<Kind::sub, Mode>(r, "sub", rounding);
  put_row<Kind::mul, Mode>(r, "mul", rounding);
  put_row<Kind::fma, Mode>(r, "fma", rounding);
  put_row<Kind::fma, Mode>(r, "mad", rounding);
  put_row<Kind::div, Mode>(r, "div", rounding);
  put_row<Kind::rcp, Mode>(r, "rcp", rounding);
  put_row<Kind::sqrt, Mode>(r, "sqrt", rounding);
}

}  // namespace

void register_float64_rounded(Registry& r) {
  direction<FE_TOWARDZERO>(r, "rz");
  direction<FE_DOWNWARD>(r, "rm");
  direction<FE_UPWARD>(r, "rp");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
