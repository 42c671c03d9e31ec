#pragma once
#include "../mma_forms.h"

/// Random tiles for mma.sync, the same everywhere: only answers need be kept.
namespace tilejit::testing {

/// Kinds take turns: tile t is of kind t % tile_kinds.
constexpr int tile_kinds = 8;
const char* name_of_kind(int kind);

struct Tile {
  Elements a, b, c;
};
/// Tile `index` of a form; depends on nothing else.
Tile tile_of(const MmaForm& form, int index);

}  // namespace tilejit::testing
