#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/float_bits.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

/// f64 to the nearest, and what needs no rounding.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

double add(double a, double b) { return a + b; }
double sub(double a, double b) { return a - b; }
double mul(double a, double b) { return a * b; }
double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
double div(double a, double b) { return a / b; }
double rcp(double a) { return 1.0 / a; }
double sqrt(double a) { return __builtin_sqrt(a); }
double abs(double a) { return double_of(bits_of(a) & 0x7FFFFFFFFFFFFFFFu); }
double neg(double a) { return double_of(bits_of(a) ^ 0x8000000000000000u); }

template <bool Max>
double extreme(double a, double b) {
  const double zeros = double_of(Max ? bits_of(a) & bits_of(b) : bits_of(a) | bits_of(b));
  const double ordered = a == b ? zeros : ((Max ? a > b : a < b) ? a : b);
  return a != a ? b : (b != b ? a : ordered);
}
double copysign(double a, double b) {
  return double_of((bits_of(a) & 0x8000000000000000u) | (bits_of(b) & 0x7FFFFFFFFFFFFFFFu));
}

bool is_finite(double a) { return (bits_of(a) & 0x7FF0000000000000u) != 0x7FF0000000000000u; }
bool is_infinite(double a) { return (bits_of(a) & 0x7FFFFFFFFFFFFFFFu) == 0x7FF0000000000000u; }
bool is_number(double a) { return a == a; }
bool is_nan(double a) { return a != a; }
bool is_normal(double a) { return is_finite(a) && (bits_of(a) & 0x7FF0000000000000u) != 0; }
bool is_subnormal(double a) {
  return (bits_of(a) & 0x7FF0000000000000u) == 0 && (bits_of(a) & 0x000FFFFFFFFFFFFFu) != 0;
}

}  // namespace

void register_float64(Registry& r) {
  for (const char* rn : {static_cast<const char*>(nullptr), "rn"}) {
    row<add>(r, "add", rn, "f64");
    row<sub>(r, "sub", rn, "f64");
    row<mul>(r, "mul", rn, "f64");
    row<fma>(r, "fma", rn, "f64");
    row<fma>(r, "mad", rn, "f64");
    row<div>(r, "div", rn, "f64");
    row<rcp>(r, "rcp", rn, "f64");
    row<sqrt>(r, "sqrt", rn, "f64");
  }
  row<abs>(r, "abs", "f64");
  row<neg>(r, "neg", "f64");
  row<extreme<true>>(r, "max", "f64");
  row<extreme<false>>(r, "min", "f64");
  row<copysign>(r, "copysign", "f64");
  row<is_finite>(r, "testp", "finite", "f64");
  row<is_infinite>(r, "testp", "infinite", "f64");
  row<is_number>(r, "testp", "number", "f64");
  row<is_nan>(r, "testp", "notanumber", "f64");
  row<is_normal>(r, "testp", "normal", "f64");
  row<is_subnormal>(r, "testp", "subnormal", "f64");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
