#pragma once
#include <cstddef>
#include <vector>

#include <tilejit/runtime/emulator/execute/launch.h>

namespace tilejit::emulator {

struct Block;
struct Warp;

/// The program's constants with a launch's parameters and sizes.
std::vector<std::byte> launch_constants(const Launch& launch);
/// A block's own: its index.
void fill_block(Block& block);
/// A warp's: thread indices.
void fill_warp(Warp& warp);

}  // namespace tilejit::emulator
