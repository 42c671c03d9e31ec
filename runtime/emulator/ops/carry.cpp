#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

/// add.cc, addc, sub.cc, subc. The condition code is a predicate of its own: in at c, out at list[0]. mad.cc and madc
/// are decoded into a product and one of these.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <class U, bool Subtract, bool In, bool Out>
const Op* carry(const Op* op, Warp& w) {
  const U* a = at<const U>(w, op->a);
  const U* b = at<const U>(w, op->b);
  const std::uint32_t in = In ? predicate(w, op->c) : 0;
  Result<U> d(w, op->d);
  U* out = d.out;
  std::uint32_t bits = 0;
  TILEJIT_LANES {
    const U c = static_cast<U>(in >> i & 1);
    const U first = a[i], second = b[i];
    if constexpr (Subtract) {
      const U partial = static_cast<U>(first - second);
      out[i] = static_cast<U>(partial - c);
      bits |= static_cast<std::uint32_t>((first < second) | (partial < c)) << i;
    } else {
      const U partial = static_cast<U>(first + second);
      out[i] = static_cast<U>(partial + c);
      bits |= static_cast<std::uint32_t>((partial < first) | (out[i] < c)) << i;
    }
  }
  d.commit(w);
  if constexpr (Out) set_predicate(w, op->list[0], bits);
  return op + 1;
}

template <class U, bool Subtract>
void type(Registry& r, const char* name, const char* with_carry, const char* spelled) {
  const Width u = width_of<U>;
  put(r, Row{{name, "cc", spelled}, carry<U, Subtract, false, true>, {u, u, u, Width::none}});
  put(r, Row{{with_carry, spelled}, carry<U, Subtract, true, false>, {u, u, u, Width::predicate}});
  put(r, Row{{with_carry, "cc", spelled}, carry<U, Subtract, true, true>, {u, u, u, Width::predicate}});
}

}  // namespace

void register_carry(Registry& r) {
  for (const char* spelled : {"u32", "s32"}) {
    type<std::uint32_t, false>(r, "add", "addc", spelled);
    type<std::uint32_t, true>(r, "sub", "subc", spelled);
  }
  for (const char* spelled : {"u64", "s64"}) {
    type<std::uint64_t, false>(r, "add", "addc", spelled);
    type<std::uint64_t, true>(r, "sub", "subc", spelled);
  }
}

}  // namespace tilejit::emulator::TILEJIT_ISA
