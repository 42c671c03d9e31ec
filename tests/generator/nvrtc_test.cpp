#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <tests/support/temp_folder.h>
#include <tilejit/generator/build.h>
#include <tilejit/generator/error.h>

#include "sources.h"

// Against NVRTC itself.

namespace tilejit {
namespace {

using test::good_source;
using test::sm;
using test::source_with_body;
using test::template_name;

const Nvrtc& nvrtc() {
  static const Nvrtc one;
  return one;
}

std::string compile_error(const GeneratedSource& source, const std::string& arch = "sm_90") {
  try {
    compile(nvrtc(), source, sm(arch));
  } catch (const CompileError& error) {
    return error.what();
  }
  return "compiled";
}

TEST(RealNvrtc, OneCallGivesCubinAndPtxAndResources) {
  const ObjectCode object = compile(nvrtc(),
                                    source_with_body("  __shared__ float s[64];\n"
                                                     "  s[threadIdx.x] = x[threadIdx.x];\n"
                                                     "  __syncthreads();\n"
                                                     "  x[0] = s[3];\n"
                                                     "  asm volatile(\"// tilejit.scratch %0\" ::\"n\"(512));"),
                                    sm("sm_90a"));
  EXPECT_TRUE(
      object.cubin.starts_with("\x7f"
                               "ELF"));
  EXPECT_NE(object.ptx.find(".entry scale_kernel"), std::string::npos);
  EXPECT_NE(object.ptx.find(".target sm_90a"), std::string::npos);
  EXPECT_GT(object.resources.registers, 0);
  EXPECT_EQ(object.resources.shared, 256);
  EXPECT_EQ(object.resources.barriers, 1);
  EXPECT_EQ(object.resources.stack, 0);
  EXPECT_EQ(object.scratch, 512);
}

TEST(RealNvrtc, PtxAloneForAVirtualArch) {
  const ObjectCode object = compile(nvrtc(), good_source(), sm("sm_80", true));
  EXPECT_TRUE(object.cubin.empty());
  EXPECT_NE(object.ptx.find(".target sm_80"), std::string::npos);
  EXPECT_EQ(object.resources, Resources());
}

TEST(RealNvrtc, ALineOfTheTemplateIsNamedFirst) {
  const std::string message = compile_error(source_with_body("  x[0] = 1;\n  undefined_name(x);"));
  EXPECT_TRUE(message.starts_with(template_name + ":22: error: identifier \"undefined_name\" is undefined\n"))
      << message;
}

TEST(RealNvrtc, AnErrorInAHeaderNamesTheTemplatesLine) {
  const std::string message = compile_error(
      source_with_body("  x[0] = 1;\n\n  x[1] = deep(x);",
                       {{"block/deep.cuh", "\ntemplate <class T> __device__ auto deep(T x) { return x->nope; }\n"}}));
  EXPECT_TRUE(message.starts_with(template_name + ":23: error: ")) << message;
  EXPECT_NE(message.find("(in block/deep.cuh:2)"), std::string::npos) << message;
}

TEST(RealNvrtc, AnErrorInInlinePtxNamesTheTemplatesLine) {
  const std::string message = compile_error(source_with_body("  x[0] = 1;\n  asm volatile(\"bogus.op;\");"));
  EXPECT_TRUE(message.starts_with(template_name + ":22: error: ")) << message;
}

TEST(RealNvrtc, AnOptionOfTheTemplatesThatItDoesNotKnowIsACompileError) {
  GeneratedSource source = good_source();
  source.options = {"--no-such-option"};
  EXPECT_NE(compile_error(source).find("--no-such-option"), std::string::npos);
}

TEST(RealNvrtc, ArchsThatItDoesNotKnowGetTheList) {
  for (const char* arch : {"sm_999", "sm_80a", "sm_35"}) {
    try {
      compile(nvrtc(), good_source(), sm(arch));
      FAIL() << arch;
    } catch (const ToolchainError& error) {
      EXPECT_NE(std::string(error.what()).find(arch), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("sm_90"), std::string::npos) << error.what();
    }
  }
}

TEST(RealNvrtc, NothingIsReadFromTheDisk) {
  const test::TempFolder temp;
  std::ofstream(temp / "there.h") << "__device__ int there;\n";
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(temp.path());
  for (const char* header : {"\"there.h\"", "<there.h>", "\"./there.h\"", "<cuda_fp16.h>"})
    EXPECT_NE(compile_error(source_with_body("#include " + std::string(header))).find("could not open source file"),
              std::string::npos)
        << header;
  std::filesystem::current_path(before);
  const std::string absolute = compile_error(source_with_body("\n#include \"" + (temp / "there.h").string() + "\""));
  EXPECT_TRUE(absolute.starts_with(template_name + ":22: error: '" + (temp / "there.h").string())) << absolute;
}

TEST(RealNvrtc, TheSameSourceGivesTheSameCode) {
  const ObjectCode a = compile(nvrtc(), good_source(), sm("sm_90")), b = compile(nvrtc(), good_source(), sm("sm_90"));
  EXPECT_EQ(a.ptx, b.ptx);
  EXPECT_EQ(a.cubin, b.cubin);
}

TEST(RealNvrtc, MultiplyAndAddAreNotFusedUnlessAskedFor) {
  const std::string ptx = compile(nvrtc(), source_with_body("  x[0] = x[1] * x[2] + x[3];"), sm("sm_90")).ptx;
  EXPECT_EQ(ptx.find("fma."), std::string::npos) << ptx;
}

TEST(RealNvrtc, ASecondBuildCompilesNothing) {
  const test::TempFolder temp;
  StoreOptions options;
  options.root = temp / "cache";
  const unsigned long before = nvrtc().compiles();
  Store store(options);
  const ObjectCode first = build(good_source(), sm("sm_90a"), nvrtc(), store).object;
  Store next(options);
  const BuildResult second = build(good_source(), sm("sm_90a"), nvrtc(), next);
  EXPECT_TRUE(second.from_cache);
  EXPECT_EQ(second.object.cubin, first.cubin);
  EXPECT_EQ(second.object.resources, first.resources);
  EXPECT_EQ(nvrtc().compiles() - before, 1u);
}

TEST(RealNvrtc, ATemplateThatDoesNotCompileLeavesNoEntryAndFailsInFullEachTime) {
  const test::TempFolder temp;
  StoreOptions options;
  options.root = temp / "cache";
  Store store(options);
  std::string messages[2];
  for (std::string& message : messages) {
    try {
      build(source_with_body("  undefined_name(x);"), sm("sm_90"), nvrtc(), store);
    } catch (const CompileError& error) {
      message = error.what();
      EXPECT_NE(error.log().find("undefined_name"), std::string::npos);
      EXPECT_NE(error.source().find("undefined_name"), std::string::npos);
    }
  }
  EXPECT_TRUE(messages[0].starts_with(template_name + ":21: error:")) << messages[0];
  EXPECT_EQ(messages[0], messages[1]);
  EXPECT_TRUE(store.list().empty());
}

}  // namespace
}  // namespace tilejit
