#include <tilejit/runtime/emulator/execute/block.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/execute/lane_places.h>
#include <tilejit/runtime/emulator/execute/splits.h>
#include <tilejit/runtime/emulator/execute/worker.h>
#include <tilejit/runtime/emulator/memory/block_checks.h>
#include <tilejit/runtime/emulator/report/faults.h>
#include <tilejit/runtime/emulator/report/waiters.h>

namespace tilejit::emulator {

void AlignedBytes::resize(std::size_t bytes) {
  if (bytes > size) {
    memory = std::make_unique_for_overwrite<std::byte[]>(bytes + 64);
    size = bytes;
  }
  const auto raw = reinterpret_cast<std::uintptr_t>(memory.get());
  start = memory.get() + ((64 - raw % 64) % 64);
}

Block::Block() = default;
Block::~Block() = default;

Block::Status Block::run() {
  order_.resize(warps.size());
  std::iota(order_.begin(), order_.end(), 0);
  for (;;) {
    if (random != 0) {
      for (std::size_t k = order_.size(); k > 1; --k) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        std::swap(order_[k - 1], order_[(random >> 33) % k]);
      }
    }
    bool ran = false, alive = false, yielded = false;
    for (const std::uint32_t k : order_) {
      Warp& w = warps[k];
      if (w.ready_count != 0) {
        run_warp(w);
        ran = true;
        yielded |= w.yielded;
      }
      alive |= w.live != 0;
    }
    if (!alive) return Status::finished;
    const bool released = release_barriers();
    if (yielded) return Status::yielded;
    if (!ran && !released) report_deadlock();
  }
}

bool Block::release_barriers() {
  std::uint32_t used = 0;
  for (const Warp& w : warps) {
    for (int k = 0; k < w.parked_count; ++k) {
      if (w.parked[k].barrier >= 0) used |= 1u << w.parked[k].barrier;
    }
  }
  bool any = false;
  for_lanes(used, [&](int id) {
    // A warp whose lanes are all here counts whole, also where it has fewer than 32.
    std::uint32_t here = barriers[id].arrived, expected = 0;
    for (const Warp& w : warps) {
      if (w.live == 0) continue;
      std::uint32_t mask = 0;
      for (int k = 0; k < w.parked_count; ++k) {
        if (w.parked[k].barrier == id) mask |= w.parked[k].mask;
      }
      here += mask == w.live ? 32 : static_cast<std::uint32_t>(__builtin_popcount(mask));
      expected += 32;
    }
    if (barriers[id].threads != 0) expected = barriers[id].threads;
    if (here < expected) return;
    release(id);
    any = true;
  });
  return any;
}

void Block::release(int id) {
  const Barrier& barrier = barriers[id];
  for (Warp& w : warps) {
    int kept = 0;
    for (int k = 0; k < w.parked_count; ++k) {
      const Parked& p = w.parked[k];
      if (p.barrier != id) {
        w.parked[kept++] = p;
        continue;
      }
      w.mask = p.mask;
      if (p.pc->run == run_barrier_reduce) {
        const auto kind = static_cast<Reduction>(p.pc->immediate);
        if (kind == Reduction::all) write_predicate(w, p.pc->d, barrier.all != 0 ? ~0u : 0);
        if (kind == Reduction::any) write_predicate(w, p.pc->d, barrier.any != 0 ? ~0u : 0);
        if (kind == Reduction::count) {
          for_lanes(p.mask, [&](int lane) { lanes_at<std::uint32_t>(w, p.pc->d)[lane] = barrier.count; });
        }
      }
      make_ready(w, p.resume, p.mask);
    }
    w.parked_count = kept;
  }
  barriers[id] = Barrier{};
  ++interval;
}

void Block::report_deadlock() {
  for (Warp& w : warps) {
    if (w.parked_count == 0) continue;
    const Parked& p = w.parked[0];
    const FaultKind kind = p.barrier >= 0 ? FaultKind::barrier_deadlock : FaultKind::warp_deadlock;
    w.mask = p.mask;
    fault(kind, p.pc, w, __builtin_ctz(p.mask),
          kind == FaultKind::barrier_deadlock ? "deadlock: threads wait at a barrier that others never reach"
                                              : "deadlock: lanes wait for others of their warp that never come",
          describe_waiters(*this));
  }
  throw Fault{};
}

std::uint64_t Block::digest() const {
  std::uint64_t all = 0;
  const auto add = [&](std::uint64_t word) { all = (all ^ word) * 0x9E3779B97F4A7C15u + (all >> 29); };
  for (std::size_t at = 0; at + 8 <= registers.size; at += 8) {
    std::uint64_t word;
    std::memcpy(&word, registers.start + at, 8);
    add(word);
  }
  for (const Warp& w : warps) {
    add(w.live);
    for (int k = 0; k < w.ready_count; ++k) {
      add(reinterpret_cast<std::uintptr_t>(w.ready[k].pc));
      add(w.ready[k].mask);
    }
    add(static_cast<std::uint64_t>(w.parked_count));
  }
  return all;
}

void Block::report_standstill(std::uint64_t blocks) {
  for (Warp& w : warps) {
    if (w.ready_count == 0) continue;
    const Split& split = w.ready[0];
    w.mask = split.mask;
    std::string others =
        fmt::format("{} of {} lanes of the warp stand there", std::popcount(split.mask), std::popcount(w.live));
    if (blocks > 1) others += fmt::format("; the launch has {} blocks", blocks);
    const std::string waiters = describe_waiters(*this);
    if (!waiters.empty()) others += "\n  " + waiters;
    fault(FaultKind::standstill, split.pc - 1, w, std::countr_zero(split.mask),
          "standstill: polls memory that nobody writes any more, as every block does that was begun and has not ended",
          others);
  }
  throw Fault{};
}

}  // namespace tilejit::emulator
