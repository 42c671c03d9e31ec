#include <tilejit/runtime/emulator/memory/access.h>

#include <algorithm>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/lane_places.h>
#include <tilejit/runtime/emulator/execute/worker.h>
#include <tilejit/runtime/emulator/memory/cost.h>
#include <tilejit/runtime/emulator/report/access_faults.h>

/// The slow path of every access: check each lane, measure the request, keep the pattern.
namespace tilejit::emulator {
namespace {

void check_alignment(const Op* op, Warp& w, const Site& site, const std::uint64_t* address) {
  const auto bytes = static_cast<std::uint64_t>(site.bytes);
  for_lanes(w.mask, [&](int lane) {
    if (address[lane] % bytes != 0) fault_misaligned(op, w, lane, site.space, address[lane]);
  });
}

/// Sets the range that all lanes fall into; empty where they fall into several allocations.
void check_global(const Op* op, Warp& w, const Site& site, SiteState& s, const std::uint64_t* address) {
  const Allocations& memory = *w.worker->launch->memory;
  const int first = __builtin_ctz(w.mask);
  const auto found = memory.find(address[first]);
  s.low = s.high = 0;
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

void renew_pattern(const Op* op, Warp& w, int address_bytes, bool shared) {
  SiteState& s = w.sites[op->site];
  const Site& site = w.worker->program->sites[op->site];
  const int first = __builtin_ctz(w.mask);
  std::uint64_t address[32] = {};
  for (int i = 0; i < 32; ++i) {
    const std::uint64_t base =
        address_bytes == 8 ? lanes_at<const std::uint64_t>(w, op->a)[i] : lanes_at<const std::uint32_t>(w, op->a)[i];
    address[i] = base + static_cast<std::uint64_t>(op->immediate);
  }
  check_alignment(op, w, site, address);
  if (shared)
    check_shared(op, w, site, address);
  else
    check_global(op, w, site, s, address);

  s.settle();
  s.mask = w.mask;
  s.phase = static_cast<std::uint32_t>(address[first]) & phase_bits(shared);
  s.below = s.beyond = 0;
  bool contiguous = w.mask == ~0u;
  for (int i = 0; i < 32; ++i) {
    const bool active = (w.mask >> i & 1) != 0;
    const std::uint64_t delta = active ? address[i] - address[first] : 0;
    if (address_bytes == 8)
      s.pattern.wide[i] = delta;
    else
      s.pattern.narrow[i] = static_cast<std::uint32_t>(delta);
    if (!active) continue;
    s.below = std::min(s.below, static_cast<std::int64_t>(delta));
    s.beyond = std::max(s.beyond, static_cast<std::int64_t>(delta) + site.bytes);
    contiguous &= delta == static_cast<std::uint64_t>(i) * site.bytes;
  }
  s.contiguous = contiguous;
  s.cost = shared ? shared_cost(address, w.mask, site.bytes) : global_cost(address, w.mask, site.bytes);
  if (s.low == s.high && !shared) s.mask = 0;  // checked anew each time
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
