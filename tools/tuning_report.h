#pragma once
#include <string>

#include <tilejit/runtime/tuning/tuning_result.h>

namespace tilejit::tool {

/// Where and for what a TuningResult was found.
struct TuningScene {
  std::string template_name, device;
  bool emulated = false;
};

/// A table, best first, then the Configs that were not timed and why.
std::string to_text(const TuningScene& scene, const TuningResult& result);
std::string to_json(const TuningScene& scene, const TuningResult& result);  ///< docs/cli.md, format tilejit.tune 1

}  // namespace tilejit::tool
