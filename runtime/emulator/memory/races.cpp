#include <fmt/format.h>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/worker.h>
#include <tilejit/runtime/emulator/memory/block_checks.h>
#include <tilejit/runtime/emulator/report/faults.h>
#include <tilejit/runtime/emulator/report/places.h>

namespace tilejit::emulator {
namespace {

const char* named(const Program& program, const WordAccess& a) {
  const Site& site = program.sites[a.site];
  return site.atomic ? "an atomic" : site.store ? "a write" : "a read";
}

[[noreturn]] void report(const Op* op, Warp& w, int lane, std::uint64_t address, const WordAccess& other,
                         const WordAccess& mine) {
  const Program& program = *w.worker->program;
  const std::uint32_t* size = w.worker->launch->block;
  const std::uint32_t t = other.thread;
  const bool same_warp = other.thread / 32 == mine.thread / 32;
  const Site& site = program.sites[other.site];
  const int line = site.instruction == nullptr ? 0 : site.instruction->line;
  const std::string source = describe_source(program, other.site);
  fault(FaultKind::race, op, w, lane,
        fmt::format("race on shared memory at 0x{:x}: {} and {} by another thread with no {} between", address,
                    named(program, mine), named(program, other), same_warp ? "__syncwarp" : "barrier"),
        fmt::format("the other: thread ({}, {}, {}), PTX line {}: {}{}", t % size[0], t / size[0] % size[1],
                    t / size[0] / size[1], line, line_of(*program.module, line),
                    source.empty() ? "" : "\n  source: " + source));
}

/// Whether what `other` did is over for `mine`.
bool is_ordered(const WordAccess& other, const WordAccess& mine) {
  if (other.interval != mine.interval || other.thread == mine.thread) return true;
  if (other.atomic && mine.atomic) return true;
  if (other.thread / 32 != mine.thread / 32) return false;
  // Lanes of one instruction: it is defined that one of them wins.
  return other.syncs != mine.syncs || other.access == mine.access;
}

}  // namespace

void check_race(const Op* op, Warp& w, int lane, std::uint64_t address) {
  const Site& site = w.worker->program->sites[op->site];
  const auto thread = static_cast<std::uint16_t>(w.index * 32 + lane);
  const WordAccess mine{w.block->interval, w.syncs, w.accesses, op->site, thread, site.atomic || site.strong};
  const std::uint32_t my_warp = 1u << w.index;
  const std::uint64_t last = (address + site.bytes - 1) / 4;
  for (std::uint64_t k = address / 4; k <= last; ++k) {
    SharedWord& word = w.block->checks->words[k];
    if (!is_ordered(word.write, mine)) report(op, w, lane, address, word.write, mine);
    const bool read_here = word.read.interval == mine.interval;
    if (site.store && read_here && !is_ordered(word.read, mine)) report(op, w, lane, address, word.read, mine);
    if (site.store) {
      word.write = mine;
      continue;
    }
    // A reader of another warp is the one to remember: it is never ordered before a barrier.
    if (!read_here) word.readers = 0;
    const bool keep = read_here && (word.readers & ~my_warp) != 0 && word.read.thread / 32 != thread / 32;
    word.readers |= my_warp;
    if (!keep) word.read = mine;
  }
}

}  // namespace tilejit::emulator
