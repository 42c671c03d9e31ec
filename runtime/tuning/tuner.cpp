#include <tilejit/runtime/tuning/tuner.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace tilejit {
namespace {

struct Runner {
  Measurement measurement;
  std::vector<double> times;
  bool running = true;
};

/// The time that this share of the runs did not exceed; 0.5: the median.
double quantile(std::vector<double> times, double share) {
  const auto place = times.begin() + std::ptrdiff_t(double(times.size()) * share);
  std::ranges::nth_element(times, place);
  return *place;
}
double median_of(const std::vector<double>& times) { return quantile(times, 0.5); }

/// Of the median, from the middle half of the runs, which the few slow ones do not touch.
double standard_error(const std::vector<double>& times) {
  return 0.93 * (quantile(times, 0.75) - quantile(times, 0.25)) / std::sqrt(double(times.size()));
}

/// Rounds, each in an order of its own: a device's clock moves with what ran before, and in periods that a round may
/// meet.
class Rounds {
 public:
  Rounds(std::vector<Runner>& runners, Trials& trials, bool rests) : trials_(trials), rests_(rests) {
    for (Runner& runner : runners) order_.push_back(&runner);
  }
  void one() {
    for (Runner* const runner : order_) {
      if (!runner->running) continue;
      const double taken = trials_.time(runner->measurement.config);
      runner->times.push_back(taken);
      spent_ += taken;
      if (rests_ && taken >= 0.1) trials_.rest(taken);  // shorter ones wait for their launch as long as they run
    }
    std::ranges::shuffle(order_, random_);
  }
  double spent() const { return spent_; }  ///< milliseconds of timed runs

 private:
  Trials& trials_;
  bool rests_;
  std::vector<Runner*> order_;
  std::mt19937 random_;  // from its own seed: the same orders each time
  double spent_ = 0;
};

void drop_the_slow(std::vector<Runner>& runners, const TunerOptions& options) {
  double best = median_of(runners.front().times);
  for (const Runner& runner : runners) best = std::min(best, *std::ranges::min_element(runner.times));
  for (Runner& runner : runners) {
    runner.running = *std::ranges::min_element(runner.times) <= options.keep_within * best;
  }
}

double best_median(const std::vector<Runner>& runners) {
  double best = std::numeric_limits<double>::infinity();
  for (const Runner& runner : runners)
    if (runner.running) best = std::min(best, median_of(runner.times));
  return best;
}

/// Lets those go that are surely behind; whether another round could still change the order of those that stay.
bool undecided(std::vector<Runner>& runners) {
  constexpr double sure = 3, alike = 0.01;
  const auto leader = std::ranges::find_if(runners, [best = best_median(runners)](const Runner& runner) {
    return runner.running && median_of(runner.times) == best;
  });
  const double best = median_of(leader->times), own = standard_error(leader->times);
  bool open = false;
  for (Runner& runner : runners) {
    if (!runner.running || &runner == &*leader) continue;
    const double behind = median_of(runner.times) / best - 1;
    const double error = sure * std::hypot(own, standard_error(runner.times)) / best;
    runner.running = behind <= alike || behind <= error;
    open = open || (runner.running && error > alike);
  }
  return open;
}

void race(std::vector<Runner>& runners, Rounds& rounds, const TunerOptions& options) {
  const double best = best_median(runners), until = std::min(rounds.spent() + options.race_ms, options.budget_ms);
  for (Runner& runner : runners) {
    runner.running = runner.running && median_of(runner.times) <= options.race_within * best;
  }
  for (int round = options.rounds; round < options.race_rounds && rounds.spent() < until && undecided(runners); ++round)
    rounds.one();
}

}  // namespace

TuningResult tune(std::span<const Config> candidates, Trials& trials, const TunerOptions& options) {
  TuningResult result;
  result.modelled = options.modelled;
  std::vector<Runner> runners;
  for (const Config& config : candidates) {
    Runner runner{.measurement = {.config = config}, .times = {}};
    std::optional<std::string> why = trials.prepare(config, runner.measurement);
    if (!why) why = trials.check(config);
    if (why) {
      result.rejected.push_back({config, *why});
    } else {
      runners.push_back(std::move(runner));
    }
  }
  if (runners.empty()) return result;

  if (!options.modelled) trials.warm_up(runners.front().measurement.config);
  Rounds rounds(runners, trials, !options.modelled);
  const int first_rounds = options.modelled ? 1 : options.first_rounds;
  for (int round = 0; round < first_rounds && (round == 0 || rounds.spent() < options.budget_ms); ++round) rounds.one();
  if (!options.modelled) {
    drop_the_slow(runners, options);
    for (int round = first_rounds; round < options.rounds && rounds.spent() < options.budget_ms; ++round) rounds.one();
    race(runners, rounds, options);
  }

  for (Runner& runner : runners) {
    Measurement& m = runner.measurement;
    m.median = median_of(runner.times);
    m.lowest = *std::ranges::min_element(runner.times);
    m.highest = *std::ranges::max_element(runner.times);
    m.rounds = int(runner.times.size());
    result.measurements.push_back(m);
  }
  // Those that stayed to the end were measured best; the others only showed that they are slower.
  std::ranges::stable_sort(result.measurements, [](const Measurement& a, const Measurement& b) {
    return a.rounds != b.rounds ? a.rounds > b.rounds : a.median < b.median;
  });
  // Within the noise the earlier candidate stays: the default, then the order of [config].
  const Measurement best = result.measurements.front();
  for (const Config& config : candidates) {
    const auto found = std::ranges::find(result.measurements, config, &Measurement::config);
    if (found == result.measurements.end() || found->rounds != best.rounds) continue;
    const bool apart = !options.modelled && found->lowest > best.highest;
    if (found->median > best.median * 1.01 || apart) continue;
    std::rotate(result.measurements.begin(), found, found + 1);
    break;
  }
  return result;
}

}  // namespace tilejit
