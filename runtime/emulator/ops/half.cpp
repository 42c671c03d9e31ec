#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/half_functions.h>

/// f16, bf16 and their pairs: add, sub, mul, fma, abs, neg, ex2, tanh.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <class H, bool Ftz, bool Sat>
void arithmetic(Registry& r, HalfNames types, const char* ftz, const char* sat) {
  for (const char* rn : {static_cast<const char*>(nullptr), "rn"}) {
    both2<half_add<H, Ftz, Sat>>(r, types, "add", rn, ftz, sat);
    both2<half_sub<H, Ftz, Sat>>(r, types, "sub", rn, ftz, sat);
    both2<half_mul<H, Ftz, Sat>>(r, types, "mul", rn, ftz, sat);
    both3<half_fma<H, Ftz, Sat>>(r, types, "fma", rn, ftz, sat);
  }
}

template <class H, bool Ftz>
void other(Registry& r, HalfNames types, const char* ftz) {
  both3<half_fma_relu<H, Ftz>>(r, types, "fma", "rn", ftz, "relu");
  both1<half_abs<H, Ftz>>(r, types, "abs", ftz);
  both1<half_neg<H, Ftz>>(r, types, "neg", ftz);
  both1<half_ex2<H, Ftz>>(r, types, "ex2", "approx", ftz);
}

}  // namespace

void register_half(Registry& r) {
  const HalfNames f16{"f16", "f16x2"}, bf16{"bf16", "bf16x2"};
  const char* none = nullptr;
  arithmetic<F16, false, false>(r, f16, none, none);
  arithmetic<F16, true, false>(r, f16, "ftz", none);
  arithmetic<F16, false, true>(r, f16, none, "sat");
  arithmetic<F16, true, true>(r, f16, "ftz", "sat");
  arithmetic<BF16, false, false>(r, bf16, none, none);
  other<F16, false>(r, f16, none);
  other<F16, true>(r, f16, "ftz");
  other<BF16, false>(r, bf16, none);
  both1<half_ex2<BF16, true>>(r, bf16, "ex2", "approx", "ftz");
  both1<half_tanh<F16>>(r, f16, "tanh", "approx");
  both1<half_tanh<BF16>>(r, bf16, "tanh", "approx");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
