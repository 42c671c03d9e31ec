#include <tilejit/tests/ptx/nvrtc.h>

#include <dlfcn.h>
#include <nvrtc.h>

#include <cstdlib>
#include <stdexcept>

#include <tilejit/tests/support/nvrtc_builtins.h>

namespace tilejit::ptx {

struct TestNvrtc::Library {
  void* handle = nullptr;
  template <class Function>
  Function* find(const char* name) const {
    void* found = dlsym(handle, name);
    if (found == nullptr) {
      throw std::runtime_error(std::string("NVRTC has no ") + name);
    }
    return reinterpret_cast<Function*>(found);
  }
};

TestNvrtc::TestNvrtc() : library_(std::make_unique<Library>()) {
  std::vector<std::string> places;
  if (const char* file = std::getenv("TILEJIT_NVRTC"); file != nullptr) {
    places.emplace_back(file);
  }
  std::vector<std::string> roots;
  if (const char* root = std::getenv("CUDA_PATH"); root != nullptr) {
    roots.emplace_back(root);
  }
  roots.emplace_back(TILEJIT_CUDA_INCLUDE "/..");
  for (const std::string& root : roots) {
    for (const char* folder : {"/lib64/", "/lib/"}) {
      places.push_back(root + folder + "libnvrtc.so");
    }
  }
  for (const char* name : {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"}) {
    places.emplace_back(name);
  }
  std::string tried;
  for (const std::string& place : places) {
    library_->handle = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_->handle != nullptr) {
      test::load_builtins_beside(place);
      return;
    }
    tried += "\n  " + place;
  }
  throw std::runtime_error("no NVRTC; tried" + tried);
}

// NVRTC keeps threads of its own, so it stays loaded.
TestNvrtc::~TestNvrtc() = default;

std::vector<int> TestNvrtc::archs() const {
  int count = 0;
  library_->find<decltype(nvrtcGetNumSupportedArchs)>("nvrtcGetNumSupportedArchs")(&count);
  std::vector<int> result(static_cast<std::size_t>(count));
  library_->find<decltype(nvrtcGetSupportedArchs)>("nvrtcGetSupportedArchs")(result.data());
  return result;
}

std::string TestNvrtc::compile(const std::string& source, const std::string& name,
                               const std::vector<std::string>& options) const {
  nvrtcProgram program = nullptr;
  library_->find<decltype(nvrtcCreateProgram)>("nvrtcCreateProgram")(&program, source.c_str(), name.c_str(), 0, nullptr,
                                                                     nullptr);
  std::vector<const char*> texts;
  for (const std::string& option : options) {
    texts.push_back(option.c_str());
  }
  const nvrtcResult result = library_->find<decltype(nvrtcCompileProgram)>("nvrtcCompileProgram")(
      program, static_cast<int>(texts.size()), texts.data());
  const auto text = [&](const char* size_name, const char* text_name) {
    std::size_t size = 0;
    library_->find<decltype(nvrtcGetPTXSize)>(size_name)(program, &size);
    std::string bytes(size, '\0');
    library_->find<decltype(nvrtcGetPTX)>(text_name)(program, bytes.data());
    return bytes;
  };
  std::string output = result == NVRTC_SUCCESS ? text("nvrtcGetPTXSize", "nvrtcGetPTX")
                                               : text("nvrtcGetProgramLogSize", "nvrtcGetProgramLog");
  library_->find<decltype(nvrtcDestroyProgram)>("nvrtcDestroyProgram")(&program);
  if (result != NVRTC_SUCCESS) {
    throw std::runtime_error(name + ": " + output);
  }
  return output;
}

}  // namespace tilejit::ptx
