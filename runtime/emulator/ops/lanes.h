#pragma once
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include <tilejit/runtime/emulator/execute/warp.h>
#include <tilejit/runtime/emulator/ops/registry.h>

/// How a function of single values becomes a handler over 32 lanes. Everything here and in the families lives in a
/// namespace named after the instruction set it is compiled for, so that the linker mixes nothing.
#ifndef TILEJIT_ISA
#error "the build names the instruction set"
#endif

#if defined(__clang__)
#define TILEJIT_LANES _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < 32; ++i)
#else
#define TILEJIT_LANES _Pragma("GCC ivdep") for (int i = 0; i < 32; ++i)
#endif
#define TILEJIT_INLINE [[gnu::always_inline]] inline

namespace tilejit::emulator::TILEJIT_ISA {

template <class T>
TILEJIT_INLINE T* at(Warp& w, Place place) {
  return reinterpret_cast<T*>(w.base[place & 1] + (place & ~Place{1}));
}

TILEJIT_INLINE std::uint32_t predicate(Warp& w, Place place) { return *at<std::uint32_t>(w, place); }

TILEJIT_INLINE void set_predicate(Warp& w, Place place, std::uint32_t bits) {
  std::uint32_t& home = *at<std::uint32_t>(w, place);
  home = (home & ~w.mask) | (bits & w.mask);
}

/// Lanes that are dead may be written: whole registers are faster than some of their lanes.
TILEJIT_INLINE bool whole(const Warp& w) { return w.mask == w.live; }

/// Defined once for each size: puts the active lanes of `from` into `home`.
void blend(std::uint16_t* home, const std::uint16_t* from, std::uint32_t mask);
void blend(std::uint32_t* home, const std::uint32_t* from, std::uint32_t mask);
void blend(std::uint64_t* home, const std::uint64_t* from, std::uint32_t mask);

template <int Bytes>
using Bits =
    std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>;

/// A result's lanes: straight into the register, or by way of a copy when only some lanes are active.
template <class T>
struct Result {
  T* home;
  T* out;
  alignas(64) T spare[32];

  TILEJIT_INLINE Result(Warp& w, Place place) : home(at<T>(w, place)), out(whole(w) ? home : spare) {}
  TILEJIT_INLINE void commit(const Warp& w) {
    using B = Bits<sizeof(T)>;
    if (out != home) blend(reinterpret_cast<B*>(home), reinterpret_cast<const B*>(spare), w.mask);
  }
};

template <class T>
TILEJIT_INLINE std::uint32_t gather_bits(const T* set) {
  std::uint32_t bits = 0;
  TILEJIT_LANES bits |= static_cast<std::uint32_t>(set[i] != 0) << i;
  return bits;
}

template <class T>
constexpr Width width_of = std::is_void_v<T> ? Width::none
                           : std::is_same_v<T, bool>
                               ? Width::predicate
                               : static_cast<Width>(sizeof(std::conditional_t<std::is_void_v<T>, char, T>));

template <auto F, class Signature = decltype(F)>
struct Lanes;

template <auto F, class D, class A>
struct Lanes<F, D (*)(A)> {
  static constexpr Width widths[4] = {width_of<D>, width_of<A>, Width::none, Width::none};
  static const Op* run(const Op* op, Warp& w) {
    const A* a = at<const A>(w, op->a);
    Result<D> d(w, op->d);
    D* out = d.out;
    TILEJIT_LANES out[i] = F(a[i]);
    d.commit(w);
    return op + 1;
  }
};

template <auto F, class D, class A, class B>
struct Lanes<F, D (*)(A, B)> {
  static constexpr Width widths[4] = {width_of<D>, width_of<A>, width_of<B>, Width::none};
  static const Op* run(const Op* op, Warp& w) {
    const A* a = at<const A>(w, op->a);
    const B* b = at<const B>(w, op->b);
    Result<D> d(w, op->d);
    D* out = d.out;
    TILEJIT_LANES out[i] = F(a[i], b[i]);
    d.commit(w);
    return op + 1;
  }
};

template <auto F, class D, class A, class B, class C>
struct Lanes<F, D (*)(A, B, C)> {
  static constexpr Width widths[4] = {width_of<D>, width_of<A>, width_of<B>, width_of<C>};
  static const Op* run(const Op* op, Warp& w) {
    const A* a = at<const A>(w, op->a);
    const B* b = at<const B>(w, op->b);
    const C* c = at<const C>(w, op->c);
    Result<D> d(w, op->d);
    D* out = d.out;
    TILEJIT_LANES out[i] = F(a[i], b[i], c[i]);
    d.commit(w);
    return op + 1;
  }
};

template <auto F, class A>
struct Lanes<F, bool (*)(A)> {
  static constexpr Width widths[4] = {Width::predicate, width_of<A>, Width::none, Width::none};
  static const Op* run(const Op* op, Warp& w) {
    const A* a = at<const A>(w, op->a);
    std::uint32_t bits = 0;
    TILEJIT_LANES bits |= static_cast<std::uint32_t>(F(a[i])) << i;
    set_predicate(w, op->d, bits);
    return op + 1;
  }
};

template <auto F, class A, class B>
struct Lanes<F, bool (*)(A, B)> {
  static constexpr Width widths[4] = {Width::predicate, width_of<A>, width_of<B>, Width::none};
  static const Op* run(const Op* op, Warp& w) {
    const A* a = at<const A>(w, op->a);
    const B* b = at<const B>(w, op->b);
    std::uint32_t bits = 0;
    TILEJIT_LANES bits |= static_cast<std::uint32_t>(F(a[i], b[i])) << i;
    set_predicate(w, op->d, bits);
    return op + 1;
  }
};

template <auto F, class D, class A, class B>
struct Lanes<F, D (*)(A, B, bool)> {
  static constexpr Width widths[4] = {width_of<D>, width_of<A>, width_of<B>, Width::predicate};
  static const Op* run(const Op* op, Warp& w) {
    const A* a = at<const A>(w, op->a);
    const B* b = at<const B>(w, op->b);
    const std::uint32_t c = predicate(w, op->c);
    Result<D> d(w, op->d);
    D* out = d.out;
    TILEJIT_LANES out[i] = F(a[i], b[i], (c >> i & 1) != 0);
    d.commit(w);
    return op + 1;
  }
};

/// A row for F under a spelling in pieces.
template <auto F, class... Names>
TILEJIT_INLINE void row(Registry& registry, Names... names) {
  Row r = {{names...}, Lanes<F>::run, {}};
  for (int i = 0; i < 4; ++i) r.widths[i] = Lanes<F>::widths[i];
  put(registry, r);
}

}  // namespace tilejit::emulator::TILEJIT_ISA
