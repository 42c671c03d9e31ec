#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <tilejit/tests/fuzz/ptx_property.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string broken = tilejit::ptx::broken_property(std::string(data, data + size));
  if (!broken.empty()) {
    std::fprintf(stderr, "%s\n", broken.c_str());
    std::abort();
  }
  return 0;
}
