#pragma once
// block_check(condition, text): in a debug build (`--debug`, Specialization::debug) a condition that does not hold ends
// the launch with an assert's message; in any other it costs nothing and is not evaluated.
#define block_check(CONDITION, TEXT)                                                                       \
  do {                                                                                                     \
    if constexpr (debug_checks) {                                                                          \
      if (!(CONDITION)) __assertfail(TEXT, __FILE__, __LINE__, __func__, sizeof(char));                    \
    }                                                                                                      \
  } while (false)
