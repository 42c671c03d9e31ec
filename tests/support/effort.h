#pragma once
#include <cstdlib>

namespace tilejit::test {

/// Neither a sanitizer nor clang: what takes minutes is done in this build alone.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
inline constexpr bool is_default_build = false;
#else
inline constexpr bool is_default_build = true;
#endif

/// How many rounds a fuzz or sweep test makes: `quick` as it stands, times TILEJIT_TEST_EFFORT where that is set.
inline long rounds(long quick) {
  const char* effort = std::getenv("TILEJIT_TEST_EFFORT");
  const long factor = effort == nullptr ? 1 : std::strtol(effort, nullptr, 10);
  return quick * (factor > 0 ? factor : 1);
}

}  // namespace tilejit::test
