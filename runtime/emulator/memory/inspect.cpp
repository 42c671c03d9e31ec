#include <algorithm>
#include <cstring>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/lane_places.h>
#include <tilejit/runtime/emulator/execute/worker.h>
#include <tilejit/runtime/emulator/memory/access.h>
#include <tilejit/runtime/emulator/memory/block_checks.h>
#include <tilejit/runtime/emulator/memory/written_lanes.h>
#include <tilejit/runtime/emulator/report/access_faults.h>

/// The checks beyond bounds: unwritten memory, races, and which sectors each warp loads. Unwritten is an element, of a
/// vector's each, of which nobody wrote a byte: padding that is read along with a struct is none.
namespace tilejit::emulator {
namespace {

/// Wider than this, lanes are looked at one by one.
constexpr std::int64_t widest_hull = 4096;
constexpr std::uint64_t widest_shared_hull = 512;
/// From a word of a lane's local memory to its next: those of the other lanes lie between.
constexpr std::uint64_t local_stride = 128;

bool reads(const Site& site) { return !site.store || site.atomic; }

int element_bytes(const Site& site) {
  const ptx::Instruction* in = site.instruction;
  const int elements = in == nullptr ? 1 : in->has("v8") ? 8 : in->has("v4") ? 4 : in->has("v2") ? 2 : 1;
  return std::max(site.bytes / elements, 1);
}

/// All bytes that the lanes touch, from the site's pattern; not good: it is not theirs, or too wide.
struct Hull {
  std::uint64_t from = 0, bytes = 0;
  bool good = false;
  Hull(const SiteState& s, const Warp& w, const std::uint64_t* address) {
    if (s.mask != w.mask || s.beyond - s.below > widest_hull) return;
    good = true;
    from = address[__builtin_ctz(w.mask)] + static_cast<std::uint64_t>(s.below);
    bytes = static_cast<std::uint64_t>(s.beyond - s.below);
  }
};

void check_global_lane(const Op* op, Warp& w, const Site& site, int lane, std::uint64_t address) {
  const Allocations& memory = *w.worker->launch->memory;
  const auto size = static_cast<std::uint64_t>(element_bytes(site));
  for (std::uint64_t at = address; at < address + site.bytes; at += size) {
    std::uint64_t unwritten = 0;
    for (std::uint64_t k = 0; k < size && memory.first_unwritten(at + k, 1); ++k) ++unwritten;
    if (unwritten == size) fault_unwritten(op, w, lane, Space::global, at);
  }
}

void check_global(const Op* op, Warp& w, const Site& site, const std::uint64_t* address) {
  Written& written = w.worker->launch->memory->written();
  const SiteState& s = w.sites[op->site];
  const Hull hull(s, w, address);
  if (hull.good && written.is_whole(hull.from, hull.bytes)) return;
  const bool together = hull.good && s.contiguous != 0;
  if (reads(site) && !(together && !written.first_unwritten(hull.from, hull.bytes))) {
    for_lanes(w.mask, [&](int lane) {
      if (!written.has(address[lane], site.bytes)) check_global_lane(op, w, site, lane, address[lane]);
    });
  }
  if (!site.store) return;
  if (together) return written.mark(hull.from, hull.bytes);
  for_lanes(w.mask, [&](int lane) { written.mark(address[lane], site.bytes); });
}

/// Whether the allocation that the lanes last fell into may go unlooked at from now on.
Whole whole_allocation(const Warp& w, const SiteState& s) {
  const BlockChecks& checks = *w.block->checks;
  if (checks.distinct || s.high <= s.low) return Whole::no;
  if (!checks.watch.unwritten) return Whole::yes;
  Written& written = w.worker->launch->memory->written();
  return written.sum_up(static_cast<std::uint64_t>(s.low), static_cast<std::uint64_t>(s.high - s.low)) ? Whole::yes
                                                                                                       : Whole::no;
}

void check_shared(const Op* op, Warp& w, const Site& site, const std::uint64_t* address) {
  std::uint8_t* const all = w.block->checks->shared_written.data();
  const Hull hull(w.sites[op->site], w, address);
  if (hull.good && hull.bytes <= widest_shared_hull && is_written(all + hull.from, hull.bytes)) return;
  if (reads(site) && !lanes_are_written(all, address, w.mask, site.bytes)) {
    for_lanes(w.mask, [&](int lane) {
      const int at = unwritten_element(all + address[lane], site.bytes, element_bytes(site), site.bytes, site.bytes);
      if (at >= 0) fault_unwritten(op, w, lane, Space::shared, address[lane] + static_cast<std::uint64_t>(at));
    });
  }
  if (site.store) mark_lanes(all, address, w.mask, site.bytes);
}

}  // namespace

void inspect_access(const Op* op, Warp& w, int address_bytes, bool shared) {
  const Site& site = w.worker->program->sites[op->site];
  BlockChecks& checks = *w.block->checks;
  alignas(64) std::uint64_t address[32];  // of lanes that do not run: anything
  const auto offset = static_cast<std::uint64_t>(op->immediate);
  if (address_bytes == 8) {
    const auto* a = lanes_at<const std::uint64_t>(w, op->a);
    for (int lane = 0; lane < 32; ++lane) address[lane] = a[lane] + offset;
  } else {
    const auto* a = lanes_at<const std::uint32_t>(w, op->a);
    for (int lane = 0; lane < 32; ++lane) address[lane] = a[lane] + offset;
  }
  if (shared) {
    if (checks.watch.copies) for_lanes(w.mask, [&](int lane) { check_pending(op, w, lane, address[lane]); });
    if (checks.watch.races) check_races(op, w, address);
    if (checks.watch.unwritten) check_shared(op, w, site, address);
    return;
  }
  if (checks.watch.unwritten) check_global(op, w, site, address);
  SiteState& s = w.sites[op->site];
  if (s.whole == Whole::unknown) s.whole = whole_allocation(w, s);
  if (checks.distinct && !site.store && !site.copy) {
    LoadedSectors& loaded = checks.loads[static_cast<std::size_t>(w.index)];
    for_lanes(w.mask, [&](int lane) { loaded.add(address[lane], site.bytes); });
  }
}

void inspect_local(const Op* op, Warp& w, const std::uint64_t* offset) {
  std::uint8_t* const all = w.block->checks->local_of(w.index);
  if (all == nullptr) return;
  const Site& site = w.worker->program->sites[op->site];
  std::uint64_t different = w.mask ^ ~0u;
  for (int lane = 0; lane < 32; ++lane) different |= offset[lane] ^ offset[__builtin_ctz(w.mask)];
  if (different == 0 && site.bytes >= 4) {  // whole words, side by side
    std::uint8_t* const at = all + (offset[0] >> 2) * local_stride;
    const std::uint64_t bytes = site.bytes / 4 * local_stride;
    if (is_written(at, bytes)) return;
    if (!reads(site)) {
      std::memset(at, 1, bytes);
      return;
    }
  }
  // What is narrower than a word lies in one.
  for_lanes(w.mask, [&](int lane) {
    std::uint8_t* const at =
        all + (offset[lane] >> 2) * local_stride + static_cast<std::uint64_t>(lane) * 4 + (offset[lane] & 3);
    if (reads(site) && !words_are_written(at, site.bytes) &&
        unwritten_element(at, site.bytes, element_bytes(site), 4, static_cast<int>(local_stride)) >= 0) {
      fault_unwritten(op, w, lane, Space::local, offset[lane]);
    }
    if (site.store) mark_words(at, site.bytes);
  });
}

}  // namespace tilejit::emulator
