#pragma once
#include <string>
#include <vector>

#include <tilejit/runtime/options.h>

namespace tilejit::tool {

/// One thing that TileJIT needs or can use: what was found, whether it can be used, what to do if not.
struct Finding {
  std::string part;  ///< "NVRTC", "GPU driver", "GPU 0", ...
  bool usable = false;
  bool needed = false;  ///< nothing works without it
  std::string found;    ///< one line: path, version, build-id
  std::string remedy;   ///< empty where usable
};

/// Looks at everything anew; opens NVRTC and the driver, makes no context. Throws nothing: what fails is a finding.
std::vector<Finding> diagnose(const Options& options);

std::string to_text(const std::vector<Finding>& findings);
std::string to_json(const std::vector<Finding>& findings);  ///< docs/cli.md, format tilejit.doctor 1

}  // namespace tilejit::tool
