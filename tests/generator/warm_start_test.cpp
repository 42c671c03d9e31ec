#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <tests/support/temp_folder.h>
#include <tilejit/generator/nvrtc.h>

#include "host_compiler.h"

// A warm start in a process of its own, where the libnvrtc that it finds would end it at a touch.

namespace tilejit {
namespace {

struct Ended {
  std::string output;
  int status;
};

Ended warm_start(const std::string& nvrtc, const std::string& cache) {
  const std::string command = std::string(TILEJIT_WARM_START) + " '" + nvrtc + "' '" + cache + "' 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  Ended run;
  std::array<char, 512> buffer;
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) run.output += buffer.data();
  run.status = ::pclose(pipe);
  return run;
}

/// Every function of NVRTC's that we know, and loading itself, aborts.
std::string aborting_nvrtc() {
  std::string source = "#include <cstdlib>\n__attribute__((constructor)) static void loaded() { std::abort(); }\n";
  for (const char* name :
       {"nvrtcVersion", "nvrtcGetErrorString", "nvrtcGetNumSupportedArchs", "nvrtcGetSupportedArchs",
        "nvrtcCreateProgram", "nvrtcDestroyProgram", "nvrtcCompileProgram", "nvrtcGetProgramLogSize",
        "nvrtcGetProgramLog", "nvrtcGetPTXSize", "nvrtcGetPTX", "nvrtcGetCUBINSize", "nvrtcGetCUBIN"})
    source += std::string("extern \"C\" int ") + name + "() { std::abort(); }\n";
  return source;
}

TEST(WarmStart, OpensNoCompiler) {
  const test::TempFolder temp;
  const NvrtcFile real = find_nvrtc("");
  ASSERT_FALSE(real.build_id.starts_with("sha256:"));
  const Ended cold = warm_start(real.path, temp / "cache");
  ASSERT_TRUE(cold.output.starts_with("compiled loaded ")) << cold.output;
  const Ended warm = warm_start(real.path, temp / "cache");
  EXPECT_EQ(warm.output, "cached unloaded " + cold.output.substr(16));

  const std::string stand_in = temp / "libnvrtc.so.13";
  test::make_library(stand_in, aborting_nvrtc(), "-Wl,--build-id=0x" + real.build_id);
  ASSERT_EQ(find_nvrtc(stand_in).build_id, real.build_id);
  const Ended with_stand_in = warm_start(stand_in, temp / "cache");
  EXPECT_EQ(with_stand_in.output, warm.output);
  EXPECT_EQ(with_stand_in.status, 0);

  const Ended cold_with_stand_in = warm_start(stand_in, temp / "another");
  EXPECT_NE(cold_with_stand_in.status, 0)
      << "the stand-in does end a process that touches it: " << cold_with_stand_in.output;
}

}  // namespace
}  // namespace tilejit
