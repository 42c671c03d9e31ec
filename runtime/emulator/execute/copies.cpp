#include <tilejit/runtime/emulator/execute/copies.h>

#include <cstring>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/execute/lane_places.h>
#include <tilejit/runtime/emulator/execute/worker.h>
#include <tilejit/runtime/emulator/memory/pending_copies.h>
#include <tilejit/runtime/emulator/report/access_faults.h>

/// cp.async: global memory is read when the copy is issued, shared memory is written when its group is waited for.
namespace tilejit::emulator {
namespace {

AsyncCopies& copies_of(Warp& w) {
  Block& block = *w.block;
  if (block.copies.empty()) block.copies.resize(block.warps.size());
  return block.copies[static_cast<std::size_t>(w.index)];
}

/// A lane that reads fewer bytes than it writes.
void check_part(const Op& op, Warp& w, int lane, std::uint64_t address, std::uint32_t size, std::uint32_t bytes) {
  if (address % bytes != 0) fault_misaligned(&op, w, lane, Space::global, address);
  const Allocations& memory = *w.worker->launch->memory;
  if (!memory.holds(address, size)) fault_out_of_bounds(&op, w, lane, Space::global, address);
  if (w.checking) check_copied(&op, w, lane, address, size);
  AccessCounts& counts = w.sites[op.site].counts;
  counts.lanes += 1, counts.sectors += 1, counts.ideal_sectors += 1, counts.unique_bytes += size;
}

/// Checks and counts the global side; `size` is what each lane reads.
void check_read(const Op* op, Warp& w, const std::uint64_t* from, const std::uint32_t* size, std::uint32_t bytes) {
  Op side = *op;
  side.a = op->b;
  side.immediate = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(op->extra));
  side.site = op->site - 1;
  const std::uint32_t all = w.mask;
  std::uint32_t whole = 0;
  for_lanes(all, [&](int lane) { whole |= static_cast<std::uint32_t>(size[lane] == bytes) << lane; });
  bool part = false;
  for_lanes(all & ~whole, [&](int lane) {
    if (size[lane] == 0) return;
    check_part(side, w, lane, from[lane], size[lane], bytes);
    part = true;
  });
  w.mask = whole;
  if (whole != 0) w.worker->program->check[0][1](&side, w);
  if (whole == 0 && part) ++w.sites[side.site].counts.requests;
  w.mask = all;
}

template <class A>
const Op* copy(const Op* op, Warp& w) {
  const Site& site = w.worker->program->sites[op->site];
  const std::uint32_t bytes = site.bytes;
  const auto offset = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(op->extra));
  const A* a = lanes_at<const A>(w, op->a);
  const std::uint64_t* b = lanes_at<const std::uint64_t>(w, op->b);
  const std::uint32_t* c = op->c == no_place ? nullptr : lanes_at<const std::uint32_t>(w, op->c);
  std::uint64_t from[32];
  std::uint32_t size[32];
  for_lanes(w.mask, [&](int lane) {
    from[lane] = b[lane] + offset;
    size[lane] = c == nullptr || c[lane] > bytes ? bytes : c[lane];
  });
  check_read(op, w, from, size, bytes);

  const bool checking = w.checking;
  w.checking = false;  // it is no write yet
  w.worker->program->check[1][sizeof(A) == 8 ? 1 : 0](op, w);
  w.checking = checking;

  AsyncCopies& copies = copies_of(w);
  copies.all.emplace_back();
  AsyncCopy& one = copies.all.back();
  one.op = op;
  one.mask = w.mask;
  one.bytes = bytes;
  std::memcpy(one.group, copies.open, sizeof(one.group));
  for_lanes(w.mask, [&](int lane) {
    one.to[lane] = a[lane] + static_cast<std::uint64_t>(op->immediate);
    std::memset(one.data[lane], 0, sizeof(one.data[lane]));
    std::memcpy(one.data[lane], reinterpret_cast<const std::byte*>(from[lane]), size[lane]);
    if (checking) copy_begins(op, w, lane, one.to[lane]);
  });
  return op + 1;
}

void deliver(AsyncCopy& one, Warp& w, std::uint32_t lanes) {
  one.mask &= ~lanes;
  const std::uint32_t all = w.mask;
  w.mask = lanes;
  for_lanes(lanes, [&](int lane) {
    std::memcpy(w.shared + one.to[lane], one.data[lane], one.bytes);
    if (w.checking) copy_ends(one.op, w, lane, one.to[lane]);
  });
  w.mask = all;
}

}  // namespace

const Op* run_copy_32(const Op* op, Warp& w) { return copy<std::uint32_t>(op, w); }
const Op* run_copy_64(const Op* op, Warp& w) { return copy<std::uint64_t>(op, w); }

const Op* run_copy_commit(const Op* op, Warp& w) {
  AsyncCopies& copies = copies_of(w);
  for_lanes(w.mask, [&](int lane) { ++copies.open[lane]; });
  return op + 1;
}

const Op* run_copy_wait(const Op* op, Warp& w) {
  AsyncCopies& copies = copies_of(w);
  const bool everything = op->immediate < 0;
  const auto allowed = everything ? 0 : static_cast<std::uint64_t>(op->immediate);
  if (everything) run_copy_commit(op, w);
  for (std::size_t k = copies.first; k < copies.all.size(); ++k) {
    AsyncCopy& one = copies.all[k];
    std::uint32_t lanes = 0;
    for_lanes(one.mask & w.mask, [&](int lane) {
      lanes |= static_cast<std::uint32_t>(one.group[lane] + allowed < copies.open[lane]) << lane;
    });
    if (lanes != 0) deliver(one, w, lanes);
  }
  while (copies.first < copies.all.size() && copies.all[copies.first].mask == 0) ++copies.first;
  if (copies.first == copies.all.size()) {
    copies.clear();
  } else if (copies.first > 256) {
    copies.all.erase(copies.all.begin(), copies.all.begin() + static_cast<std::ptrdiff_t>(copies.first));
    copies.first = 0;
  }
  return op + 1;
}

}  // namespace tilejit::emulator
