#include "fake_nvrtc.h"

#include <algorithm>
#include <cstring>

namespace tilejit::test {
namespace {

FakeNvrtc* current = nullptr;

int copy(const std::string& bytes, char* to) {
  std::memcpy(to, bytes.data(), bytes.size());
  return 0;
}

const NvrtcTable table = {
    [](int* major, int* minor) {
      *major = current->major;
      *minor = current->minor;
      return 0;
    },
    [](int result) { return result == 0 ? "NVRTC_SUCCESS" : "NVRTC_ERROR_OF_THE_FAKE"; },
    [](int* count) {
      *count = static_cast<int>(current->archs.size());
      return 0;
    },
    [](int* archs) {
      std::copy(current->archs.begin(), current->archs.end(), archs);
      return 0;
    },
    [](void** program, const char*, const char*, int headers, const char* const* texts, const char* const* names) {
      current->headers.clear();
      for (int i = 0; i < headers; ++i) current->headers.emplace_back(names[i], texts[i]);
      ++current->alive;
      *program = current;
      return 0;
    },
    [](void** program) {
      --current->alive;
      *program = nullptr;
      return 0;
    },
    [](void*, int count, const char* const* texts) {
      current->options.emplace_back(texts, texts + count);
      return current->compile_result;
    },
    [](void*, std::size_t* size) {
      *size = current->log.size() + 1;
      return 0;
    },
    [](void*, char* text) { return copy(current->log + '\0', text); },
    [](void*, std::size_t* size) {
      *size = current->ptx.size() + 1;
      return 0;
    },
    [](void*, char* text) { return copy(current->ptx + '\0', text); },
    [](void*, std::size_t* size) {
      *size = current->cubin.size();
      return 0;
    },
    [](void*, char* bytes) { return copy(current->cubin, bytes); },
};

}  // namespace

FakeNvrtc::FakeNvrtc() { current = this; }
FakeNvrtc::~FakeNvrtc() { current = nullptr; }
Nvrtc FakeNvrtc::nvrtc(const std::string& build_id, const std::string& builtins) const {
  return Nvrtc(NvrtcFile{"/nowhere/libnvrtc.so.13", build_id, builtins}, table);
}

}  // namespace tilejit::test
