#pragma once
#include <memory>
#include <string>
#include <vector>

#include <tilejit/runtime/options.h>

namespace tilejit::tool {

/// The library's messages as the program shows them on standard error: those that TILEJIT_LOG lets through, and, unless
/// it silences warnings, what takes its time (logger tilejit.progress). Safe from all threads.
class Messages {
 public:
  Messages();
  /// `options` (resolved) then log here. `keep`: all from info on are kept too.
  void listen(Options& options, bool keep);
  std::vector<std::string> lines() const;  ///< those kept, "LOGGER: MESSAGE"

 private:
  struct Kept;
  std::shared_ptr<Kept> kept_;  // a Jit's sink may outlive this
};

}  // namespace tilejit::tool
