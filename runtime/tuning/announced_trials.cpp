#include <tilejit/runtime/tuning/announced_trials.h>

#include <utility>

namespace tilejit {

AnnouncedTrials::AnnouncedTrials(Trials& trials, std::function<void(std::size_t)> say,
                                 std::function<Clock::time_point()> now)
    : trials_(trials), say_(std::move(say)), now_(std::move(now)) {}

void AnnouncedTrials::look_at_the_clock() {
  if (said_) return;
  const Clock::time_point now = now_();
  if (!start_) start_ = now;
  if (now - *start_ < patience) return;
  said_ = true;
  say_(prepared_);
}

std::optional<std::string> AnnouncedTrials::prepare(const Config& config, Measurement& facts) {
  look_at_the_clock();
  ++prepared_;
  return trials_.prepare(config, facts);
}

std::optional<std::string> AnnouncedTrials::check(const Config& config) {
  look_at_the_clock();
  return trials_.check(config);
}

void AnnouncedTrials::warm_up(const Config& config) {
  look_at_the_clock();
  trials_.warm_up(config);
}

void AnnouncedTrials::rest(double milliseconds) { trials_.rest(milliseconds); }

double AnnouncedTrials::time(const Config& config) {
  look_at_the_clock();
  return trials_.time(config);
}

}  // namespace tilejit
