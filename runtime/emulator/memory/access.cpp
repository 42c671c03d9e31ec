#include <tilejit/runtime/emulator/memory/access.h>

#include <algorithm>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/lane_places.h>
#include <tilejit/runtime/emulator/execute/worker.h>
#include <tilejit/runtime/emulator/report/access_faults.h>

/// Where lanes may go: each checked by itself, once the quick check of all together said no.
namespace tilejit::emulator {
namespace {

void check_alignment(const Op* op, Warp& w, const Site& site, const std::uint64_t* address) {
  const auto bytes = static_cast<std::uint64_t>(site.bytes);  // a power of two
  for_lanes(w.mask, [&](int lane) {
    if ((address[lane] & (bytes - 1)) != 0) fault_misaligned(op, w, lane, site.space, address[lane]);
  });
}

/// Sets the range that all lanes fall into. False: they fall into several allocations.
bool check_global(const Op* op, Warp& w, const Site& site, SiteState& s, const std::uint64_t* address) {
  const Allocations& memory = *w.worker->launch->memory;
  const int first = __builtin_ctz(w.mask);
  const auto found = memory.find(address[first]);
  s.low = s.high = 0;
  s.whole = Whole::unknown;
  if (found) {
    s.low = static_cast<std::int64_t>(found->address);
    s.high = s.low + static_cast<std::int64_t>(found->bytes);
  }
  bool one = true;
  for_lanes(w.mask, [&](int lane) {
    const auto from = static_cast<std::int64_t>(address[lane]);
    if (from >= s.low && from <= s.high - site.bytes) return;
    one = false;
    if (!memory.holds(address[lane], site.bytes)) fault_out_of_bounds(op, w, lane, Space::global, address[lane]);
  });
  if (found && found->constant && site.store) fault_read_only(op, w, first, address[first]);
  if (!one) s.low = s.high = 0;
  return one;
}

void check_shared(const Op* op, Warp& w, const Site& site, const std::uint64_t* address) {
  for_lanes(w.mask, [&](int lane) {
    const auto from = static_cast<std::int64_t>(address[lane]);
    if (from < w.shared_begin || from > w.shared_end - site.bytes) {
      fault_out_of_bounds(op, w, lane, Space::shared, address[lane]);
    }
  });
}

}  // namespace

bool check_lanes(const Op* op, Warp& w, const std::uint64_t* address, bool shared) {
  const Site& site = w.worker->program->sites[op->site];
  check_alignment(op, w, site, address);
  if (shared) {
    check_shared(op, w, site, address);
    return true;
  }
  return check_global(op, w, site, w.sites[op->site], address);
}

void check_local(const Op* op, Warp& w, const std::uint64_t* offset) {
  const Site& site = w.worker->program->sites[op->site];
  for_lanes(w.mask, [&](int lane) {
    const auto from = static_cast<std::int64_t>(offset[lane]);
    if (from < 0 || from > w.local_bytes - site.bytes) fault_out_of_bounds(op, w, lane, Space::local, offset[lane]);
    if (offset[lane] % site.bytes != 0) fault_misaligned(op, w, lane, Space::local, offset[lane]);
  });
  AccessCounts& counts = w.sites[op->site].counts;
  ++counts.requests;
  counts.lanes += static_cast<std::uint64_t>(__builtin_popcount(w.mask));
  if (w.checking) inspect_local(op, w, offset);
}

std::byte* host_of(const Op* op, Warp& w, int lane, std::uint64_t generic, std::int64_t bytes) {
  switch (space_of(generic)) {
    case Space::shared: {
      const auto at = static_cast<std::int64_t>(generic - shared_window);
      if (at < w.shared_begin || at > w.shared_end - bytes)
        fault_out_of_bounds(op, w, lane, Space::shared, generic - shared_window);
      return w.shared + at;
    }
    case Space::global:
      if (!w.worker->launch->memory->holds(generic, static_cast<std::uint64_t>(bytes))) {
        fault_out_of_bounds(op, w, lane, Space::global, generic);
      }
      return reinterpret_cast<std::byte*>(generic);
    default:
      fault_out_of_bounds(op, w, lane, space_of(generic), generic);
  }
}

Space space_of(std::uint64_t generic) {
  switch (generic >> window_bits) {
    case 0:
      return Space::global;
    case 1:
      return Space::shared;
    case 2:
      return Space::local;
    case 3:
      return Space::param;
    default:
      return Space::none;
  }
}

}  // namespace tilejit::emulator
