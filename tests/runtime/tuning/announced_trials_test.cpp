#include <tilejit/runtime/tuning/announced_trials.h>

#include <gtest/gtest.h>

#include <array>

namespace tilejit {
namespace {

using std::chrono::milliseconds;

/// Each question takes its time on a clock of its own.
class SlowTrials : public Trials {
 public:
  explicit SlowTrials(milliseconds each) : each_(each) {}
  AnnouncedTrials::Clock::time_point now() const { return AnnouncedTrials::Clock::time_point(passed_); }
  std::optional<std::string> prepare(const Config&, Measurement& facts) override {
    passed_ += each_;
    facts.registers = 40;
    return std::nullopt;
  }
  std::optional<std::string> check(const Config& config) override {
    passed_ += each_;
    return config.num_warps == 8 ? std::optional<std::string>("differs") : std::nullopt;
  }
  void warm_up(const Config&) override { ++warmed; }
  void rest(double milliseconds) override { rested += milliseconds; }
  double time(const Config& config) override {
    passed_ += each_;
    return config.num_warps;
  }
  int warmed = 0;
  double rested = 0;

 private:
  const milliseconds each_;
  milliseconds passed_{0};
};

struct Told {
  std::vector<std::size_t> prepared;
  TuningResult result;
};

Told tune_announced(milliseconds each) {
  const std::array configs{Config{{}, 4, 1}, Config{{}, 8, 1}, Config{{}, 2, 1}};
  SlowTrials slow(each);
  Told told;
  AnnouncedTrials trials(
      slow, [&](std::size_t prepared) { told.prepared.push_back(prepared); }, [&] { return slow.now(); });
  told.result = tune(configs, trials, {.modelled = true});
  return told;
}

TEST(AnnouncedTrials, ShortOnesAreNotAnnounced) { EXPECT_TRUE(tune_announced(milliseconds(100)).prepared.empty()); }

TEST(AnnouncedTrials, LongOnesAreAnnouncedOnceWithWhatWasPreparedByThen) {
  EXPECT_EQ(tune_announced(milliseconds(300)).prepared, std::vector<std::size_t>{2});
  EXPECT_EQ(tune_announced(milliseconds(5000)).prepared, std::vector<std::size_t>{1});
}

TEST(AnnouncedTrials, ChangeNothing) {
  const TuningResult result = tune_announced(milliseconds(5000)).result;
  ASSERT_EQ(result.measurements.size(), 2u);
  EXPECT_EQ(result.best().config.num_warps, 2);
  EXPECT_EQ(result.best().registers, 40);
  ASSERT_EQ(result.rejected.size(), 1u);
  EXPECT_EQ(result.rejected[0].why, "differs");
}

/// Rests were lost on their way to the device once.
TEST(AnnouncedTrials, HandOnEveryQuestion) {
  SlowTrials slow(milliseconds(1));
  AnnouncedTrials trials(slow, [](std::size_t) {});
  const std::array configs{Config{{}, 4, 1}, Config{{}, 2, 1}};
  tune(configs, trials);
  EXPECT_EQ(slow.warmed, 1);
  EXPECT_GE(slow.rested, 2 + 4);
}

}  // namespace
}  // namespace tilejit
