#pragma once
#include <cstddef>
#include <cstdint>

/// What a decoded kernel is made of. Plain data: the handlers in ops/ are compiled for several instruction sets and may
/// share nothing with the rest but layouts.
namespace tilejit::emulator {

struct Warp;
struct Op;

/// Runs one op for the lanes in Warp::mask and returns the next op.
using Handler = const Op* (*)(const Op*, Warp&);

/// Moves data between registers and memory at checked host addresses, one a lane; `contiguous`: all 32 lanes, one
/// element after another.
using Mover = void (*)(const Op*, Warp&, const std::uint64_t* addresses, bool contiguous);

/// Where an operand lies: a byte offset into the warp's registers, or with the lowest bit set into the block's
/// constants. A value has 32 lanes one after another; a predicate is one 32-bit mask.
using Place = std::uint32_t;
constexpr Place constant_bit = 1;
constexpr Place no_place = 0xFFFFFFFE;

struct alignas(64) Op {
  Handler run;    ///< what the loop calls
  Handler inner;  ///< behind a guard: what to run for the lanes that it lets through
  union {
    Mover move;         ///< loads and stores
    const Op* target;   ///< branches
    Handler lanes;      ///< shuffles: what to run for lanes that are together
    const void* extra;  ///< other ops: what only they know
  };
  Place d, a, b, c;
  union {
    const Place* list;         ///< further operands: elements of a vector, a second result
    std::uint64_t list_index;  ///< while decoding
  };
  std::int64_t immediate;  ///< an address's offset, a branch target while decoding
  Place guard;             ///< predicate with `guard_negated`, or no_place
  std::uint32_t site;      ///< index of the instruction in Program::sites
};
static_assert(sizeof(Op) == 64);

/// A guard's place carries its negation in the second bit: predicates are aligned to four bytes.
constexpr Place guard_negated = 2;

}  // namespace tilejit::emulator
