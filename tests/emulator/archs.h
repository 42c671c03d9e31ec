#pragma once
#include <cstdlib>
#include <string>
#include <vector>

namespace tilejit::testing {

/// What kernels are compiled for: the dialects of PTX that the device which TILEJIT_EMULATED_CC chooses can load.
inline std::vector<std::string> archs() {
  const char* const cc = std::getenv("TILEJIT_EMULATED_CC");
  if (cc != nullptr && std::string(cc) == "10.0") return {"compute_100"};
  return {"compute_80", "compute_90"};
}

}  // namespace tilejit::testing
