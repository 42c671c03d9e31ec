#pragma once
#include <tilejit/generator/nvrtc.h>

namespace tilejit {

/// Loads the library for the life of the process, and libnvrtc-builtins beside it (which NVRTC opens by name, where no
/// run path of ours or the program's helps). ToolchainError: the file and the loader's text, a function that is
/// missing, a version that is too old, a file that is not the one that was found.
NvrtcTable load_nvrtc(const NvrtcFile& file);

}  // namespace tilejit
