#include <tilejit/runtime/emulator/memory/thread_memory.h>

#include <cstring>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/kernel/program.h>
#include <tilejit/runtime/emulator/memory/access.h>
#include <tilejit/runtime/emulator/memory/block_checks.h>
#include <tilejit/runtime/emulator/report/access_faults.h>

namespace tilejit::emulator {
namespace {

constexpr std::size_t longest_text = 4096;

std::uint64_t place_in_local(int lane, std::uint64_t offset) {
  return (offset >> 2) * 128 + static_cast<std::uint64_t>(lane) * 4 + (offset & 3);
}

}  // namespace

void read_memory(const Op* op, Warp& w, int lane, std::uint64_t generic, void* to, std::size_t bytes) {
  if (space_of(generic) != Space::local) {
    std::memcpy(to, host_of(op, w, lane, generic, static_cast<std::int64_t>(bytes)), bytes);
    return;
  }
  const std::uint64_t offset = generic - local_window;
  if (offset + bytes > static_cast<std::uint64_t>(w.local_bytes))
    fault_out_of_bounds(op, w, lane, Space::local, offset);
  for (std::size_t k = 0; k < bytes; ++k) static_cast<std::byte*>(to)[k] = w.local[place_in_local(lane, offset + k)];
}

void write_local(Warp& w, int lane, std::uint64_t offset, const void* from, std::size_t bytes) {
  std::uint8_t* const written = w.checking ? w.block->checks->local_of(w.index) : nullptr;
  for (std::size_t k = 0; k < bytes; ++k) {
    const std::uint64_t at = place_in_local(lane, offset + k);
    w.local[at] = static_cast<const std::byte*>(from)[k];
    if (written != nullptr) written[at] = 1;
  }
}

std::string read_text(const Op* op, Warp& w, int lane, std::uint64_t generic) {
  std::string text;
  for (; text.size() < longest_text; ++generic) {
    char c = 0;
    read_memory(op, w, lane, generic, &c, 1);
    if (c == 0) break;
    text += c;
  }
  return text;
}

}  // namespace tilejit::emulator
