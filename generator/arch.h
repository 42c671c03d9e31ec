#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace tilejit {

/// An arch name taken apart: "sm_90a" is 90, 'a', real; "compute_80" is 80, no suffix, virtual.
struct Arch {
  int number = 0;
  char suffix = 0;  ///< 'a' (this arch alone), 'f' (its family), 0: none
  bool real = true;

  static std::optional<Arch> parse(std::string_view name);
  std::string name(std::string_view prefix) const;  ///< name("sm_"), name("compute_")
};

}  // namespace tilejit
