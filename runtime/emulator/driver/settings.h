#pragma once
#include <cstdint>
#include <string>

namespace tilejit::emulator {

/// What the environment says, read once by the first cuInit.
struct Settings {
  int major = 9, minor = 0;                         ///< TILEJIT_EMULATED_CC: 8.0, 8.9, 9.0, 10.0
  std::uint64_t memory = std::uint64_t{80} << 30;   ///< TILEJIT_EMULATED_MEMORY: bytes, or with K, M, G, T behind
  int workers = 0;                                  ///< TILEJIT_EMULATED_WORKERS; 0: one a core
  bool deterministic = false;                       ///< TILEJIT_EMULATED_DETERMINISTIC=1
  std::uint64_t shuffle = 0;                        ///< TILEJIT_EMULATED_SHUFFLE: a seed
  bool check_unwritten = true, check_races = true;  ///< TILEJIT_EMULATED_CHECK: unwritten, races, by commas; all; none
  bool plain_mma = false;                           ///< TILEJIT_EMULATED_MMA: exact, plain
  std::string instruction_set;                      ///< TILEJIT_EMULATED_SET: v2, v3, v4: no better than
  std::string problem;                              ///< what could not be read; empty: all was
};

Settings read_settings();

}  // namespace tilejit::emulator
