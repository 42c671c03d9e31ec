#include <tilejit/runtime/emulator/execute/launch.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <utility>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/fills.h>
#include <tilejit/runtime/emulator/execute/pool.h>
#include <tilejit/runtime/emulator/execute/standstill.h>
#include <tilejit/runtime/emulator/execute/worker.h>

namespace tilejit::emulator {
namespace {

/// Turns that a block may spend polling before another block is begun beside it.
constexpr int patience = 50;
/// Turns spent polling after which a worker looks whether anything changes at all.
constexpr int most_patience = 4 * patience;
/// Blocks of one worker at a time; more spin on each other than any GPU would hold.
constexpr std::size_t most_resident = 256;

/// A launch's blocks go to its workers in about as many shares each, so that none waits long for the last.
constexpr std::uint64_t shares_a_worker = 64;

/// What the workers of a launch share. What all of them write lies apart from what they only read.
struct Progress {
  explicit Progress(int workers) : standstill(workers) {}
  std::uint64_t count = 0, share = 1;  ///< blocks; how many a worker takes at once
  Standstill standstill;
  alignas(64) std::atomic<std::uint64_t> next{0};
  alignas(64) std::atomic<std::uint64_t> lowest_fault{~std::uint64_t{0}};
  std::mutex mutex;
  std::optional<Fault> fault;
  std::map<std::uint64_t, std::string> printed;
  std::vector<std::uint32_t> order;  ///< of blocks; empty: rising

  void add(const Fault& f) {
    const std::lock_guard lock(mutex);
    if (fault && fault->block <= f.block) return;
    fault = f;
    lowest_fault = f.block;
  }
};

std::vector<std::uint32_t> shuffled(std::uint64_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t k = order.size(); k > 1; --k) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    std::swap(order[k - 1], order[(seed >> 33) % k]);
  }
  return order;
}

/// Hands out blocks, several at a time, since a counter that cores fight over costs as much as a small block.
struct Tickets {
  Progress& progress;
  std::uint64_t next = 0, end = 0;

  /// The next block; none is left: nothing.
  std::optional<std::uint64_t> take() {
    if (next == end) {
      next = progress.next.fetch_add(progress.share);
      end = std::min(next + progress.share, progress.count);
      if (next >= progress.count) {
        next = end = 0;
        return std::nullopt;
      }
    }
    const std::uint64_t ticket = next++;
    return progress.order.empty() ? ticket : progress.order[ticket];
  }
};

/// Runs blocks until none is left. Blocks behind the lowest fault are dropped; those before it still run, so that the
/// fault that is reported does not depend on timing.
void work(Worker& worker, Progress& progress, Standstill::Watch watch) {
  std::deque<std::unique_ptr<Block>> resident;
  Tickets tickets{progress};
  // Every block polls, and none has anything new to read.
  const auto stands_still = [&](Block& block) {
    if (!std::exchange(watch.watching, true)) progress.standstill.change(watch);
    const std::uint64_t digest = block.digest();
    if (digest == std::exchange(block.last_digest, digest)) return progress.standstill.stay(watch, resident.size() + 1);
    progress.standstill.change(watch);
    return false;
  };
  const auto goes_on = [&] {
    if (watch.watching) progress.standstill.change(watch);
    watch.watching = false;
  };
  int impatience = 0;
  bool more = true;
  for (;;) {
    const bool begin = resident.empty() || (impatience >= patience && resident.size() < most_resident);
    if (more && begin) {
      const std::optional<std::uint64_t> index = tickets.take();
      more = index.has_value();
      if (more) {
        if (*index < progress.lowest_fault) resident.push_front(worker.start(*index));
        impatience = 0;
        goes_on();
        if (resident.empty()) continue;
      }
    }
    if (resident.empty()) return progress.standstill.leave(watch);
    std::unique_ptr<Block> block = std::move(resident.front());
    resident.pop_front();
    try {
      if (block->run() == Block::Status::yielded) {
        if (impatience < most_patience) {
          ++impatience;
        } else if ((!more || resident.size() + 1 >= most_resident) && stands_still(*block)) {
          Block* lowest = block.get();
          for (const auto& one : resident) lowest = one->index < lowest->index ? one.get() : lowest;
          lowest->report_standstill(progress.count);
        }
        // With a fault elsewhere, what it waits for may never come.
        if (progress.lowest_fault == ~std::uint64_t{0}) resident.push_back(std::move(block));
        continue;
      }
      impatience = 0;
      goes_on();
      if (!block->printed.empty()) {
        const std::lock_guard lock(progress.mutex);
        progress.printed[block->index] = std::move(block->printed);
      }
      worker.finish(std::move(block));
    } catch (const Fault& f) {
      progress.add(f);
      const std::lock_guard lock(progress.mutex);
      progress.printed[block->index] = std::move(block->printed);
    } catch (const std::exception& error) {  // of the host: no memory for a check, say
      Fault f;
      f.kind = FaultKind::unsupported;
      f.block = block == nullptr ? 0 : block->index;
      f.text = std::string("the emulated device failed: ") + error.what() + "\n";
      progress.add(f);
    }
  }
}

}  // namespace

Outcome run(const Launch& launch) {
  Outcome outcome;
  const std::vector<std::byte> constants = launch_constants(launch);
  const std::uint64_t count = launch.blocks();
  const int wanted = launch.schedule.deterministic ? 1 : launch.schedule.workers;
  const int workers =
      static_cast<int>(std::clamp<std::uint64_t>(count, 1, static_cast<std::uint64_t>(std::max(wanted, 1))));
  Progress progress(workers);
  if (launch.schedule.shuffle != 0 && count < std::uint64_t{1} << 24) {
    progress.order = shuffled(count, launch.schedule.shuffle);
  }
  progress.count = count;
  progress.share = std::clamp<std::uint64_t>(count / (static_cast<std::uint64_t>(workers) * shares_a_worker), 1, 64);
  std::vector<std::unique_ptr<Worker>> all;
  for (int k = 0; k < workers; ++k) all.push_back(std::make_unique<Worker>(launch, constants));
  run_on_workers(workers, [&](int k) { work(*all[static_cast<std::size_t>(k)], progress, {.worker = k}); });

  outcome.fault = std::move(progress.fault);
  for (const auto& [block, text] : progress.printed) {
    if (!outcome.fault || block <= outcome.fault->block) outcome.printed += text;
  }
  outcome.counts.launches = 1;
  outcome.counts.blocks = count;
  outcome.counts.threads = count * launch.threads();
  for (const auto& worker : all) worker->add_counts(outcome.counts);
  return outcome;
}

}  // namespace tilejit::emulator
