#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/half_functions.h>

/// min and max of f16, bf16 and their pairs.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <class H, bool Max, bool Ftz>
void extremes(Registry& r, HalfNames types, const char* name, const char* ftz) {
  both2<half_extreme<H, Max, Ftz, false, false>>(r, types, name, ftz);
  both2<half_extreme<H, Max, Ftz, true, false>>(r, types, name, ftz, "NaN");
  both2<half_extreme<H, Max, Ftz, false, true>>(r, types, name, ftz, "xorsign", "abs");
  both2<half_extreme<H, Max, Ftz, true, true>>(r, types, name, ftz, "NaN", "xorsign", "abs");
}

}  // namespace

void register_half_pairs(Registry& r) {
  const HalfNames f16{"f16", "f16x2"}, bf16{"bf16", "bf16x2"};
  extremes<F16, true, false>(r, f16, "max", nullptr);
  extremes<F16, false, false>(r, f16, "min", nullptr);
  extremes<F16, true, true>(r, f16, "max", "ftz");
  extremes<F16, false, true>(r, f16, "min", "ftz");
  extremes<BF16, true, false>(r, bf16, "max", nullptr);
  extremes<BF16, false, false>(r, bf16, "min", nullptr);
}

}  // namespace tilejit::emulator::TILEJIT_ISA
