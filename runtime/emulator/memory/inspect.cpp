#include <cstring>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/lane_places.h>
#include <tilejit/runtime/emulator/execute/worker.h>
#include <tilejit/runtime/emulator/memory/access.h>
#include <tilejit/runtime/emulator/memory/block_checks.h>
#include <tilejit/runtime/emulator/report/access_faults.h>

/// The checks that are asked for: unwritten memory, races, and which sectors each warp loads.
namespace tilejit::emulator {
namespace {

void check_written_global(const Op* op, Warp& w, const Site& site, int lane, std::uint64_t address) {
  Allocations& memory = *w.worker->launch->memory;
  if (!site.store || site.atomic) {
    if (const auto at = memory.first_unwritten(address, site.bytes)) {
      fault_unwritten(op, w, lane, Space::global, *at);
    }
  }
  if (site.store) memory.mark_written(address, site.bytes);
}

void check_written_shared(const Op* op, Warp& w, const Site& site, int lane, std::uint64_t address) {
  std::uint8_t* const written = w.block->checks->shared_written.data() + address;
  if (!site.store || site.atomic) {
    if (const void* at = std::memchr(written, 0, site.bytes)) {
      const auto offset = static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(at) - written);
      fault_unwritten(op, w, lane, Space::shared, address + offset);
    }
  }
  if (site.store) std::memset(written, 1, site.bytes);
}

}  // namespace

void inspect_access(const Op* op, Warp& w, int address_bytes, bool shared) {
  const Site& site = w.worker->program->sites[op->site];
  BlockChecks& checks = *w.block->checks;
  ++w.accesses;
  for_lanes(w.mask, [&](int lane) {
    const std::uint64_t base = address_bytes == 8 ? lanes_at<const std::uint64_t>(w, op->a)[lane]
                                                  : lanes_at<const std::uint32_t>(w, op->a)[lane];
    const std::uint64_t address = base + static_cast<std::uint64_t>(op->immediate);
    if (shared) {
      if (checks.races) {
        check_pending(op, w, lane, address);
        check_race(op, w, lane, address);
      }
      if (checks.unwritten) check_written_shared(op, w, site, lane, address);
    } else {
      if (checks.unwritten) check_written_global(op, w, site, lane, address);
      if (checks.distinct && !site.store && !site.copy)
        checks.loads[static_cast<std::size_t>(w.index)].add(address, site.bytes);
    }
  });
}

}  // namespace tilejit::emulator
