#include <dlfcn.h>

#include <filesystem>

#include <tilejit/runtime/driver.h>

namespace tilejit {
namespace {

constexpr const char* emulated_library = "libtilejit_emulated_cuda.so";

/// The file that holds this function: libtilejit, or the program it was linked into.
std::filesystem::path own_file() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_file), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code failed;
  // For a program the name is what it was started as; the kernel knows the file.
  std::filesystem::path file = std::filesystem::canonical(info.dli_fname, failed);
  if (failed) file = std::filesystem::read_symlink("/proc/self/exe", failed);
  return file;
}

}  // namespace

std::shared_ptr<const Driver> gpu_driver() { return load_driver("libcuda.so.1", false); }

std::shared_ptr<const Driver> emulated_driver(const std::string& emulator) {
  if (!emulator.empty()) return load_driver(emulator, true);

  std::string tried;
  if (const std::filesystem::path self = own_file(); !self.empty()) {
    const std::string beside = (self.parent_path() / emulated_library).string();
    try {
      return load_driver(beside, true);
    } catch (const NoDevice& error) {
      // What is there but broken is not passed over for another of the same name.
      if (std::filesystem::exists(beside)) throw;
      tried = std::string("\n  ") + error.what();
    }
  }
  try {
    return load_driver(emulated_library, true);
  } catch (const NoDevice& error) {
    throw NoDevice("no emulated device; looked for" + tried + "\n  " + error.what());
  }
}

}  // namespace tilejit
