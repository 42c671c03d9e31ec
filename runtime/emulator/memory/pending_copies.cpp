#include <tilejit/runtime/emulator/memory/pending_copies.h>

#include <fmt/format.h>

#include <cstring>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/worker.h>
#include <tilejit/runtime/emulator/memory/block_checks.h>
#include <tilejit/runtime/emulator/report/access_faults.h>
#include <tilejit/runtime/emulator/report/faults.h>
#include <tilejit/runtime/emulator/report/places.h>

namespace tilejit::emulator {
namespace {

const Site& site_of(const Op* op, const Warp& w) { return w.worker->program->sites[op->site]; }

template <class F>
void each_word(BlockChecks& checks, std::uint64_t address, std::uint32_t bytes, F f) {
  for (std::uint64_t k = address / 4; k <= (address + bytes - 1) / 4; ++k) f(checks.pending[k]);
}

}  // namespace

void copy_begins(const Op* op, Warp& w, int lane, std::uint64_t address) {
  BlockChecks& checks = *w.block->checks;
  if (!checks.watch.races) return;
  check_race(op, w, lane, address);
  if (checks.pending.empty()) checks.pending.resize(w.block->shared.size / 4 + 1);
  checks.watch.copies = true;
  each_word(checks, address, site_of(op, w).bytes, [&](PendingWord& word) {
    ++word.copies;
    word.site = op->site;
    word.thread = static_cast<std::uint16_t>(w.index * 32 + lane);
  });
}

void copy_ends(const Op* op, Warp& w, int lane, std::uint64_t address) {
  BlockChecks& checks = *w.block->checks;
  const std::uint32_t bytes = site_of(op, w).bytes;
  if (checks.watch.unwritten) std::memset(checks.shared_written.data() + address, 1, bytes);
  if (!checks.watch.races) return;
  check_race(op, w, lane, address);
  if (checks.pending.empty()) return;
  each_word(checks, address, bytes, [](PendingWord& word) { word.copies -= word.copies != 0; });
}

void check_pending(const Op* op, Warp& w, int lane, std::uint64_t address) {
  BlockChecks& checks = *w.block->checks;
  const Site& site = site_of(op, w);
  if (checks.pending.empty()) return;
  each_word(checks, address, site.bytes, [&](const PendingWord& word) {
    if (word.copies == 0) return;
    const Program& program = *w.worker->program;
    const int line = program.sites[word.site].instruction->line;
    const std::uint32_t* size = w.worker->launch->block;
    const std::uint32_t t = word.thread;
    const std::string source = describe_source(program, word.site);
    fault(FaultKind::race, op, w, lane,
          fmt::format("race on shared memory at 0x{:x}: {} before the copy there was waited for (cp.async.wait_group "
                      "or wait_all by the thread that issued it, then a barrier)",
                      address, site.store ? "a write" : "a read"),
          fmt::format("the copy: thread ({}, {}, {}), PTX line {}: {}{}", t % size[0], t / size[0] % size[1],
                      t / size[0] / size[1], line, line_of(*program.module, line),
                      source.empty() ? "" : "\n  source: " + source));
  });
}

void check_copied(const Op* op, Warp& w, int lane, std::uint64_t address, std::uint32_t bytes) {
  if (!w.block->checks->watch.unwritten) return;
  if (const auto at = w.worker->launch->memory->first_unwritten(address, bytes)) {
    fault_unwritten(op, w, lane, Space::global, *at);
  }
}

}  // namespace tilejit::emulator
