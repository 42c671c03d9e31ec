#pragma once
#include <cstdint>

#include <tilejit/runtime/emulator/kernel/op.h>

namespace tilejit::emulator {

/// Bytes of an operand in a register; a predicate counts as one.
enum class Width : std::uint8_t { none = 0, predicate = 1, b16 = 2, b32 = 4, b64 = 8 };

/// One row of the op table: a spelling and what runs it. `names` are opcode and modifiers in any pieces ("add", "rn",
/// "ftz", "f32"); nulls are skipped.
struct Row {
  const char* names[8];
  Handler run;
  Width widths[4];  ///< of d, a, b, c
};

struct MoverRow {
  Mover move;
  int memory_bytes, register_bytes;
  bool is_signed, store;
  int vector;
  bool local = false;  ///< addresses are offsets into the lanes' own memory
};

/// Collects the table; the families in ops/ fill it. Not inline: those are compiled for several instruction sets.
struct Registry;
void put(Registry& registry, const Row& row);
void put(Registry& registry, const MoverRow& row);

}  // namespace tilejit::emulator
