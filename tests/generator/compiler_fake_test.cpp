#include <gtest/gtest.h>
#include <nvrtc.h>

#include <type_traits>

#include <tilejit/generator/compiler.h>
#include <tilejit/generator/error.h>
#include <tilejit/generator/nvrtc_program.h>

#include "fake_nvrtc.h"
#include "sources.h"

namespace tilejit {
namespace {

using test::FakeNvrtc;
using test::good_source;
using test::sm;
using testing::Test;

static_assert(nvrtc_result::success == NVRTC_SUCCESS && nvrtc_result::invalid_option == NVRTC_ERROR_INVALID_OPTION &&
              nvrtc_result::compilation == NVRTC_ERROR_COMPILATION &&
              nvrtc_result::builtin_operation == NVRTC_ERROR_BUILTIN_OPERATION_FAILURE);
static_assert(std::is_pointer_v<nvrtcProgram> && sizeof(nvrtcResult) == sizeof(int));

std::string message_of(const Nvrtc& nvrtc, const GeneratedSource& source, const Target& target) {
  try {
    compile(nvrtc, source, target);
  } catch (const Error& error) {
    return error.what();
  }
  return "compiled";
}

TEST(CompilerOptions, AreWhatNvrtcSees) {
  GeneratedSource source = good_source();
  source.options = {"-DX=1"};
  EXPECT_EQ(nvrtc_options(source, sm("sm_90a")),
            (std::vector<std::string>{"--gpu-architecture=sm_90a", "--std=c++20", "--no-source-include", "--fmad=false",
                                      "--minimal", "-lineinfo", "--ptxas-options=-v", "-DX=1"}));
  EXPECT_EQ(nvrtc_options(source, sm("sm_80", true)),
            (std::vector<std::string>{"--gpu-architecture=compute_80", "--std=c++20", "--no-source-include",
                                      "--fmad=false", "--minimal", "-lineinfo", "-DX=1"}));
}

TEST(Compiler, GivesCubinPtxAndWhatTheLogSays) {
  FakeNvrtc fake;
  fake.log =
      "ptxas info    : Compiling entry function 'scale_kernel' for 'sm_90'\n"
      "ptxas info    : Used 9 registers, used 0 barriers\n";
  const Nvrtc nvrtc = fake.nvrtc();
  const ObjectCode object = compile(nvrtc, good_source(), sm("sm_90"));
  EXPECT_EQ(object.cubin, fake.cubin);
  EXPECT_EQ(object.ptx, fake.ptx);
  EXPECT_EQ(object.arch, "sm_90");
  EXPECT_EQ(object.entry, "scale_kernel");
  EXPECT_EQ(object.resources.registers, 9);
  EXPECT_EQ(object.scratch, 4096);
  EXPECT_EQ(object.log, fake.log);
  EXPECT_EQ(object.parameters, good_source().parameters);
  EXPECT_EQ(object.threads, 128);
  EXPECT_EQ(nvrtc.compiles(), 1u);
  EXPECT_EQ(fake.alive, 0);
}

TEST(Compiler, PtxAloneHasNoCubin) {
  FakeNvrtc fake;
  const ObjectCode object = compile(fake.nvrtc(), good_source(), sm("sm_80", true));
  EXPECT_EQ(object.arch, "compute_80");
  EXPECT_TRUE(object.cubin.empty());
  EXPECT_EQ(object.resources, Resources());
}

TEST(Compiler, HandsOverEveryHeaderInMemory) {
  FakeNvrtc fake;
  compile(fake.nvrtc(), test::source_with_body("", {{"block/a.cuh", "int a;\n"}, {"b.cuh", ""}}), sm("sm_80"));
  EXPECT_EQ(fake.headers,
            (std::vector<std::pair<std::string, std::string>>{{"block/a.cuh", "int a;\n"}, {"b.cuh", ""}}));
}

TEST(Compiler, TurnsNvrtcsOwnCacheOffWhereItHasOne) {
  FakeNvrtc fake;
  const auto off = [&](int major, int minor) {
    fake.major = major;
    fake.minor = minor;
    compile(fake.nvrtc(), good_source(), sm("sm_80"));
    const auto& options = fake.options.back();
    return std::find(options.begin(), options.end(), "--no-cache") != options.end();
  };
  EXPECT_FALSE(off(12, 8));
  EXPECT_TRUE(off(12, 9));
  EXPECT_TRUE(off(13, 0));
}

TEST(Compiler, AnArchNvrtcDoesNotKnowGetsTheListAndNoCompile) {
  FakeNvrtc fake;
  const Nvrtc nvrtc = fake.nvrtc();
  for (const char* arch : {"sm_999", "sm_70", "sm_89"}) {
    const std::string message = message_of(nvrtc, good_source(), sm(arch));
    EXPECT_NE(message.find(arch), std::string::npos) << message;
    EXPECT_NE(message.find("sm_75, sm_80, sm_90, sm_100"), std::string::npos) << message;
  }
  EXPECT_EQ(nvrtc.compiles(), 0u);
  EXPECT_THROW(compile(nvrtc, good_source(), sm("sm_999")), ToolchainError);
}

TEST(Compiler, AGpuNewerThanNvrtcGetsPtxOfTheNewestArchBelowIt) {
  FakeNvrtc fake;
  Target target = sm("sm_121");
  target.ptx_if_newer = true;
  ObjectCode object = compile(fake.nvrtc(), good_source(), target);
  EXPECT_EQ(object.arch, "compute_100");
  EXPECT_TRUE(object.cubin.empty());
  EXPECT_EQ(fake.options.back()[0], "--gpu-architecture=compute_100");
  target.arch = "sm_89";
  EXPECT_EQ(compile(fake.nvrtc(), good_source(), target).arch, "compute_80");
  target.arch = "sm_90a";
  EXPECT_EQ(compile(fake.nvrtc(), good_source(), target).arch, "sm_90a") << "known: nothing falls back";
  target.arch = "sm_60";
  EXPECT_THROW(compile(fake.nvrtc(), good_source(), target), ToolchainError) << "older than all that NVRTC knows";
}

TEST(Compiler, AFailedCompileKeepsLogAndSource) {
  FakeNvrtc fake;
  fake.compile_result = NVRTC_ERROR_COMPILATION;
  fake.log = "/tilejit/templates/kernels/scale.cuh(22): error: expected a \";\"\n  }\n  ^\n";
  try {
    compile(fake.nvrtc(), good_source(), sm("sm_80"));
    FAIL();
  } catch (const CompileError& error) {
    EXPECT_EQ(std::string(error.what()),
              "/tilejit/templates/kernels/scale.cuh:22: error: expected a \";\"\n" + fake.log);
    EXPECT_EQ(error.log(), fake.log);
    EXPECT_EQ(error.source(), good_source().text);
  }
  EXPECT_EQ(fake.alive, 0);
}

TEST(Compiler, AFailureWithoutALogStillSaysSomething) {
  FakeNvrtc fake;
  fake.compile_result = NVRTC_ERROR_INTERNAL_ERROR;
  fake.log.clear();
  EXPECT_NE(message_of(fake.nvrtc(), good_source(), sm("sm_80")).find("NVRTC_ERROR_OF_THE_FAKE"), std::string::npos);
}

TEST(Compiler, MissingBuiltinsAreNamed) {
  FakeNvrtc fake;
  fake.compile_result = NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  EXPECT_THROW(compile(fake.nvrtc(), good_source(), sm("sm_80")), ToolchainError);
  EXPECT_NE(message_of(fake.nvrtc(), good_source(), sm("sm_80")).find("libnvrtc-builtins.so.13.0"), std::string::npos);
}

TEST(Compiler, SuccessWithoutCodeIsNotBelieved) {
  FakeNvrtc fake;
  fake.cubin = "not an object";
  EXPECT_THROW(compile(fake.nvrtc(), good_source(), sm("sm_80")), ToolchainError);
  fake.cubin =
      "\x7f"
      "ELF";
  fake.ptx = ".entry another";
  EXPECT_THROW(compile(fake.nvrtc(), good_source(), sm("sm_80")), ToolchainError);
}

}  // namespace
}  // namespace tilejit
