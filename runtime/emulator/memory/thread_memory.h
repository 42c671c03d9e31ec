#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include <tilejit/runtime/emulator/execute/warp.h>

/// A thread's memory by generic address, for what is called and not compiled.
namespace tilejit::emulator {

void read_memory(const Op* op, Warp& warp, int lane, std::uint64_t generic, void* to, std::size_t bytes);
void write_local(Warp& warp, int lane, std::uint64_t offset, const void* from, std::size_t bytes);
/// Up to its zero, at most 4096 bytes.
std::string read_text(const Op* op, Warp& warp, int lane, std::uint64_t generic);

}  // namespace tilejit::emulator
