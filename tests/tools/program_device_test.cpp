#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/run_program.h"

namespace tilejit::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Each test runs on a GPU and on the emulated device, and is skipped where that one is not there.
class ProgramDevice : public testing::TestWithParam<const char*> {
 protected:
  Finished call(std::vector<std::string> args) {
    args.insert(args.end(), {"--device", GetParam()});
    return tilejit(args);
  }
  void SetUp() override {
    const Finished probe = call({"run", "global_id", "ids=i32:32"});
    if (probe.err.starts_with("tilejit: NoDevice: ")) GTEST_SKIP() << probe.err;
    ASSERT_EQ(probe.status, 0) << probe.err;
  }
  Program tilejit;
};

TEST_P(ProgramDevice, ACopyOfATransposedViewIsRight) {
  tilejit.set("TILEJIT_TUNING", "off");
  const Finished run = call({"run", "copy_2d", "x=f32:100x72:1,100", "y=f32:100x72", "--check"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("check   passed: against the slow CPU reference"));
  EXPECT_THAT(run.out, HasSubstr("y: 7200 elements right"));
}

TEST_P(ProgramDevice, EveryTemplateAgreesWithItsReference) {
  tilejit.set("TILEJIT_TUNING", "off");
  const std::vector<std::vector<std::string>> calls = {
      {"global_id", "ids=i64:1000"},
      {"vector_add", "x=f32:1000", "y=f32:1000", "z=f32:1000"},
      {"vector_add", "x=i16:1000:-1", "y=i16:1000:0", "z=i16:1000:2"},
      {"copy_2d", "x=bf16:64x100:100,1:7", "y=bf16:64x100"},
      {"copy_2d", "x=u8:33x65:-65,-1", "y=u8:33x65:1,33"},
      {"row_sum", "x=f32:64x1000", "y=f32:64"},
      {"column_sum", "x=f32:64x1000", "y=f32:1000"},
      {"matmul_row", "a=f32:5x64", "b=f32:64x33", "c=f32:5x33"},
      {"kinetic_energy_aos", "particles=f32:1000x7", "energy=f32:1000"},
      {"kinetic_energy_soa", "vx=f32:100", "vy=f32:100", "vz=f32:100", "m=f32:100", "energy=f32:100"},
  };
  for (std::vector<std::string> one : calls) {
    one.insert(one.begin(), "run");
    one.emplace_back("--check");
    const Finished run = call(one);
    EXPECT_EQ(run.status, 0) << one[1] << "\n" << run.out << run.err;
  }
}

TEST_P(ProgramDevice, OpsTakeAnyRankAndAgreeWithTheirReference) {
  tilejit.set("TILEJIT_TUNING", "off");
  const std::vector<std::vector<std::string>> calls = {
      {"copy", "x=f32:2x3x40x50:6000,2000,1,40", "y=f32:2x3x40x50"},
      {"add", "x=bf16:7x130", "y=f32:130", "z=bf16:7x130"},
      {"fill", "value=0.1", "y=f32:1000"},
      {"elementwise", "x=f32:64x100", "alpha=0.5", "bias=f32:100", "out = gelu(x * alpha + bias)"},
      {"elementwise", "x=i32:64:-1", "out=x*x-2", "out=i64:64"},
      {"sum", "x=f32:4x5x6", "y=f32:1x5x1"},
      {"argmax", "x=bf16:4x300", "y=i64:4"},
      {"softmax", "x=f32:3x4x50", "y=f32:3x4x50"},
      {"layernorm", "x=bf16:7x130", "y=bf16:7x130", "weight=f32:130"},
      {"gather", "x=f16:9x40", "index=i32:5", "y=f16:5x40"},
  };
  for (std::vector<std::string> one : calls) {
    one.insert(one.begin(), "run");
    one.emplace_back("--check");
    const Finished run = call(one);
    EXPECT_EQ(run.status, 0) << one[1] << "\n" << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("passed: against the slow CPU reference")) << one[1];
  }
}

TEST_P(ProgramDevice, AGridOneProgramShortLeaves232ElementsUnwritten) {
  const Finished run = call({"run", "global_id", "ids=i32:1000", "--set", "BLOCK=256", "--grid", "3", "--check"});
  EXPECT_EQ(run.status, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("FAILED"));
  EXPECT_THAT(run.out, HasSubstr("ids: 232 of 1000 elements unwritten, first (768)"));
}

TEST_P(ProgramDevice, AHardCodedStrideIsCaughtOnATransposedView) {
  const Finished run = call({"run", "copy_2d_hardcoded", "x=f32:4x3:1,4", "y=f32:4x3", "--check"});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.out, HasSubstr("of 12 elements wrong, first (0, 1): "));
  EXPECT_EQ(call({"run", "copy_2d_hardcoded", "x=f32:4x3", "y=f32:4x3", "--check"}).status, 0);
}

TEST_P(ProgramDevice, AUsersTemplateIsCheckedAgainstItsDefaultConfig) {
  const std::string file = tilejit.write("scale.cuh", scale_template);
  const Finished run = call({"run", file, "x=f32:1000", "y=f32:1000", "factor=0.5", "--set", "BLOCK=512", "--check"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("against its default Config, BLOCK=256"));
}

/// A constant without a choice in [config] decides what is computed: --check used to compare with another function.
TEST_P(ProgramDevice, WhatIsComparedWithComputesWhatRan) {
  tilejit.set("TILEJIT_TUNING", "off");
  const std::vector<std::string> product{"a=bf16:70x40", "b=bf16:40x80", "c=f32:70x80", "bias=f32:70x80:0,1",
                                         "alpha=3"};
  for (const char* name : {"matmul_tiled", "matmul_mma"})
    for (const char* activation : {"ACTIVATION=1", "ACTIVATION=2", "ACTIVATION=3"}) {
      if (std::string(name) == "matmul_mma" && activation[11] != '2') continue;
      std::vector<std::string> args{"run", name, "--check", "--set", activation};
      args.insert(args.end(), product.begin(), product.end());
      const Finished run = call(args);
      EXPECT_EQ(run.status, 0) << name << " " << activation << "\n" << run.out << run.err;
      EXPECT_THAT(run.out, HasSubstr("against the slow CPU reference"));
    }
  std::string scaled = scale_template;  // by a constant
  scaled.replace(scaled.find("* factor"), 8, "* TIMES ");
  scaled.replace(scaled.find("num_warps = 4 }"), 15, "num_warps = 4, TIMES = 2 }");
  const std::string file = tilejit.write("scale.cuh", scaled);
  const Finished run =
      call({"run", file, "x=f32:1000", "y=f32:1000", "--set", "BLOCK=512", "--set", "TIMES=5", "--check"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("against its default Config, BLOCK=256 TIMES=5"));
  const Finished first = call({"run", file, "x=f32:1000", "y=f32:1000", "--set", "TIMES=5", "--check"});
  EXPECT_EQ(first.status, 0) << first.out << first.err;
  EXPECT_THAT(first.out, HasSubstr("TIMES=5 num_warps=4"));
}

TEST_P(ProgramDevice, AWriteBesideTheViewIsFound) {
  // Takes y for contiguous: writes the elements between its own, and leaves half of its own alone.
  const std::string file = tilejit.write("smear.cuh", R"cuh(/*---
summary = "y = 1, as if y had no gaps"
default = { BLOCK = 32, num_warps = 1 }
grid    = ["cdiv(N, BLOCK)"]
[[arguments]]
name = "y"
shape = ["N"]
access = "write"
dtypes = ["f32"]
[config]
BLOCK = [32, 64]
---*/
template <class Y>
__device__ void smear(Y y) {
  for (int i = threadIdx.x; i < BLOCK; i += 32) {
    const long long at = program_id<0>() * BLOCK + i;
    if (at < y.template size<0>()) y.data[at] = 1.0f;
  }
}
)cuh");
  EXPECT_EQ(call({"run", file, "y=f32:64", "--set", "BLOCK=64", "--check"}).status, 0);
  const Finished run = call({"run", file, "y=f32:64:2", "--set", "BLOCK=64", "--check"});
  EXPECT_EQ(run.status, 1) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("32 of 64 elements unwritten, first (32)"),
                             HasSubstr("128 bytes changed outside its elements")));
}

TEST_P(ProgramDevice, AnUpdatedTensorStartsFromTheSameValuesOnBothSides) {
  std::string text = scale_template;
  text.replace(text.find("access = \"write\""), 16, "access = \"update\"");
  text.replace(text.find("load(x, at) * factor"), 20, "load(y, at) + load(x, at) * factor");
  const std::string file = tilejit.write("scale.cuh", text);
  const Finished run =
      call({"run", file, "x=f32:1000", "y=f32:1000", "--set", "BLOCK=128", "--check", "--repeat", "3"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("y: 1000 elements right"));
}

TEST_P(ProgramDevice, AnOptionalTensorMayBeLeftOutOrGiven) {
  const std::string file = tilejit.write("shift.cuh", R"cuh(/*---
summary = "y = x, plus bias where there is one"
default = { BLOCK = 128, num_warps = 4 }
grid    = ["cdiv(N, BLOCK)"]
[[arguments]]
name = "x"
shape = ["N"]
access = "read"
dtypes = ["f32"]
[[arguments]]
name = "bias"
shape = ["N"]
access = "read"
dtype = "x"
optional = true
[[arguments]]
name = "y"
shape = ["N"]
access = "write"
dtype = "x"
[config]
BLOCK = [128, 256]
---*/
template <class X, class B, class Y>
__device__ void shift(X x, B bias, Y y) {
  const auto at = program_id<0>() * BLOCK + arange<BLOCK>();
  if constexpr (B::present) store(y, at, load(x, at) + load(bias, at));
  else store(y, at, load(x, at));
}
)cuh");
  for (const char* bias : {"bias=none", "bias=f32:100", "bias=f32:100:0"}) {
    const Finished run = call({"run", file, "x=f32:100", bias, "y=f32:100", "--set", "BLOCK=256", "--check"});
    EXPECT_EQ(run.status, 0) << bias << run.out << run.err;
  }
  EXPECT_EQ(call({"run", file, "x=f32:100", "y=f32:100", "--set", "BLOCK=256", "--check"}).status, 0);
}

TEST_P(ProgramDevice, NothingIsCompiledOrTunedTwice) {
  const std::vector<std::string> args = {"run", "copy_2d", "x=f32:64x64", "y=f32:64x64", "--json", "--repeat", "0"};
  const Finished first = call(args), second = call(args);
  const auto cold = nlohmann::json::parse(first.out), warm = nlohmann::json::parse(second.out);
  EXPECT_EQ(cold["format"], "tilejit.run");
  EXPECT_EQ(cold["made"]["tuned"], 1);
  EXPECT_GT(cold["made"]["compiled"], 0);
  if (cold["emulated"].get<bool>()) {  // by a model: each Config's kernel ran once, and one compares outputs
    EXPECT_EQ(cold["made"]["trials"].get<int>() + 1, cold["made"]["compiled"].get<int>());
  }
  EXPECT_EQ(warm["made"]["tuned"], 0);
  EXPECT_EQ(warm["made"]["trials"], 0);
  EXPECT_EQ(warm["made"]["compiled"], 0);
  EXPECT_EQ(warm["made"]["from_cache"], 1);
  EXPECT_EQ(warm["config"], cold["config"]);
}

TEST_P(ProgramDevice, ExplainSaysWhatCausedACompile) {
  const Finished run = call({"run", "copy_2d", "x=f32:64x64", "y=f32:64x64", "--set", "BLOCK_M=32", "--explain"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("\nwhy     "), HasSubstr("\nmade    "), HasSubstr("compiled"),
                             HasSubstr("\nlog     tilejit.jit: compiled copy_2d"), HasSubstr(" because: ")));
}

TEST_P(ProgramDevice, ExplainKeepsQuietLogsQuiet) {
  tilejit.set("TILEJIT_LOG", "off");
  EXPECT_EQ(call({"run", "global_id", "ids=i32:32", "--explain"}).err, "");
}

TEST_P(ProgramDevice, TuneRanksTheConfigsAndKeepsTheBest) {
  const Finished tune = call({"tune", "vector_add", "x=f32:10000", "y=f32:10000", "z=f32:10000", "--json"});
  ASSERT_EQ(tune.status, 0) << tune.err;
  const auto json = nlohmann::json::parse(tune.out);
  EXPECT_EQ(json["format"], "tilejit.tune");
  EXPECT_EQ(json["emulated"], std::string(GetParam()) == "emulated");
  EXPECT_EQ(json["modelled"], json["emulated"]);
  ASSERT_GT(json["measurements"].size(), 1u);
  EXPECT_EQ(json["best"], json["measurements"][0]["config"]);
  const Finished run =
      call({"run", "vector_add", "x=f32:10000", "y=f32:10000", "z=f32:10000", "--json", "--repeat", "0"});
  const auto ran = nlohmann::json::parse(run.out);
  EXPECT_EQ(ran["config"], json["best"]);
  EXPECT_THAT(tilejit({"cache", "list"}).out, HasSubstr(json["bucket"].get<std::string>()));
  EXPECT_EQ(ran["made"]["tuned"], 0);
}

/// A call that tunes for seconds said nothing until it was done.
TEST_P(ProgramDevice, TuningThatTakesItsTimeIsSaidOnStandardErrorAlone) {
  const std::vector<std::string> args{"softmax_online", "x=f32:2x40000", "y=f32:2x40000", "--json"};
  for (const char* command : {"tune", "run"}) {
    std::vector<std::string> typed = args;
    typed.insert(typed.begin(), command);
    const Finished run = call(typed);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(nlohmann::json::accept(run.out)) << run.out;
    const bool said =
        run.err.starts_with("tilejit: tuning softmax_online: ") && run.err.find('\n') + 1 == run.err.size();
    EXPECT_TRUE(said || run.err.empty()) << run.err;  // empty: it took less than a second, or was tuned already
  }
  tilejit.set("TILEJIT_LOG", "error");
  tilejit.set("TILEJIT_CACHE_DIR", "");
  EXPECT_EQ(call({"tune", "softmax_online", "x=f32:2x40000", "y=f32:2x40000"}).err, "");
}

TEST_P(ProgramDevice, NothingIsTunedWhereNothingIsLaunched) {
  for (const Finished& tune : {call({"tune", "copy_2d", "x=f32:0x64", "y=f32:0x64"}),
                               call({"tune", "matmul", "a=bf16:0x64", "b=bf16:64x64", "c=bf16:0x64"})}) {
    EXPECT_EQ(tune.status, 0) << tune.err;
    EXPECT_THAT(tune.out, HasSubstr("nothing to tune: the call launches no program"));
  }
}

TEST_P(ProgramDevice, AnEmptyTensorLaunchesNothingAndIsFine) {
  EXPECT_EQ(call({"run", "copy_2d", "x=f32:0x64", "y=f32:0x64", "--check"}).status, 0);
  const Finished product = call({"run", "matmul", "a=f32:0x5", "b=f32:5x4", "c=f32:0x4", "--check"});
  EXPECT_EQ(product.status, 0) << product.err;
}

TEST_P(ProgramDevice, TheRoofOfASumIsNotThatOfTensorCores) {
  const Finished run = call({"run", "row_sum", "x=f16:3x70", "y=f32:3", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(nlohmann::json::parse(run.out).at("roofline").at("arithmetic"), "f32");
}

TEST_P(ProgramDevice, ABlockOver1024ThreadsIsRefusedByNameAndNothingRuns) {
  const Finished run = call({"run", "copy_2d", "x=f32:64x64", "y=f32:64x64", "--set", "num_warps=64"});
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, AllOf(HasSubstr("num_warps=64"), HasSubstr("1024")));
}

INSTANTIATE_TEST_SUITE_P(Devices, ProgramDevice, testing::Values("gpu", "emulated"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tilejit::test
