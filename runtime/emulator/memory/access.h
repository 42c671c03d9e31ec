#pragma once
#include <cstdint>

#include <tilejit/runtime/emulator/execute/warp.h>

/// What a memory instruction asks of the rest when its lanes do not look like last time. Not inline: called from code
/// compiled for several instruction sets.
namespace tilejit::emulator {

enum class Space : std::uint8_t;

/// Generic addresses of these windows; below lies global memory, at the host's addresses.
constexpr std::uint64_t window_bits = 60;
constexpr std::uint64_t shared_window = std::uint64_t{1} << window_bits;
constexpr std::uint64_t local_window = std::uint64_t{2} << window_bits;
constexpr std::uint64_t param_window = std::uint64_t{3} << window_bits;

/// Which window a generic address points into; none: no window.
Space space_of(std::uint64_t generic);

/// The host address of `bytes` bytes at a generic address in global or shared memory, checked (a Fault).
std::byte* host_of(const Op* op, Warp& warp, int lane, std::uint64_t generic, std::int64_t bytes);

/// Checks every active lane's address (a Fault: out of bounds, misaligned) and sets the site's allocation. False: they
/// are fine but lie in several allocations.
bool check_lanes(const Op* op, Warp& warp, const std::uint64_t* address, bool shared);

/// Checks offsets into local memory and counts the request.
void check_local(const Op* op, Warp& warp, const std::uint64_t* offset);

/// Looks for reads of unwritten memory and races; called while Warp::checking, with the site's pattern up to date.
void inspect_access(const Op* op, Warp& warp, int address_bytes, bool shared);
void inspect_local(const Op* op, Warp& warp, const std::uint64_t* offset);
/// A barrier was passed since the block's last access of shared memory.
void begin_interval(Warp& warp);
/// What the warp did to memory so far lies before what it does from now on, for those who see the latter.
void note_fence(Warp& warp);

}  // namespace tilejit::emulator
