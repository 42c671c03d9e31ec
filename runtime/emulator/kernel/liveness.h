#pragma once
#include <cstdint>
#include <vector>

#include <tilejit/runtime/emulator/kernel/emitter.h>

namespace tilejit::emulator {

/// From where to where a register holds something, in half ops: 2 i where op i reads, 2 i + 1 where it writes.
struct Interval {
  std::uint32_t reg = 0;
  std::int64_t from = -1, to = -1;  ///< from -1: never touched
};

/// What liveness looks at.
struct FlowOfValues {
  std::uint32_t op_count = 0, register_count = 0;
  const std::vector<Leads>* leads = nullptr;
  const std::vector<std::uint32_t>* targets = nullptr;  ///< of jumps and branches, by op
  const std::vector<Touch>* touches = nullptr;          ///< by rising op
  const std::vector<std::uint32_t>* pinned = nullptr;   ///< alive from start to end
};

/// One interval a register that covers every op where its value may be needed. A thread's lanes walk through different
/// blocks at once; as writes are masked, what counts is each thread's own path.
std::vector<Interval> live_intervals(const FlowOfValues& flow);

}  // namespace tilejit::emulator
