#pragma once
#include <chrono>
#include <cstddef>
#include <functional>

#include <tilejit/runtime/tuning/tuner.h>

namespace tilejit {

/// Trials that tell a caller who waits for them: `say` is called once, with how many Configs were prepared by then,
/// when the first trial begins that lies a second or more after the first of all. Never where they take less.
class AnnouncedTrials : public Trials {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds patience{1};

  AnnouncedTrials(
      Trials& trials, std::function<void(std::size_t prepared)> say,
      std::function<Clock::time_point()> now = [] { return Clock::now(); });

  std::optional<std::string> prepare(const Config& config, Measurement& facts) override;
  std::optional<std::string> check(const Config& config) override;
  void warm_up(const Config& config) override;
  void rest(double milliseconds) override;
  double time(const Config& config) override;

 private:
  void look_at_the_clock();

  Trials& trials_;
  const std::function<void(std::size_t)> say_;
  const std::function<Clock::time_point()> now_;
  std::optional<Clock::time_point> start_;
  std::size_t prepared_ = 0;
  bool said_ = false;
};

}  // namespace tilejit
