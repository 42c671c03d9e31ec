#include <tilejit/runtime/tuning/tuner.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace tilejit {
namespace {

Config config(std::int64_t block, int num_warps = 4) {
  return {.constants = {{"BLOCK", block}}, .num_warps = num_warps, .num_stages = 1};
}

/// A world in which each Config has a base time that drifts a little with every run.
class FakeTrials : public Trials {
 public:
  std::map<Config, double> base;
  std::map<Config, std::string> unbuildable, wrong;
  std::vector<Config> order;
  double drift = 0;

  std::optional<std::string> prepare(const Config& c, Measurement& facts) override {
    facts.registers = int(c.constants[0].second);
    if (const auto found = unbuildable.find(c); found != unbuildable.end()) return found->second;
    return std::nullopt;
  }
  std::optional<std::string> check(const Config& c) override {
    if (const auto found = wrong.find(c); found != wrong.end()) return found->second;
    return std::nullopt;
  }
  void warm_up(const Config&) override {}
  void rest(double) override {}
  double time(const Config& c) override {
    order.push_back(c);
    return base.at(c) * (1 + drift * double(order.size() % 7));
  }
};

TEST(Tuner, TheLowestMedianIsBest) {
  FakeTrials trials;
  trials.base = {{config(64), 3.0}, {config(128), 2.0}, {config(256), 2.5}};
  const std::vector<Config> candidates = {config(64), config(128), config(256)};
  const TuningResult result = tune(candidates, trials);
  EXPECT_EQ(result.best().config, config(128));
  EXPECT_EQ(result.best().registers, 128);
  EXPECT_FALSE(result.modelled);
}

TEST(Tuner, RunsAreInterleavedOneOfEachARoundInOrdersThatChange) {
  FakeTrials trials;
  trials.base = {{config(1), 1.0}, {config(2), 1.2}, {config(3), 1.1}};
  const std::vector<Config> candidates = {config(1), config(2), config(3)};
  tune(candidates, trials, {.rounds = 5});
  ASSERT_EQ(trials.order.size(), 15u);
  std::set<std::vector<Config>> orders;
  for (std::size_t i = 0; i < trials.order.size(); i += 3) {
    std::vector<Config> round(trials.order.begin() + std::ptrdiff_t(i), trials.order.begin() + std::ptrdiff_t(i + 3));
    orders.insert(round);
    std::ranges::sort(round);
    EXPECT_EQ(round, candidates);
  }
  EXPECT_GT(orders.size(), 1u);
}

/// A device whose clock falls at every fourth run.
class PeriodicTrials : public FakeTrials {
 public:
  double time(const Config& c) override {
    const double usual = FakeTrials::time(c);
    return usual * (order.size() % 4 == 1 ? 1.3 : 1);
  }
};

TEST(Tuner, AClockThatFallsAsOftenAsRoundsComeIsNotHeldAgainstOne) {
  PeriodicTrials trials;
  trials.base = {{config(0), 1.0}, {config(1), 1.1}, {config(2), 1.12}, {config(3), 1.15}};
  const std::vector<Config> candidates = {config(0), config(1), config(2), config(3)};
  EXPECT_EQ(tune(candidates, trials).best().config, config(0));
}

TEST(Tuner, TheSlowLeaveAfterTheFirstRounds) {
  FakeTrials trials;
  trials.base = {{config(1), 1.0}, {config(2), 5.0}};
  const std::vector<Config> candidates = {config(1), config(2)};
  const TuningResult result = tune(candidates, trials, {.rounds = 9, .first_rounds = 2});
  EXPECT_EQ(result.measurements[0].rounds, 9);
  EXPECT_EQ(result.measurements[1].rounds, 2);
}

TEST(Tuner, AFailingConfigIsDataWithItsReason) {
  FakeTrials trials;
  trials.base = {{config(1), 1.0}, {config(2), 0.1}, {config(3), 0.2}};
  trials.unbuildable = {{config(2), "does not compile"}};
  trials.wrong = {{config(3), "output y differs"}};
  const std::vector<Config> candidates = {config(1), config(2), config(3)};
  const TuningResult result = tune(candidates, trials);
  ASSERT_EQ(result.measurements.size(), 1u);
  EXPECT_EQ(result.best().config, config(1));
  ASSERT_EQ(result.rejected.size(), 2u);
  EXPECT_EQ(result.rejected[0].why, "does not compile");
  EXPECT_EQ(result.rejected[1].why, "output y differs");
}

TEST(Tuner, NothingLeftIsAnEmptyResultNotACrash) {
  FakeTrials trials;
  trials.unbuildable = {{config(1), "no"}};
  const std::vector<Config> candidates = {config(1)};
  const TuningResult result = tune(candidates, trials);
  EXPECT_TRUE(result.measurements.empty());
  EXPECT_EQ(result.rejected.size(), 1u);
}

TEST(Tuner, WithinTheNoiseTheEarlierCandidateStays) {
  FakeTrials trials;
  trials.drift = 0.01;
  trials.base = {{config(64), 1.005}, {config(128), 1.0}, {config(256), 1.3}};
  const std::vector<Config> candidates = {config(64), config(128), config(256)};
  EXPECT_EQ(tune(candidates, trials).best().config, config(64));
  trials.base[config(64)] = 1.05;
  EXPECT_EQ(tune(candidates, trials).best().config, config(128));
}

TEST(Tuner, ACandidateThatIsFasterInEveryRunPassesAnEarlierOne) {
  FakeTrials trials;
  trials.base = {{config(64), 1.005}, {config(128), 1.0}};
  const std::vector<Config> candidates = {config(64), config(128)};
  EXPECT_EQ(tune(candidates, trials).best().config, config(128));
  EXPECT_EQ(tune(candidates, trials, {.modelled = true}).best().config, config(64));  // a model is no nearer than 1 %
  trials.base[config(64)] = 1.05;
  EXPECT_EQ(tune(candidates, trials).best().config, config(128));
}

TEST(Tuner, ASpentBudgetEndsTheRoundsButEverybodyRanOnce) {
  FakeTrials trials;
  trials.base = {{config(1), 1000.0}, {config(2), 900.0}};
  const std::vector<Config> candidates = {config(1), config(2)};
  const TuningResult result = tune(candidates, trials, {.budget_ms = 1500});
  EXPECT_EQ(trials.order.size(), 2u);
  EXPECT_EQ(result.best().config, config(2));
}

TEST(Tuner, AModelIsAskedOnceAndSaysSo) {
  FakeTrials trials;
  trials.base = {{config(1), 7.0}, {config(2), 6.0}};
  const std::vector<Config> candidates = {config(1), config(2)};
  const TuningResult result = tune(candidates, trials, {.modelled = true});
  EXPECT_TRUE(result.modelled);
  EXPECT_EQ(trials.order.size(), 2u);
  EXPECT_EQ(result.best().config, config(2));
}

TEST(Tuner, DriftHitsAllAlikeSoTheOrderHolds) {
  FakeTrials trials;
  trials.drift = 0.05;
  trials.base = {{config(1), 1.2}, {config(2), 1.0}, {config(3), 1.25}};
  const std::vector<Config> candidates = {config(1), config(2), config(3)};
  EXPECT_EQ(tune(candidates, trials).best().config, config(2));
}

/// A device that was idle: at first it takes four times as long.
class IdleTrials : public FakeTrials {
 public:
  int slow_runs = 20, warmed_up = 0;
  void warm_up(const Config& c) override {
    ++warmed_up;
    EXPECT_TRUE(order.empty());
    while (slow_runs > 0) time(c);
    order.clear();
  }
  double time(const Config& c) override {
    const double usual = FakeTrials::time(c);
    return usual * (slow_runs-- > 0 ? 4 : 1);
  }
};

TEST(Tuner, ADeviceThatWasIdleIsWarmedUpSoThatWhoIsTimedFirstIsNotHeldBack) {
  IdleTrials trials;
  std::vector<Config> candidates;
  for (int i = 0; i < 12; ++i) {
    candidates.push_back(config(i));
    trials.base[candidates.back()] = i == 0 ? 1.0 : 1.2;
  }
  const TuningResult result = tune(candidates, trials);
  EXPECT_EQ(trials.warmed_up, 1);
  EXPECT_EQ(result.best().config, candidates.front());

  IdleTrials model;
  model.base = trials.base;
  tune(candidates, model, {.modelled = true});
  EXPECT_EQ(model.warmed_up, 0);
}

/// A device whose clock falls under a load without breaks: then one Config is a tenth slower, which a call among others
/// does not meet.
class HotTrials : public FakeTrials {
 public:
  Config power_hungry;
  double heat = 0, longest_rest = 0;  ///< heat: milliseconds of work that no rest made good
  void rest(double milliseconds) override {
    longest_rest = std::max(longest_rest, milliseconds);
    heat = std::max(0.0, heat - milliseconds);
  }
  double time(const Config& c) override {
    const double taken = FakeTrials::time(c) * (heat > 10 && c == power_hungry ? 1.1 : 1.0);
    heat += taken;
    return taken;
  }
};

TEST(Tuner, ALongRunIsFollowedByARestSoThatTuningIsNoLoadWithoutBreaks) {
  HotTrials trials;
  trials.power_hungry = config(1);
  trials.base = {{config(0), 1.04}, {config(1), 1.0}, {config(2), 1.05}, {config(3), 1.03}};
  const std::vector<Config> candidates = {config(0), config(1), config(2), config(3)};
  EXPECT_EQ(tune(candidates, trials).best().config, config(1));
  EXPECT_NEAR(trials.longest_rest, 1.05, 1e-9);

  HotTrials without_heat;  // runs that wait for their launches as long as they take
  for (const auto& [c, ms] : trials.base) without_heat.base[c] = ms / 100;
  without_heat.power_hungry = config(1);
  tune(candidates, without_heat);
  EXPECT_EQ(without_heat.longest_rest, 0);

  HotTrials model;
  model.power_hungry = config(1);
  model.base = trials.base;
  tune(candidates, model, {.modelled = true});
  EXPECT_EQ(model.longest_rest, 0);
}

/// Kernels of some microseconds: runs vary by 5 %, and one in twenty takes half as long again.
class NoisyTrials : public FakeTrials {
 public:
  explicit NoisyTrials(unsigned seed) : random_(seed) {}
  double time(const Config& c) override {
    spent += base.at(c);
    double noise = 0;  // of twelve uniform numbers: about normal, and alike on every machine
    for (int i = 0; i < 12; ++i) noise += double(random_()) / 0x1p32 - 0.5;
    return FakeTrials::time(c) * (1 + 0.05 * noise) * (random_() % 20 == 0 ? 1.5 : 1.0);
  }
  double spent = 0;

 private:
  std::mt19937 random_;
};

struct Contest {
  int won = 0;
  double longest = 0;  ///< device time of one tuning, milliseconds
};

/// How often the candidate that is 5 % ahead of two dozen others is found.
Contest contest(double milliseconds, const TunerOptions& options, int seeds) {
  std::vector<Config> candidates;
  for (int i = 0; i < 24; ++i) candidates.push_back(config(i));
  Contest found;
  for (int seed = 0; seed < seeds; ++seed) {
    NoisyTrials trials{unsigned(seed)};
    for (int i = 0; i < 24; ++i) trials.base[config(i)] = milliseconds * (i == 17 ? 1.0 : 1.05 + 0.01 * (i % 8));
    found.won += tune(candidates, trials, options).best().config == config(17);
    found.longest = std::max(found.longest, trials.spent);
  }
  return found;
}

TEST(Tuner, ShortKernelsThatDifferByLessThanTheirRunsVaryAreToldApart) {
  const Contest raced = contest(0.010, {}, 300);
  EXPECT_GE(raced.won, 297);
  EXPECT_LT(raced.longest, 24 * 9 * 0.012 + 40);
  EXPECT_LT(contest(0.010, {.race_ms = 0}, 300).won, 270);  // nine rounds are too few
}

TEST(Tuner, TheRaceOfLongKernelsEndsWithItsBudget) {
  const TunerOptions options;
  EXPECT_LE(contest(2.0, options, 5).longest, 24 * 9 * 2.3 + options.race_ms + 24 * 2.3);
}

TEST(Tuner, WhoIsSurelyBehindLeavesTheRaceAndSteadyRunsNeedNone) {
  NoisyTrials trials{1};
  trials.base = {{config(1), 0.0108}, {config(2), 0.010}, {config(3), 0.013}};
  const std::vector<Config> candidates = {config(1), config(2), config(3)};
  const TuningResult result = tune(candidates, trials);
  EXPECT_EQ(result.best().config, config(2));
  EXPECT_LT(result.best().rounds, TunerOptions().race_rounds);
  EXPECT_EQ(result.measurements.back().config, config(3));
  EXPECT_EQ(result.measurements.back().rounds, TunerOptions().rounds);

  FakeTrials steady;
  steady.base = {{config(1), 0.0101}, {config(2), 0.010}};
  tune(std::vector{config(1), config(2)}, steady);
  EXPECT_EQ(steady.order.size(), 2U * std::size_t(TunerOptions().rounds));
}

}  // namespace
}  // namespace tilejit
