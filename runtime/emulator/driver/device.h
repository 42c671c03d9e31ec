#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <tilejit/runtime/emulator/driver/facts.h>
#include <tilejit/runtime/emulator/driver/handles.h>
#include <tilejit/runtime/emulator/driver/settings.h>
#include <tilejit/runtime/emulator/execute/launch.h>
#include <tilejit/runtime/emulator/memory/allocations.h>
#include <tilejit/runtime/emulator/ops/table.h>

namespace tilejit::emulator {

/// The one emulated device of a process, from the first cuInit on. `mutex` guards what is not const.
struct Device {
  explicit Device(const Settings& settings);

  const Settings settings;
  const Facts& facts;
  const OpTable& table;
  const std::string name;
  Allocations memory;
  Schedule schedule;

  std::mutex mutex;
  CUctx_st primary;
  std::set<CUcontext> contexts;
  std::set<CUstream> streams;
  std::set<CUevent> events;
  std::set<CUmodule> modules;
  std::set<CUlibrary> libraries;
  std::map<std::uint64_t, std::uint64_t> host_allocations;  ///< of cuMemHostAlloc: address and bytes
  std::uint64_t next_id = 1;

  std::mutex launching;  ///< one kernel at a time
  std::uint64_t launches = 0;
  std::map<std::shared_ptr<const Program>, LaunchCounts> counts;  ///< guarded by `launching`
  std::string last_report;                                        ///< guarded by `mutex`
};

/// Null before cuInit.
Device* device();
/// What cuInit does; false: the settings cannot be read (the reason went to stderr).
bool initialise();

/// The calling thread's stack of contexts.
std::vector<CUcontext>& context_stack();
inline CUcontext current_context() { return context_stack().empty() ? nullptr : context_stack().back(); }

}  // namespace tilejit::emulator
