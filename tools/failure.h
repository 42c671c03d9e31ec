#pragma once
#include <exception>
#include <string>

namespace tilejit::tool {

/// How the program ends. docs/cli.md promises these.
inline constexpr int fine = 0, failed = 1, misused = 2;

/// One named message and the exit status for it.
struct Failure {
  int status = failed;
  std::string message;  ///< "InvalidArgument: x: ..."
};

/// InvalidArgument, which names what was typed, is misuse; everything else that can be thrown is a failure.
Failure failure_of(const std::exception_ptr& error);

}  // namespace tilejit::tool
