#pragma once
#include <dlfcn.h>

#include <filesystem>
#include <string>

namespace tilejit::test {

/// NVRTC opens its builtins by bare name: where they lie beside it and on no loader path, they have to be loaded
/// before.
inline void load_builtins_beside(const std::string& nvrtc) {
  std::error_code none;
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(nvrtc).parent_path(), none)) {
    const std::string name = file.path().filename().string();
    const bool alternative = name.find(".alt.") != std::string::npos;
    if (name.starts_with("libnvrtc-builtins.so") && !alternative) dlopen(file.path().c_str(), RTLD_NOW | RTLD_LOCAL);
  }
}

}  // namespace tilejit::test
