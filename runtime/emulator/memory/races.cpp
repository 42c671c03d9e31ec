#include <fmt/format.h>

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

void keep_read(SharedWord& word, const BlockChecks& checks, Touch mine) {
  const auto again = [&](Touch before) {
    const bool alone = before.thread() == mine.thread() && !before.several();
    return alone || before.when() < checks.clocks[mine.warp()].synced ? mine : mine.by_several();
  };
  if (word.read.when() < checks.interval_start) {
    word.read = mine;
  } else if (word.read.warp() == mine.warp()) {
    word.read = again(word.read);
  } else if (word.other_read.when() < checks.interval_start) {
    word.other_read = mine;
  } else if (word.other_read.warp() == mine.warp()) {
    word.other_read = again(word.other_read);
  }
}

/// Brings the clocks up to what the warp passed since its last access.
void advance(BlockChecks& checks, const Warp& w) {
  ++checks.accesses;
  if (checks.interval != w.block->interval) {
    checks.interval = w.block->interval;
    checks.interval_start = checks.accesses;
    checks.kept_count = 0;
    checks.read.clear();
    checks.written.clear();
  }
  WarpClock& clock = checks.clocks[static_cast<std::size_t>(w.index)];
  if (clock.syncs != w.syncs) {
    clock.syncs = w.syncs;
    clock.synced = checks.accesses;
  }
}

/// What was kept goes into the words. Nothing to compare: it met nothing.
void settle(BlockChecks& checks) {
  for (std::size_t k = 0; k < checks.kept_count; ++k) {
    const KeptAccess& one = checks.kept[k];
    std::uint32_t previous = ~0u;
    int alike = 0;
    for_lanes(one.mask, [&](int lane) {
      const std::uint32_t address = one.address[lane];
      alike = address == previous ? alike + 1 : 0;
      previous = address;
      if (alike > 1) return;  // of a broadcast two lanes say it all
      const Touch touch = Touch::of(one.when, one.site, one.warp * 32u + static_cast<std::uint32_t>(lane), one.strong);
      for (std::uint32_t at = address >> checks.granule_bits; at <= (address + one.bytes - 1) >> checks.granule_bits;
           ++at) {
        if (one.store)
          checks.words[at].write = touch;
        else
          keep_read(checks.words[at], checks, touch);
      }
    });
  }
  checks.kept_count = 0;
}

void keep(BlockChecks& checks, const Warp& w, std::uint32_t site_index, const Site& site,
          const std::uint64_t* address) {
  if (checks.kept_count == checks.kept.size()) settle(checks);
  KeptAccess& one = checks.kept[checks.kept_count++];
  one.when = checks.accesses;
  one.site = site_index;
  one.mask = w.mask;
  one.warp = static_cast<std::uint16_t>(w.index);
  one.bytes = site.bytes;
  one.store = site.store;
  one.strong = site.atomic || site.strong;
  for (int lane = 0; lane < 32; ++lane) one.address[lane] = static_cast<std::uint32_t>(address[lane]);
}

AddressRange range_of(const Warp& w, const SiteState& s, const Site& site, const std::uint64_t* address) {
  AddressRange range;
  if (s.mask == w.mask) {  // the pattern of its lanes is known
    const std::uint64_t first = address[__builtin_ctz(w.mask)];
    range.add(first + static_cast<std::uint64_t>(s.below), first + static_cast<std::uint64_t>(s.beyond));
  } else {
    for_lanes(w.mask, [&](int lane) { range.add(address[lane], address[lane] + site.bytes); });
  }
  return range;
}

void check_word(const Op* op, Warp& w, BlockChecks& checks, std::uint64_t index, bool writes, Touch mine) {
  SharedWord& word = checks.words[index];
  const auto compare = [&](Touch other) {
    if (other.when() >= checks.interval_start && conflict(checks, other, mine))
      report(op, w, index << checks.granule_bits, other, mine);
  };
  compare(word.write);
  if (!writes) return keep_read(word, checks, mine);
  compare(word.read);
  compare(word.other_read);
  word.write = mine;
}

}  // namespace

void note_fence(Warp& w) {
  if (!w.block->checks || !w.block->checks->races) return;
  advance(*w.block->checks, w);
  w.block->checks->clocks[static_cast<std::size_t>(w.index)].fenced = w.block->checks->accesses;
}

void check_races(const Op* op, Warp& w, const std::uint64_t* address) {
  const Site& site = w.worker->program->sites[op->site];
  BlockChecks& checks = *w.block->checks;
  advance(checks, w);
  const AddressRange range = range_of(w, w.sites[op->site], site, address);
  const bool near = checks.written.meets(range) || (site.store && checks.read.meets(range));
  (site.store ? checks.written : checks.read).add(range);
  if (!near) return keep(checks, w, op->site, site, address);
  settle(checks);
  const Touch first =
      Touch::of(checks.accesses, op->site, static_cast<std::uint32_t>(w.index) * 32, site.atomic || site.strong);
  std::uint64_t previous = ~std::uint64_t{0};
  int alike = 0;
  for_lanes(w.mask, [&](int lane) {
    const Touch mine{first.bits | static_cast<std::uint64_t>(lane) << 2};
    const std::uint64_t from = address[lane] >> checks.granule_bits;
    const std::uint64_t last = (address[lane] + site.bytes - 1) >> checks.granule_bits;
    alike = address[lane] == previous ? alike + 1 : 0;
    previous = address[lane];
    if (alike > 0 && !site.store) {  // a broadcast: compared already, and after the second lane kept as well
      for (std::uint64_t k = from; alike == 1 && k <= last; ++k) keep_read(checks.words[k], checks, mine);
      return;
    }
    for (std::uint64_t k = from; k <= last; ++k) check_word(op, w, checks, k, site.store, mine);
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
