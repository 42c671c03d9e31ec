#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tilejit::test {

/// A unified diff, as `git diff` writes it and `git apply` takes it, behind lines of text that say what it is:
///   caught by: NAME, NAME     the tests that must fail with it
/// Line numbers are not looked at; the lines that a hunk removes and keeps must be in the file exactly once.
struct Patch {
  struct Hunk {
    std::string before, after;
  };
  struct File {
    std::string name;  ///< below the repository's root: "templates/block/memory.cuh"
    std::vector<Hunk> hunks;
  };
  std::string name;                    ///< the file's, without its ending
  std::vector<std::string> caught_by;  ///< test names
  std::vector<File> files;
};

struct PatchError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// PatchError: no diff in it, or no "caught by".
Patch parse_patch(std::string_view name, std::string_view text);
Patch read_patch(const std::string& path);
/// PatchError where a hunk does not fit, or fits at several places: what it was made for has changed.
std::string patched(const Patch& patch, const Patch::File& file, std::string text);

}  // namespace tilejit::test
