#include <tilejit/runtime/emulator/ops/comparisons.h>
#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/float_bits.h>

namespace tilejit::emulator::TILEJIT_ISA {
namespace {

float plain(float a) { return a; }
float flushed(float a) { return flush<true>(a); }
double plain_double(double a) { return a; }

}  // namespace

void register_compare_float(Registry& r) {
  float_comparisons<plain, float>(r, nullptr, "f32");
  float_comparisons<flushed, float>(r, "ftz", "f32");
  float_comparisons<plain_double, double>(r, nullptr, "f64");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
