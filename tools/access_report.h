#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <tilejit/runtime/driver.h>

namespace tilejit::tool {

/// What accesses asked of memory: one instruction's, one source line's, or all of a kind. Sums over requests (one
/// warp's access each).
struct AccessSums {
  std::uint64_t requests = 0, lanes = 0;
  std::uint64_t asked_bytes = 0;   ///< lanes x width
  std::uint64_t unique_bytes = 0;  ///< distinct within a request
  std::uint64_t sectors = 0, ideal_sectors = 0;
  std::uint64_t wavefronts = 0, ideal_wavefronts = 0;
  AccessSums& operator+=(const AccessSums& other);
  std::uint64_t excess() const { return sectors - ideal_sectors + wavefronts - ideal_wavefronts; }
};

/// One global or shared instruction.
struct AccessSite {
  std::string space, kind;  ///< "global", "load"
  int bytes = 0;            ///< a lane
  std::string source;       ///< "file:line, inlined at file:line"
  std::string line;         ///< the template's own "file:line", outermost that names the template; else the innermost
  std::string ptx;
  int ptx_line = 0;
  AccessSums sums;
};

/// One kernel's accesses as the emulated device counted them.
struct AccessReport {
  std::string kernel;
  std::uint64_t launches = 0, blocks = 0, threads = 0, warps = 0;
  std::uint64_t flops = 0;
  std::uint64_t distinct_load_sectors = 0, distinct_load_bytes = 0;  ///< unions over each warp's global loads, summed
  std::vector<AccessSite> sites;                                     ///< the worst first
};

/// Switches counting of distinct sectors on, and forgets what was counted so far.
void start_counting(const Driver& driver);
/// What `kernel` did since then; `template_file` is what its lines are looked for by. Error: it did not run.
AccessReport access_report(const Driver& driver, const std::string& kernel, const std::string& template_file);

struct LineOfAccess {
  std::string line, space, kind;
  int sites = 0;
  AccessSums sums;
};
std::vector<LineOfAccess> by_line(const AccessReport& report);  ///< the worst first

/// docs/emulator.md explains every column and field.
std::string to_text(const AccessReport& report, bool per_line);
std::string to_json(const AccessReport& report);

}  // namespace tilejit::tool
