#include <tilejit/generator/nvrtc_library.h>

#include <dlfcn.h>

#include <filesystem>
#include <utility>

#include <tilejit/generator/build_id.h>
#include <tilejit/generator/error.h>

namespace tilejit {
namespace {

template <class Function>
void bind(Function& function, void* library, const char* name, const std::string& path) {
  void* symbol = ::dlsym(library, name);
  if (symbol == nullptr) throw ToolchainError("NVRTC '" + path + "' has no function " + name);
  function = reinterpret_cast<Function>(symbol);
}

void preload_builtins(const std::filesystem::path& path, int major, int minor) {
  const std::string name = "libnvrtc-builtins.so." + std::to_string(major) + "." + std::to_string(minor);
  std::error_code none;
  for (const auto& folder : {path.parent_path(), std::filesystem::canonical(path, none).parent_path()}) {
    const std::filesystem::path builtins = folder / name;
    if (std::filesystem::exists(builtins, none) && ::dlopen(builtins.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) return;
  }
  // Not there: NVRTC may still find it on the loader path, and says so itself where it does not.
}

}  // namespace

NvrtcTable load_nvrtc(const NvrtcFile& file) {
  if (identity_of(file.path) != file.build_id)
    throw ToolchainError("NVRTC '" + file.path + "' was replaced since it was found; start the program anew");
  void* library = ::dlopen(file.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* text = ::dlerror();
    throw ToolchainError("NVRTC '" + file.path + "' cannot be loaded: " + (text != nullptr ? text : "no reason given"));
  }
  NvrtcTable table{};
  const auto from = [&](auto& function, const char* name) { bind(function, library, name, file.path); };
  from(table.version, "nvrtcVersion");
  from(table.error_string, "nvrtcGetErrorString");
  from(table.num_supported_archs, "nvrtcGetNumSupportedArchs");
  from(table.supported_archs, "nvrtcGetSupportedArchs");
  from(table.create_program, "nvrtcCreateProgram");
  from(table.destroy_program, "nvrtcDestroyProgram");
  from(table.compile_program, "nvrtcCompileProgram");
  from(table.log_size, "nvrtcGetProgramLogSize");
  from(table.log, "nvrtcGetProgramLog");
  from(table.ptx_size, "nvrtcGetPTXSize");
  from(table.ptx, "nvrtcGetPTX");
  from(table.cubin_size, "nvrtcGetCUBINSize");
  from(table.cubin, "nvrtcGetCUBIN");
  int major = 0, minor = 0;
  if (table.version(&major, &minor) != 0 || std::pair(major, minor) < std::pair(12, 4))
    throw ToolchainError("NVRTC '" + file.path + "' is version " + std::to_string(major) + "." + std::to_string(minor) +
                         "; 12.4 or newer is needed");
  preload_builtins(file.path, major, minor);
  return table;
}

}  // namespace tilejit
