#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tilejit/runtime/jit.h>
#include <tilejit/tools/check.h>
#include <tilejit/tools/roofline.h>
#include <tilejit/tools/timing.h>

namespace tilejit::tool {

/// Everything that a run has to tell.
struct RunReport {
  std::string template_name, device;
  bool emulated = false;
  JitFunction::Choice choice;
  Timing timing;                             ///< no rounds: not timed
  std::optional<std::int64_t> bytes, flops;  ///< as [cost] says
  std::optional<Roofline> roofline;          ///< where both are known
  std::optional<Check> check;
  Jit::Counters counters{};
  std::vector<std::string> messages;  ///< the library's, where they were asked for
};

/// `explain`: where the Config comes from, what was made, and the messages too.
std::string to_text(const RunReport& report, bool explain);
std::string to_json(const RunReport& report);  ///< docs/cli.md, format tilejit.run 1

}  // namespace tilejit::tool
