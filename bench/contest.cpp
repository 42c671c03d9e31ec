#include <tilejit/bench/contest.h>

#include <algorithm>

namespace tilejit::bench {

Row settle(const Contest& contest, const Device& device, StreamRef stream, int rounds) {
  const Tensor evictor = device.empty(u8, {std::max<std::int64_t>(2 * device.l2_bytes(), 1)});
  const Event start(device), stop(device);
  const auto milliseconds = [&](const std::function<void()>& work) {
    evictor.fill_bytes(1, stream);
    start.record(stream);
    work();
    stop.record(stream);
    stop.synchronize();
    return double(stop.milliseconds_since(start));
  };
  milliseconds(contest.theirs);
  milliseconds(contest.ours);
  std::vector<double> ours, theirs, ratios;
  for (int round = 0; round < rounds; ++round) {
    double mine = 0, other = 0;
    if (round % 2 == 0) {
      mine = milliseconds(contest.ours);
      other = milliseconds(contest.theirs);
    } else {
      other = milliseconds(contest.theirs);
      mine = milliseconds(contest.ours);
    }
    ours.push_back(contest.amount / (mine * 1e-3 * contest.unit_size));
    theirs.push_back(contest.their_amount / (other * 1e-3 * contest.unit_size));
    ratios.push_back(ours.back() / theirs.back());
  }
  Row row;
  row.work = contest.work;
  row.config = contest.config;
  row.peer = contest.peer;
  row.unit = contest.unit;
  row.ours = spread_of(ours);
  row.theirs = spread_of(theirs);
  row.ratio = spread_of(ratios);
  row.bound = contest.bound;
  row.rounds = rounds;
  return row;
}

}  // namespace tilejit::bench
