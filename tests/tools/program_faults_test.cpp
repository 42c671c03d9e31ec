#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/run_program.h"

// What the program says where a kernel goes wrong on the emulated device.
namespace tilejit::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;

class Faults : public testing::Test {
 protected:
  Faults() { tilejit.set("TILEJIT_TUNING", "off"); }
  Finished run(std::vector<std::string> args) {
    args.insert(args.begin(), "run");
    args.insert(args.end(), {"--device", "emulated"});
    return tilejit(args);
  }
  Program tilejit;
};

TEST_F(Faults, ABroadcastOf4ElementsReadAs4096RowsIsOutOfBounds) {
  EXPECT_EQ(run({"copy_2d", "x=f32:4096x4:0,1", "y=f32:4096x4", "--check"}).status, 0);
  const Finished wrong = run({"copy_2d_hardcoded", "x=f32:4096x4:0,1", "y=f32:4096x4", "--check"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.out, IsEmpty());
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("emulated device: out of bounds: read of "),
                               HasSubstr("  kernel copy_2d_hardcoded_kernel, block ("), HasSubstr("  PTX line "),
                               ContainsRegex("source: .*/tilejit/templates/kernels/copy_2d_hardcoded.cuh:[0-9]+"),
                               ContainsRegex("nearest: allocation 1 .*, [0-9]+ bytes past its end"),
                               HasSubstr("tilejit: CudaError: ")));
}

/// Two threads a pair, with or without what orders them.
std::string pair_sum(const std::string& between) {
  return R"cuh(/*---
summary = "y[i] = x[i] + x[i ^ 1] of each block"
default = { BLOCK = 64, num_warps = 2 }
grid    = ["cdiv(N, BLOCK)"]
[[arguments]]
name = "x"
shape = ["N"]
access = "read"
dtypes = ["f32"]
[[arguments]]
name = "y"
shape = ["N"]
access = "write"
dtype = "x"
---*/
template <class X, class Y>
__device__ void pair_sum(X x, Y y) {
  __shared__ float tile[BLOCK];
  const i64 at = program_id<0>() * BLOCK + threadIdx.x;
  tile[threadIdx.x] = at < x.template size<0>() ? x.data[at] : 0;
  )cuh" + between +
         R"cuh(
  if (at < y.template size<0>()) y.data[at] = tile[threadIdx.x] + tile[threadIdx.x ^ 1];
}
)cuh";
}

TEST_F(Faults, ARaceInAUsersTemplateNamesBothOfItsLines) {
  const std::string sound = tilejit.write("pair_sum.cuh", pair_sum("__syncthreads();"));
  EXPECT_EQ(run({sound, "x=f32:100", "y=f32:100"}).status, 0);
  const std::string racy = tilejit.write("pair_sum.cuh", pair_sum(""));
  const Finished found = run({racy, "x=f32:100", "y=f32:100"});
  EXPECT_EQ(found.status, 1);
  EXPECT_THAT(found.err, AllOf(HasSubstr("race on shared memory at 0x"), HasSubstr("no __syncwarp between"),
                               HasSubstr("pair_sum.cuh:22"), HasSubstr("pair_sum.cuh:20")));
}

TEST_F(Faults, ChecksCanBeLeftOut) {
  const std::string racy = tilejit.write("pair_sum.cuh", pair_sum(""));
  tilejit.set("TILEJIT_EMULATED_CHECK", "unwritten");
  EXPECT_EQ(run({racy, "x=f32:100", "y=f32:100"}).status, 0);
  tilejit.set("TILEJIT_EMULATED_CHECK", "none");
  EXPECT_EQ(run({racy, "x=f32:100", "y=f32:100"}).status, 0);
  tilejit.set("TILEJIT_EMULATED_CHECK", "unwritten,races");
  EXPECT_EQ(run({racy, "x=f32:100", "y=f32:100"}).status, 1);
}

TEST_F(Faults, SharedMemoryThatATemplateNeverWroteIsReported) {
  std::string text = pair_sum("__syncthreads();");
  text.replace(text.find("  tile[threadIdx.x] = at <"), 26, "  if (threadIdx.x < 60) tile[threadIdx.x] = at <");
  const std::string file = tilejit.write("pair_sum.cuh", text);
  EXPECT_THAT(run({file, "x=f32:100", "y=f32:100"}).err,
              AllOf(HasSubstr("unwritten: read of shared memory at 0x"), HasSubstr("thread (60, 0, 0)"),
                    HasSubstr("pair_sum.cuh:22"), ContainsRegex("offset 24[04]\n")));
}

TEST(EmulatedDevice, EachOfItsVariablesIsRefusedByNameWhereItSaysNothing) {
  const std::string document = Program::text_of(TILEJIT_SOURCE_DIR "/docs/emulator.md");
  int variables = 0;
  for (std::size_t at = 0; (at = document.find("\n| `TILEJIT_EMULATED_", at)) != document.npos; ++at) {
    const std::size_t begin = at + 4;
    const std::string name = document.substr(begin, document.find('`', begin) - begin);
    Program tilejit;
    tilejit.set(name, "maybe");
    const Finished run = tilejit({"run", "global_id", "ids=i32:32", "--device", "emulated"});
    EXPECT_NE(run.status, 0) << name;
    EXPECT_THAT(run.err, HasSubstr(name + "='maybe': ")) << name;
    ++variables;
  }
  EXPECT_EQ(variables, 8);
}

}  // namespace
}  // namespace tilejit::test
