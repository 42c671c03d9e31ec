#pragma once
#include <map>
#include <memory>
#include <vector>

#include <tilejit/runtime/settle.h>
#include <tilejit/runtime/tuning/scratch.h>
#include <tilejit/runtime/tuning/tuner.h>

namespace tilejit {

/// Trials on the caller's stream: they wait for what it holds, and what comes after waits for them. Outputs are
/// scratch; `update` arguments start from the caller's values each time. The L2 is flushed before each timed run.
class DeviceTrials : public Trials {
 public:
  explicit DeviceTrials(const Situation& situation);

  std::optional<std::string> prepare(const Config& config, Measurement& facts) override;
  std::optional<std::string> check(const Config& config) override;
  void warm_up(const Config& config) override;
  void rest(double milliseconds) override;
  double time(const Config& config) override;

 protected:
  /// What check() launches: once, on the reference's outputs or the trial's.
  virtual void launch_on(const Config& config, bool reference);

 private:
  struct Output {
    const std::string& name;
    std::size_t argument;  ///< among the tensors
    bool update;
    ScratchTensor reference, trial;
  };
  void reset(const ScratchTensor& scratch, const Output& output) const;
  /// What the absolute tolerance is multiplied by: two orders of summing N numbers differ by about sqrt(N).
  double growth() const;
  std::int64_t differences(const Output& output);

  const Situation& situation_;
  std::map<Config, std::shared_ptr<Prepared>> prepared_;
  std::vector<Output> outputs_;
  bool have_reference_ = false;
  Workspace flush_, counter_;
  Event start_, end_;
};

}  // namespace tilejit
