#include <tilejit/runtime/emulator/execute/worker.h>

#include <algorithm>
#include <cstring>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/fills.h>
#include <tilejit/runtime/emulator/execute/splits.h>
#include <tilejit/runtime/emulator/memory/block_checks.h>

namespace tilejit::emulator {
namespace {

/// Behind a warp's registers: where join_parked brings lanes together.
constexpr std::size_t scratch_bytes = 1024;
/// What nobody wrote reads as a NaN in every type.
constexpr int unwritten = 0xFF;

}  // namespace

Worker::Worker(const Launch& l, const std::vector<std::byte>& c)
    : launch(&l), program(l.program), constants(&c), sites(l.program->sites.size()), flow(l.program->op_count + 2) {
  for (std::size_t k = 0; k < sites.size(); ++k) {
    const Site& site = program->sites[k];
    sites[k].bytes = std::max<std::uint32_t>(site.bytes, 1);
    sites[k].reads = !site.store || site.atomic ? 1 : 0;
    sites[k].touching = static_cast<std::uint8_t>(touching(site.store, site.atomic || site.strong));
  }
}

Worker::~Worker() = default;

std::unique_ptr<Block> Worker::start(std::uint64_t index) {
  const std::uint32_t threads = launch->threads(), warps = (threads + 31) / 32;
  const std::size_t stride = (program->register_bytes + scratch_bytes + 63) / 64 * 64;
  const std::int64_t shared_end = program->dynamic_start + launch->dynamic_shared;
  const std::size_t local = static_cast<std::size_t>(program->local_bytes) * 32;

  std::unique_ptr<Block> block;
  if (!spare.empty()) {
    block = std::move(spare.back());
    spare.pop_back();
  } else {
    block = std::make_unique<Block>();
    block->worker = this;
    block->registers.resize(stride * warps);
    std::memset(block->registers.start, unwritten, stride * warps);
    block->shared.resize(static_cast<std::size_t>(shared_end));
    block->local.resize(local * warps);
    block->constants.resize(constants->size());
    std::memcpy(block->constants.start, constants->data(), constants->size());
    block->warps.resize(warps);
    for (std::uint32_t k = 0; k < warps; ++k) {
      Warp& w = block->warps[k];
      w.base[0] = block->registers.start + stride * k;
      w.worker = this;
      w.index = static_cast<int>(k);
      fill_warp(w);  // these registers are never given to anything else
    }
  }
  block->index = index;
  block->ctaid[0] = static_cast<std::uint32_t>(index % launch->grid[0]);
  block->ctaid[1] = static_cast<std::uint32_t>(index / launch->grid[0] % launch->grid[1]);
  block->ctaid[2] = static_cast<std::uint32_t>(index / launch->grid[0] / launch->grid[1]);
  ++block->interval;
  block->printed.clear();
  block->random = launch->schedule.shuffle == 0 ? 0 : (launch->schedule.shuffle + index * 0x9E3779B97F4A7C15u) | 1;
  for (Barrier& barrier : block->barriers) barrier = Barrier{};
  for (AsyncCopies& copies : block->copies) copies.clear();
  std::memset(block->shared.start, unwritten, static_cast<std::size_t>(shared_end));
  if (local != 0) std::memset(block->local.start, unwritten, local * warps);
  fill_block(*block);
  const Schedule& schedule = launch->schedule;
  const bool checks = schedule.check_unwritten || schedule.check_races || schedule.distinct;
  if (checks) {
    if (!block->checks) block->checks = std::make_unique<BlockChecks>();
    block->checks->begin(schedule, *program, block->interval, static_cast<std::size_t>(shared_end), warps);
  }

  for (std::uint32_t k = 0; k < warps; ++k) {
    Warp& w = block->warps[k];
    w.base[1] = block->constants.start;
    w.live = threads - 32 * k >= 32 ? ~0u : (1u << (threads - 32 * k)) - 1;
    w.sites = sites.data();
    w.flow = flow.data();
    w.ops = program->ops.get();
    w.shared = block->shared.start;
    w.shared_begin = shared_start;
    w.shared_end = shared_end;
    w.local = block->local.start + local * k;
    w.local_bytes = program->local_bytes;
    w.block = block.get();
    w.yielded = false;
    w.checking = checks;
    w.watch = checks ? &block->checks->watch : nullptr;
    w.plain_mma = schedule.plain_mma;
    w.syncs = 0;
    w.ready_count = w.parked_count = 0;
    make_ready(w, program->ops.get(), w.live);
  }
  return block;
}

void Worker::finish(std::unique_ptr<Block> block) {
  if (block->checks) block->checks->add_distinct(distinct);
  spare.push_back(std::move(block));
}

void Worker::add_counts(LaunchCounts& counts) {
  counts.warps += distinct.warps;
  counts.distinct_load_sectors += distinct.sectors;
  counts.distinct_load_bytes += distinct.bytes;
  counts.accesses.resize(sites.size());
  counts.executions.resize(sites.size());
  for (std::size_t i = 0; i < sites.size(); ++i) {
    sites[i].settle();
    const AccessCounts& from = sites[i].counts;
    AccessCounts& to = counts.accesses[i];
    to.requests += from.requests;
    to.lanes += from.lanes;
    to.sectors += from.sectors;
    to.ideal_sectors += from.ideal_sectors;
    to.unique_bytes += from.unique_bytes;
    to.wavefronts += from.wavefronts;
    to.ideal_wavefronts += from.ideal_wavefronts;
  }
  Flow running;
  std::size_t site = 0;
  for (std::uint32_t op = 0; op < program->op_count; ++op) {
    running.warps += flow[op].warps;
    running.threads += flow[op].threads;
    // An instruction ran as often as the first of its ops.
    for (; site < sites.size() && program->sites[site].first_op <= op; ++site) {
      const bool empty =
          program->sites[site].first_op < op || (site + 1 < sites.size() && program->sites[site + 1].first_op == op);
      if (empty) continue;
      counts.executions[site].warps += static_cast<std::uint64_t>(running.warps);
      counts.executions[site].threads += static_cast<std::uint64_t>(running.threads);
    }
  }
}

}  // namespace tilejit::emulator
