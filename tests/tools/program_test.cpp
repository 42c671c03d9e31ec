#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/run_program.h"

namespace tilejit::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Refused with this status; one named message on standard error, nothing on standard output.
void expect_refused(const Finished& finished, int status, const std::string& name,
                    const testing::Matcher<const std::string&>& says) {
  EXPECT_EQ(finished.status, status) << finished.err;
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(finished.err, StartsWith("tilejit: " + name + ": "));
  EXPECT_THAT(finished.err, says);
}

TEST(Program, ListNamesEveryTemplateOfOurs) {
  const Finished list = Program()({"list"});
  EXPECT_EQ(list.status, 0) << list.err;
  for (const char* name : {"global_id", "vector_add", "copy_2d", "copy_2d_hardcoded", "row_sum", "column_sum",
                           "matmul_row", "kinetic_energy_aos", "kinetic_energy_soa"}) {
    EXPECT_THAT(list.out, HasSubstr(name));
  }
}

TEST(Program, ListJsonIsVersioned) {
  const auto json = nlohmann::json::parse(Program()({"list", "--json"}).out);
  EXPECT_EQ(json["format"], "tilejit.list");
  EXPECT_EQ(json["version"], 1);
  EXPECT_GE(json["templates"].size(), 9u);
}

TEST(Program, ListShowsABrokenTemplateAndFails) {
  Program tilejit;
  std::filesystem::create_directory(tilejit.folder() / "mine");
  tilejit.write("mine/broken.cuh", "/*---\nsummary = 4\n---*/\n");
  tilejit.write("mine/scale.cuh", scale_template);
  const Finished list = tilejit({"list", "--templates", (tilejit.folder() / "mine").string()});
  EXPECT_EQ(list.status, 1);
  EXPECT_THAT(list.out, AllOf(HasSubstr("y = factor * x"), HasSubstr("broken"), HasSubstr("broken.cuh:2:")));
}

TEST(Program, ShowGivesEveryKeyOfTheFrontMatter) {
  const Finished show = Program()({"show", "copy_2d"});
  EXPECT_EQ(show.status, 0) << show.err;
  for (const char* key : {"version", "sizes", "constants", "default", "config", "grid", "where", "requires", "needs",
                          "cluster", "min_blocks", "shared", "cost", "tolerance", "options", "use"}) {
    EXPECT_THAT(show.out, HasSubstr(std::string("\n") + key + " "));
  }
}

TEST(Program, ShowOfACallGivesGridAndParameters) {
  const Finished show = Program()({"show", "copy_2d", "x=f32:4096x4096:1,4096", "y=f32:4096x4096", "--set",
                                   "BLOCK_M=64", "--set", "BLOCK_N=64", "--set", "num_warps=4", "--source"});
  EXPECT_EQ(show.status, 0) << show.err;
  EXPECT_THAT(show.out, HasSubstr("programs    64 x 64 x 1"));
  EXPECT_THAT(show.out, HasSubstr("threads     128 a program"));
  EXPECT_THAT(show.out, HasSubstr("data of x"));
  EXPECT_THAT(show.out, HasSubstr("stride of x, axis 1"));
  EXPECT_THAT(show.out, HasSubstr("extern \"C\" __global__"));
}

TEST(Program, ShowFoldsAGridBeyondALimit) {
  const Finished show = Program()({"show", "copy_2d", "x=u8:67108864x64", "y=u8:67108864x64", "--set", "BLOCK_M=64",
                                   "--set", "BLOCK_N=64", "--set", "num_warps=4"});
  EXPECT_EQ(show.status, 0) << show.err;
  EXPECT_THAT(show.out, HasSubstr("folded into 1048576 along x"));
}

TEST(Program, ShowTakesAUsersFile) {
  Program tilejit;
  const std::string file = tilejit.write("scale.cuh", scale_template);
  const Finished show = tilejit({"show", file, "x=f32:1000", "y=f32:1000"});
  EXPECT_EQ(show.status, 0) << show.err;
  EXPECT_THAT(show.out, AllOf(HasSubstr("y = factor * x"), HasSubstr("programs    4 x 1 x 1"), HasSubstr("default 2")));
}

TEST(Program, NothingIsNotACommand) {
  expect_refused(Program()({}), 2, "Usage", HasSubstr("subcommand"));
  expect_refused(Program()({"lisst"}), 2, "Usage", HasSubstr("no command 'lisst' (did you mean list?)"));
  expect_refused(Program()({"cache", "stat"}), 2, "Usage", HasSubstr("no command 'stat' (did you mean stats?)"));
  expect_refused(Program()({"show"}), 2, "Usage", HasSubstr("TEMPLATE"));
  expect_refused(Program()({"list", "--jsn"}), 2, "Usage", HasSubstr("--jsn"));
}

TEST(Program, HelpAndVersionEndWell) {
  EXPECT_EQ(Program()({"--help"}).status, 0);
  EXPECT_EQ(Program()({"show", "--help"}).status, 0);
  EXPECT_THAT(Program()({"--version"}).out, StartsWith("tilejit "));
}

TEST(Program, AnUnknownTemplateGetsTheNearestNames) {
  expect_refused(Program()({"show", "sofmax"}), 2, "InvalidArgument", HasSubstr("did you mean softmax or "));
  expect_refused(Program()({"show", "copy2d"}), 2, "InvalidArgument", AllOf(HasSubstr("copy2d"), HasSubstr("copy_2d")));
}

TEST(Program, AnUnknownDtypeGetsTheNearestNames) {
  expect_refused(Program()({"show", "copy_2d", "x=f23:4x4", "y=f32:4x4"}), 2, "InvalidArgument",
                 AllOf(HasSubstr("x: no dtype 'f23'"), HasSubstr("f32")));
}

TEST(Program, AnUnknownArgumentGetsTheNearestNames) {
  expect_refused(Program()({"show", "copy_2d", "xx=f32:4x4", "y=f32:4x4"}), 2, "InvalidArgument",
                 AllOf(HasSubstr("copy_2d has no argument 'xx'"), HasSubstr("x")));
}

TEST(Program, AMissingTensorIsNamedWithItsShape) {
  expect_refused(Program()({"show", "copy_2d", "x=f32:4x4"}), 2, "InvalidArgument",
                 HasSubstr("y: missing: expected y=DTYPE:MxN"));
}

TEST(Program, NoneIsForWhatIsOptionalAlone) {
  expect_refused(Program()({"show", "copy_2d", "x=none", "y=f32:4x4"}), 2, "InvalidArgument",
                 HasSubstr("x: not optional: expected x=DTYPE:MxN"));
  expect_refused(Program()({"show", "matmul", "a=none", "b=f32:4x4", "c=f32:4x4"}), 2, "InvalidArgument",
                 HasSubstr("a: not optional: expected a=DTYPE:SHAPE"));
  expect_refused(Program()({"show", "add", "x=none", "y=f32:4", "z=f32:4"}), 2, "InvalidArgument",
                 HasSubstr("x: not optional: expected x=DTYPE:SHAPE, or x=NUMBER"));
}

TEST(Program, ATensorGivenTwiceIsRefused) {
  expect_refused(Program()({"show", "copy_2d", "x=f32:4x4", "x=f32:4x4", "y=f32:4x4"}), 2, "InvalidArgument",
                 HasSubstr("x: given twice"));
}

TEST(Program, AWrongRankNamesTheTensor) {
  expect_refused(Program()({"show", "copy_2d", "x=f32:4", "y=f32:4x4"}), 2, "InvalidArgument",
                 AllOf(HasSubstr("x"), HasSubstr("1"), HasSubstr("2")));
}

TEST(Program, SizesThatDisagreeNameBothTensorsAndTheAxis) {
  expect_refused(
      Program()({"show", "copy_2d", "x=f32:4x6", "y=f32:4x5"}), 2, "InvalidArgument",
      AllOf(HasSubstr("x"), HasSubstr("y"), HasSubstr("N"), HasSubstr("6"), HasSubstr("5"), HasSubstr("axis 1")));
}

TEST(Program, DtypesThatDisagreeAreNamed) {
  expect_refused(Program()({"show", "copy_2d", "x=f32:4x4", "y=f16:4x4"}), 2, "InvalidArgument",
                 AllOf(HasSubstr("y"), HasSubstr("f16"), HasSubstr("f32")));
}

TEST(Program, AnUnknownSettingIsNamed) {
  expect_refused(Program()({"show", "copy_2d", "x=f32:4x4", "y=f32:4x4", "--set", "BLOCK_K=4"}), 2, "InvalidArgument",
                 HasSubstr("BLOCK_K"));
}

TEST(Program, ABlockOver1024ThreadsNamesConfigAndLimit) {
  expect_refused(Program()({"show", "copy_2d", "x=f32:4096x4096", "y=f32:4096x4096", "--set", "num_warps=64"}), 2,
                 "InvalidArgument", AllOf(HasSubstr("num_warps=64"), HasSubstr("2048"), HasSubstr("1024")));
}

TEST(Program, AScalarThatDoesNotConvertExactlyIsRefused) {
  Program tilejit;
  const std::string file = tilejit.write("scale.cuh", scale_template);
  expect_refused(tilejit({"show", file, "x=f32:8", "y=f32:8", "factor=16777217"}), 2, "InvalidArgument",
                 AllOf(HasSubstr("factor"), HasSubstr("16777216")));
  expect_refused(tilejit({"show", file, "x=f32:8", "y=f32:8", "factor=two"}), 2, "InvalidArgument",
                 HasSubstr("factor: 'two' is no f32 value"));
  EXPECT_EQ(tilejit({"show", file, "x=f32:8", "y=f32:8", "factor=0.1"}).status, 0);
}

TEST(Program, BrokenFrontMatterGivesFileLineAndColumn) {
  Program tilejit;
  std::string text = scale_template;
  text.replace(text.find("cdiv(N, BLOCK)"), 14, "cdiv(N, BLOK)");
  const std::string file = tilejit.write("scale.cuh", text);
  const Finished show = tilejit({"show", file});
  expect_refused(show, 1, "TemplateError", AllOf(HasSubstr(file + ":4:"), HasSubstr("BLOK"), HasSubstr("BLOCK")));
}

TEST(Program, AFileThatIsNotThereIsNamed) {
  expect_refused(Program()({"show", "/no/such/scale.cuh"}), 2, "InvalidArgument", HasSubstr("/no/such/scale.cuh"));
}

TEST(Program, AnArchThatIsNoneIsRefused) {
  const Finished show = Program()({"show", "copy_2d", "x=f32:4x4", "y=f32:4x4", "--arch", "volta"});
  expect_refused(show, 1, "ToolchainError", HasSubstr("volta"));
}

TEST(Program, ACacheThatDoesNotExistYetIsMadeAndEmpty) {
  Program tilejit;
  EXPECT_THAT(tilejit({"cache", "stats"}).out, HasSubstr(tilejit.cache().string()));
  EXPECT_THAT(tilejit({"cache", "verify"}).out, HasSubstr("0 entries read, 0 damaged"));
  EXPECT_EQ(tilejit({"cache", "clear"}).status, 0);
  const auto stats = nlohmann::json::parse(tilejit({"cache", "stats", "--json"}).out);
  EXPECT_EQ(stats["format"], "tilejit.cache.stats");
  EXPECT_EQ(stats["kernels"]["entries"], 0);
}

TEST(Program, ACacheInMemoryOnlyIsSaid) {
  Program tilejit;
  tilejit.set("TILEJIT_CACHE_DIR", "/proc/no-cache-here");
  const Finished stats = tilejit({"cache", "stats"});
  EXPECT_EQ(stats.status, 1);
  EXPECT_THAT(stats.err, HasSubstr("in memory only: "));
}

TEST(Program, RunAndTuneWithoutADeviceAreNoDevice) {
  Program tilejit;
  tilejit.set("CUDA_VISIBLE_DEVICES", "");
  for (const char* command : {"run", "tune"}) {
    const Finished finished = tilejit({command, "copy_2d", "x=f32:4x4", "y=f32:4x4", "--device", "gpu"});
    expect_refused(finished, 1, "NoDevice", Not(HasSubstr("terminate")));
  }
}

TEST(Program, BadInputIsReportedBeforeAMissingDevice) {
  Program tilejit;
  tilejit.set("CUDA_VISIBLE_DEVICES", "");
  expect_refused(tilejit({"run", "copy_2d", "x=f32:4x4", "y=f32:4x5", "--device", "gpu"}), 2, "InvalidArgument",
                 HasSubstr("axis 1"));
}

TEST(Program, UnknownDevicesAndGridsAreUsage) {
  expect_refused(Program()({"run", "copy_2d", "x=f32:4x4", "y=f32:4x4", "--device", "tpu"}), 2, "Usage",
                 HasSubstr("--device"));
  expect_refused(Program()({"run", "copy_2d", "x=f32:4x4", "y=f32:4x4", "--grid", "1,1,1,1"}), 2, "Usage",
                 HasSubstr("--grid"));
}

TEST(ProgramOps, ListAndShowTellOfOpsAndTheirPlans) {
  const Program tilejit;
  EXPECT_THAT(tilejit({"list"}).out, AllOf(HasSubstr("\ncopy "), HasSubstr("\nelementwise ")));
  const Finished show = tilejit({"show", "copy", "x=f32:64x32:1,64", "y=f32:64x32"});
  EXPECT_EQ(show.status, 0) << show.err;
  EXPECT_THAT(show.out, AllOf(HasSubstr("step 0      copy_2d (main)"), HasSubstr("workspace   0 bytes")));
}

TEST(Program, ASeedIsANumberOf64Bits) {
  const Program tilejit;
  for (const char* seed : {"18446744073709551616", "-1", "1e3", "0x10", "7 "}) {
    const Finished run = tilejit({"run", "global_id", "ids=i32:8", "--seed", seed});
    EXPECT_NE(run.status, 0) << seed;
    EXPECT_THAT(run.err, HasSubstr("a whole number below 2^64 is wanted")) << seed;
  }
  EXPECT_THAT(tilejit({"tune", "global_id", "ids=i32:8", "--seed", "99999999999999999999"}).err,
              HasSubstr("--seed: '99999999999999999999'"));
}

TEST(ProgramOps, ThePlanListsTheTensorsThatAreThere) {
  const Finished show = Program()({"show", "matmul", "a=bf16:64x64", "b=bf16:64x64", "c=bf16:64x64"});
  EXPECT_EQ(show.status, 0) << show.err;
  EXPECT_THAT(show.out, HasSubstr("c + 0 bytes: bf16 (64, 64)"));
  EXPECT_THAT(show.out, Not(HasSubstr("absent")));
}

TEST(ProgramOps, WhatTakesTemplatesAloneNamesTheOnesOfAnOp) {
  const Finished compile = Program()({"compile", "matmul", "a=bf16:64x64", "b=bf16:64x64", "c=bf16:64x64"});
  EXPECT_EQ(compile.status, 2);
  EXPECT_THAT(compile.err, HasSubstr("compile: matmul is an op; name the template that it runs here, matmul_wgmma"));
  EXPECT_THAT(Program()({"access", "matmul", "a=bf16:64x64", "b=bf16:64x64", "c=bf16:64x64"}).err,
              HasSubstr("the template that it runs here, matmul_mma, with the arguments of `tilejit show matmul_mma`"));
  EXPECT_THAT(Program()({"access", "matmul"}).err, HasSubstr("access: matmul is an op; name one of its templates"));
  EXPECT_THAT(Program()({"access", "elementwise", "x=f32:8x8", "out = x * 2"}).err,
              HasSubstr("elementwise is an op; its kernel is made for the call"));
  // Made for the call, though the library has a template of that name too.
  EXPECT_THAT(Program()({"compile", "copy", "x=f32:64x100", "y=f16:64x100"}).err,
              HasSubstr("copy is an op; its kernel is made for the call"));
  EXPECT_THAT(Program()({"compile", "copy", "x=f32:64x100:1,64", "y=f32:64x100"}).err,
              HasSubstr("name the template that it runs here, copy_2d"));
}

TEST(ProgramOps, WhatTheArgumentsDecideIsNotSetByHand) {
  const std::vector<std::string> call{"inspect",      "matmul",       "a=bf16:64x64",
                                      "b=bf16:64x64", "c=bf16:64x64", "activation=gelu"};
  const auto with = [&](std::vector<std::string> args, const char* setting) {
    args.insert(args.end(), {"--set", setting});
    return args;
  };
  const Finished set = Program()(with(call, "ACTIVATION=1"));
  EXPECT_EQ(set.status, 2);
  EXPECT_THAT(set.err,
              HasSubstr("matmul: ACTIVATION of matmul_wgmma is 2 by the call's arguments; it cannot be set to 1"));
  const Finished stages = Program()({"inspect", "sum", "x=f32:4x100", "y=f32:4x1", "--set", "num_stages=2"});
  EXPECT_EQ(stages.status, 0) << stages.err;  // split_sum has no use for it, but no argument decides it
  std::vector<std::string> show = call;
  show[0] = "show";
  EXPECT_THAT(Program()(with(show, "ACTIVATION=1")).err, HasSubstr("it cannot be set to 1"));
  EXPECT_THAT(Program()(with(show, "BLOCK_N=128")).err, HasSubstr("is false"));
  EXPECT_THAT(Program()(with(show, "GROUP_M=2")).out, HasSubstr("GROUP_M=2"));
  show.push_back("--json");
  EXPECT_THAT(Program()(with(show, "GROUP_M=2")).out, HasSubstr("\"GROUP_M\": 2"));
  const Finished beyond =
      Program()({"inspect", "matmul_mma", "a=bf16:64x64", "b=bf16:64x64", "c=bf16:64x64", "--set", "ACTIVATION=9",
                 "--set", "BLOCK_M=64", "--set", "BLOCK_N=64", "--set", "num_warps=4"});
  EXPECT_EQ(beyond.status, 2);
  EXPECT_THAT(beyond.err, HasSubstr("where: 0 <= ACTIVATION && ACTIVATION <= 3 is false"));
}

TEST(ProgramOps, ElementwiseWithoutAFormulaSaysThatItWantsOne) {
  const Program tilejit;
  const Finished show = tilejit({"show", "elementwise"});
  EXPECT_EQ(show.status, 0) << show.err;
  EXPECT_THAT(show.out, AllOf(HasSubstr("elementwise: what a formula"), HasSubstr("gelu"),
                              HasSubstr("\"out = gelu(x * alpha + bias)\"\n")));
  const auto json = nlohmann::json::parse(tilejit({"show", "elementwise", "--json"}).out);
  EXPECT_EQ(json["op"]["op"], "elementwise");
  const Finished formula = tilejit({"show", "elementwise", "out = gelu(x * alpha + bias)"});
  EXPECT_EQ(formula.status, 0) << formula.err;
  EXPECT_THAT(formula.out, HasSubstr("bias      read, or a number"));
  for (const char* command : {"run", "tune", "inspect"}) {
    const Finished none = tilejit({command, "elementwise"});
    EXPECT_EQ(none.status, 2) << command;
    EXPECT_THAT(none.err, HasSubstr("elementwise wants a formula")) << command;
  }
  for (const char* command : {"compile", "access"})
    EXPECT_THAT(tilejit({command, "elementwise"}).err,
                HasSubstr("elementwise is an op; its kernel is made for the call"));
  const auto list = nlohmann::json::parse(tilejit({"list", "--json"}).out);
  EXPECT_EQ(list["ops"].back()["name"], "elementwise");
}

TEST(Program, AFactorThatIntegersDoNotHoldIsRefusedByNameEverywhere) {
  const auto with = [](const char* command, const char* name, const char* dtype, const char* factor) {
    const auto tensor = [&](const char* of, const char* shape) { return std::string(of) + "=" + dtype + ":" + shape; };
    return Program()({command, name, tensor("a", "70x8"), tensor("b", "8x80"),
                      std::string(dtype) == "i8" ? "c=i32:70x80" : tensor("c", "70x80"), factor});
  };
  for (const char* name : {"matmul_tiled", "matmul"})
    for (const char* command : {"run", "tune", "inspect"}) {
      expect_refused(with(command, name, "i32", "alpha=0.5"), 2, "InvalidArgument",
                     AllOf(HasSubstr(name), HasSubstr("alpha is 0.5; of i32 it must be whole, and fit i32")));
      expect_refused(with(command, name, "i8", "beta=2147483648"), 2, "InvalidArgument",
                     HasSubstr("beta is 2147483648; of i8 it must be whole, and fit i32"));
    }
  expect_refused(with("compile", "matmul_tiled", "i64", "alpha=1e19"), 2, "InvalidArgument", HasSubstr("fit i64"));
  expect_refused(with("access", "matmul_mma", "f32", "alpha=1e39"), 2, "InvalidArgument",
                 HasSubstr("does not hold that"));
}

TEST(Program, IntegersHaveNoActivationButReluInAnyTemplate) {
  for (const char* command : {"show", "inspect", "compile"})
    for (const char* activation : {"ACTIVATION=2", "ACTIVATION=3"})
      expect_refused(
          Program()({command, "matmul_tiled", "a=i32:70x8", "b=i32:8x80", "c=i32:70x80", "--set", activation}), 2,
          "InvalidArgument", HasSubstr("ACTIVATION <= 1 || floating(a) is false"));
}

TEST(ProgramOps, RefusalsNameWhatWouldFit) {
  const Program tilejit;
  const auto refusal = [&](std::vector<std::string> args) {
    args.insert(args.begin(), "show");
    const Finished run = tilejit(args);
    EXPECT_NE(run.status, 0);
    return run.err;
  };
  EXPECT_THAT(refusal({"elementwise", "x=f32:4", "out = gelu(x * )"}), HasSubstr("column 16"));
  EXPECT_THAT(refusal({"elementwise", "x=f32:4", "beta=2", "out = x + alpha"}),
              HasSubstr("no argument 'beta' (known: x, alpha, out)"));
  EXPECT_THAT(refusal({"elementwise", "x=f32:4", "out = x + alpha"}), HasSubstr("alpha: missing"));
  EXPECT_THAT(refusal({"elementwise", "x=f32:4"}), HasSubstr("wants a formula"));
  EXPECT_THAT(refusal({"add", "x=f32:3x4", "y=f32:3x5", "z=f32:3x4"}), HasSubstr("x and y do not broadcast"));
}

}  // namespace
}  // namespace tilejit::test
