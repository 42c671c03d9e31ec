#include <tilejit/bench/contest.h>

#include <algorithm>

#include <tilejit/bench/graph.h>
#include <tilejit/bench/rotation.h>

namespace tilejit::bench {
namespace {

class Stopwatch {
 public:
  Stopwatch(const Device& device, StreamRef stream)
      : stream_(stream),
        evictor_(device.empty(u8, {std::max<std::int64_t>(2 * device.l2_bytes(), 1)})),
        start_(device),
        stop_(device) {}
  /// Of what `work` enqueues, with the L2 cache cold.
  double milliseconds(const std::function<void()>& work) const {
    evictor_.fill_bytes(1, stream_);
    start_.record(stream_);
    work();
    stop_.record(stream_);
    stop_.synchronize();
    return double(stop_.milliseconds_since(start_));
  }

 private:
  const StreamRef stream_;
  const Tensor evictor_;
  const Event start_, stop_;
};

/// Milliseconds of each round.
struct Times {
  std::vector<double> ours, theirs;
};

Times interleaved(const Stopwatch& watch, const std::function<void()>& ours, const std::function<void()>& theirs,
                  int rounds) {
  watch.milliseconds(theirs);
  watch.milliseconds(ours);
  Times times;
  for (int round = 0; round < rounds; ++round) {
    if (round % 2 == 0) times.ours.push_back(watch.milliseconds(ours));
    times.theirs.push_back(watch.milliseconds(theirs));
    if (round % 2 != 0) times.ours.push_back(watch.milliseconds(ours));
  }
  return times;
}

Row named(const Contest& contest, int rounds) {
  Row row;
  row.work = contest.work;
  row.config = contest.config;
  row.peer = contest.peer;
  row.bound = contest.bound;
  row.rounds = rounds;
  return row;
}

Row by_launches(const Contest& contest, const Times& times) {
  std::vector<double> ours, theirs, ratios;
  for (std::size_t round = 0; round < times.ours.size(); ++round) {
    ours.push_back(contest.amount / (times.ours[round] * 1e-3 * contest.unit_size));
    theirs.push_back(contest.their_amount / (times.theirs[round] * 1e-3 * contest.unit_size));
    ratios.push_back(ours.back() / theirs.back());
  }
  Row row = named(contest, int(ratios.size()));
  row.unit = contest.unit;
  row.ours = spread_of(ours);
  row.theirs = spread_of(theirs);
  row.ratio = spread_of(ratios);
  return row;
}

Row by_replay(const Contest& contest, const Device& device, StreamRef stream, const Stopwatch& watch, int rounds) {
  const Rotation rotation = rotation_of(contest.amount);
  std::vector<BufferSet> sets;
  for (int i = 0; i < rotation.sets; ++i) sets.push_back(contest.another());
  const auto graph_of = [&](std::function<void()> BufferSet::*way) {
    return std::make_unique<const Graph>(device, stream, [&] {
      for (int i = 0; i < rotation.launches; ++i) (sets[std::size_t(i % rotation.sets)].*way)();
    });
  };
  const auto ours = graph_of(&BufferSet::ours), theirs = graph_of(&BufferSet::theirs);
  const Times times = interleaved(
      watch, [&] { ours->launch(stream); }, [&] { theirs->launch(stream); }, rounds);
  for (const BufferSet& set : sets) set.check();

  const auto microseconds = [&](double milliseconds) { return milliseconds * 1e3 / rotation.launches; };
  std::vector<double> mine, other, ratios;
  for (std::size_t round = 0; round < times.ours.size(); ++round) {
    mine.push_back(microseconds(times.ours[round]));
    other.push_back(microseconds(times.theirs[round]));
    ratios.push_back(contest.amount / mine.back() / (contest.their_amount / other.back()));
  }
  Row row = named(contest, rounds);
  row.unit = "us";
  row.ours = spread_of(mine);
  row.theirs = spread_of(other);
  row.ratio = spread_of(ratios);
  row.launches = rotation.launches;
  row.sets = rotation.sets;
  return row;
}

}  // namespace

Row settle(const Contest& contest, const Device& device, StreamRef stream, int rounds) {
  const Stopwatch watch(device, stream);
  if (contest.another) {
    const Times first = interleaved(watch, contest.ours, contest.theirs, 3);
    const double shorter = std::min(spread_of(first.ours).median, spread_of(first.theirs).median);
    // Events also time a launch, some microseconds, which is not the work's.
    if (shorter * 1e3 < 1.25 * contest.replay_below) {
      const Row row = by_replay(contest, device, stream, watch, rounds);
      if (std::min(row.ours.median, row.theirs.median) < contest.replay_below) return row;
    }
  }
  return by_launches(contest, interleaved(watch, contest.ours, contest.theirs, rounds));
}

}  // namespace tilejit::bench
