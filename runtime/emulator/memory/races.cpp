#include <fmt/format.h>

#include <algorithm>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/lane_places.h>
#include <tilejit/runtime/emulator/execute/worker.h>
#include <tilejit/runtime/emulator/memory/block_checks.h>
#include <tilejit/runtime/emulator/report/faults.h>
#include <tilejit/runtime/emulator/report/places.h>

namespace tilejit::emulator {
namespace {

const char* named(const Program& program, Touch touch) {
  const Site& site = program.sites[touch.site()];
  return site.atomic ? "an atomic" : site.store ? "a write" : "a read";
}

[[noreturn]] void report(const Op* op, Warp& w, std::uint64_t address, Touch other, Touch mine) {
  const Program& program = *w.worker->program;
  const std::uint32_t* size = w.worker->launch->block;
  const std::uint32_t t = other.thread();
  const Site& site = program.sites[other.site()];
  const int line = site.instruction == nullptr ? 0 : site.instruction->line;
  const std::string source = describe_source(program, other.site());
  const char* const missing = other.warp() == mine.warp() ? "__syncwarp" : "barrier";
  fault(FaultKind::race, op, w, static_cast<int>(mine.thread() % 32),
        fmt::format("race on shared memory at 0x{:x}: {} and {} by another thread with no {} between", address,
                    named(program, mine), named(program, other), missing),
        fmt::format("the other: thread ({}, {}, {}), PTX line {}: {}{}", t % size[0], t / size[0] % size[1],
                    t / size[0] / size[1], line, line_of(*program.module, line),
                    source.empty() ? "" : "\n  source: " + source));
}

/// Whether nothing orders what `other` did before `mine`, in one barrier interval.
bool conflict(const BlockChecks& checks, Touch other, Touch mine) {
  if (other.thread() == mine.thread() && !other.several()) return false;
  if (other.strong() && mine.strong()) return false;
  const WarpClock& clock = checks.clocks[mine.warp()];
  // Lanes of one instruction: it is defined that one of them wins.
  if (other.warp() == mine.warp()) return other.when() != mine.when() && other.when() >= clock.synced;
  // Both passed a fence since: what a flag in memory orders.
  return checks.clocks[other.warp()].fenced <= other.when() || clock.fenced <= other.when();
}

/// Two warps' touches, of which any third warp's would meet one.
void keep_two(Touch (&two)[2], const BlockChecks& checks, Touch mine) {
  for (Touch& one : two) {
    if (one.when() < checks.interval_start) {
      one = mine;
      return;
    }
    if (one.warp() != mine.warp()) continue;
    const bool alone = one.thread() == mine.thread() && !one.several();
    one = alone || one.when() < checks.clocks[mine.warp()].synced ? mine : mine.by_several();
    return;
  }
}
void keep_touch(SharedWord& word, const BlockChecks& checks, bool writes, Touch mine) {
  if (writes && !mine.strong())
    word.write = mine;  // the one before is ordered, or had been reported
  else
    keep_two(!writes ? mine.strong() ? word.strong_read : word.read : word.strong_write, checks, mine);
}

/// Begins an interval where a barrier did.
void advance(BlockChecks& checks, const Warp& w) {
  if (checks.watch.interval != w.block->interval) checks.begin_interval();
  count_access(checks.watch, w.index, w.syncs);
}

bool is_strong(Touching kind) { return (static_cast<int>(kind) & 1) != 0; }
bool is_write(Touching kind) { return (static_cast<int>(kind) & 2) != 0; }

/// What was kept goes into the words. Nothing to compare: it met nothing.
void settle(BlockChecks& checks) {
  SharedWatch& watch = checks.watch;
  stamp_kept(watch);
  for (std::uint32_t k = 0; k < watch.kept_count; ++k) {
    const KeptAccess& one = watch.kept[k];
    std::uint32_t previous = ~0u;
    int alike = 0;
    for_lanes(one.mask, [&](int lane) {
      const std::uint32_t address = one.address[lane];
      alike = address == previous ? alike + 1 : 0;
      previous = address;
      if (alike > 1) return;  // of a broadcast two lanes say it all
      const Touch touch =
          Touch::of(one.when, one.site, one.warp * 32u + static_cast<std::uint32_t>(lane), is_strong(one.kind));
      each_granule(watch, address, one.bytes,
                   [&](std::uint32_t at) { keep_touch(checks.words[at], checks, is_write(one.kind), touch); });
    });
  }
  watch.kept_count = watch.stamped = 0;
}

void check_word(const Op* op, Warp& w, BlockChecks& checks, std::uint64_t index, bool writes, Touch mine) {
  SharedWord& word = checks.words[index];
  const auto compare = [&](Touch other) {
    if (other.when() >= checks.interval_start && conflict(checks, other, mine))
      report(op, w, index << checks.watch.granule_bits, other, mine);
  };
  compare(word.write);
  for (const Touch other : word.strong_write) compare(other);
  for (int k = 0; writes && k < 2; ++k) {
    compare(word.read[k]);
    compare(word.strong_read[k]);
  }
  keep_touch(word, checks, writes, mine);
}

}  // namespace

void begin_interval(Warp& w) { w.block->checks->begin_interval(); }

void note_fence(Warp& w) {
  if (!w.block->checks || !w.block->checks->watch.races) return;
  advance(*w.block->checks, w);
  w.block->checks->clocks[static_cast<std::size_t>(w.index)].fenced = w.block->checks->watch.accesses;
}

void check_races(const Op* op, Warp& w, const std::uint64_t* address) {
  const Site& site = w.worker->program->sites[op->site];
  BlockChecks& checks = *w.block->checks;
  SharedWatch& watch = checks.watch;
  advance(checks, w);
  std::uint32_t narrow[32];
  SharedAccess access{op->site, w.mask, w.index, site.bytes, touching(site.store, site.atomic || site.strong),
                      ~0ull,    0,      narrow};
  for (int lane = 0; lane < 32; ++lane) narrow[lane] = static_cast<std::uint32_t>(address[lane]);
  for_lanes(w.mask, [&](int lane) {
    access.low = std::min<std::uint64_t>(access.low, narrow[lane]);
    access.high = std::max<std::uint64_t>(access.high, std::uint64_t{narrow[lane]} + site.bytes);
  });
  if (is_apart(watch, access)) return keep(watch, access);
  settle(checks);

  const Touch first =
      Touch::of(watch.accesses, op->site, static_cast<std::uint32_t>(w.index) * 32, is_strong(access.kind));
  std::uint32_t previous = ~0u;
  int alike = 0;
  for_lanes(w.mask, [&](int lane) {
    const Touch mine{first.bits | static_cast<std::uint64_t>(lane) << 2};
    alike = narrow[lane] == previous ? alike + 1 : 0;
    previous = narrow[lane];
    // A broadcast: compared already, and after the second lane kept as well.
    if (alike > 1 && !site.store) return;
    each_granule(watch, narrow[lane], site.bytes, [&](std::uint32_t at) {
      if (alike > 0 && !site.store)
        keep_touch(checks.words[at], checks, false, mine);
      else
        check_word(op, w, checks, at, site.store, mine);
    });
  });
}

void check_race(const Op* op, Warp& w, int lane, std::uint64_t address) {
  const std::uint32_t all = w.mask;
  std::uint64_t of_lanes[32] = {};
  of_lanes[lane] = address;
  w.mask = 1u << lane;
  check_races(op, w, of_lanes);
  w.mask = all;
}

}  // namespace tilejit::emulator
