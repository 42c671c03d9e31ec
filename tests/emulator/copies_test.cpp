#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <numeric>

#include "device.h"

/// cp.async: what has come when, what it costs, what is reported.
namespace tilejit::testing {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::uint8_t before = 0xEE;
constexpr int threads = 64;

/// Each thread has 32 bytes of shared memory at %dst, filled with `before`, 32 of global memory at %src, and a word %n
/// of its own; then `text`; then all of shared memory goes back.
std::string kernel(const std::string& text) {
  return ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 pd, .param .u64 ps, .param .u64 "
         "pn)\n"
         "{\n.shared .align 128 .b8 memory[2048];\n.reg .pred %p, %q;\n.reg .b32 %t, %n, %m, %dst, %a<8>;\n.reg .b64 "
         "%src, "
         "%out, %at, %far;\nmov.u32 %t, %tid.x;\nmov.u32 %m, memory;\nmad.lo.u32 %dst, %t, 32, %m;\n"
         "ld.param.u64 %src, [ps];\nmad.wide.u32 %src, %t, 32, %src;\nld.param.u64 %out, [pd];\nmad.wide.u32 %out, %t, "
         "32, "
         "%out;\nld.param.u64 %at, [pn];\nmad.wide.u32 %at, %t, 4, %at;\nld.global.u32 %n, [%at];\nmov.u32 %a0, "
         "0xEEEEEEEE;\n"
         "setp.ne.u32 %p, %n, 0;\nst.shared.v4.u32 [%dst], {%a0, %a0, %a0, %a0};\n"
         "st.shared.v4.u32 [%dst+16], {%a0, %a0, %a0, %a0};\nbar.sync 0;\n" +
         text +
         "\nbar.sync 0;\nld.shared.v4.u32 {%a0, %a1, %a2, %a3}, [%dst];\nld.shared.v4.u32 {%a4, %a5, %a6, %a7}, "
         "[%dst+16];\n"
         "st.global.v4.u32 [%out], {%a0, %a1, %a2, %a3};\nst.global.v4.u32 [%out+16], {%a4, %a5, %a6, %a7};\nret;\n}\n";
}

Bytes source() {
  Bytes all(32 * threads);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint8_t>(i * 7 % 251);
  return all;
}

struct Outcome {
  CUresult code;
  Bytes bytes;
  std::string report;
};

Outcome run(const std::string& text,
            const std::vector<std::uint32_t>& numbers = std::vector<std::uint32_t>(threads, 1)) {
  const Module module(kernel(text));
  const Buffer<std::uint8_t> out(32 * threads), in(source());
  const Buffer<std::uint32_t> n(numbers);
  ::testing::internal::CaptureStderr();
  const CUresult code = module.run("k", {1}, {threads}, out.pointer(), in.pointer(), n.pointer());
  const std::string report = ::testing::internal::GetCapturedStderr();
  return {code, code == CUDA_SUCCESS ? out.read() : Bytes(), report};
}

/// `came(thread, byte)`: the source's byte (its index), -1: zero, -2: as before.
void expect(const Outcome& got, const std::function<int(int, int)>& came) {
  ASSERT_EQ(got.code, CUDA_SUCCESS) << got.report;
  const Bytes in = source();
  for (int t = 0; t < threads; ++t) {
    for (int b = 0; b < 32; ++b) {
      const int from = came(t, b);
      const std::uint8_t want = from == -2 ? before : from == -1 ? 0 : in[static_cast<std::size_t>(32 * t + from)];
      ASSERT_EQ(got.bytes[static_cast<std::size_t>(32 * t + b)], want) << "thread " << t << " byte " << b;
    }
  }
}

const std::string first = "cp.async.cg.shared.global [%dst], [%src], 16;\n",
                  second = "cp.async.cg.shared.global [%dst+16], [%src+16], 16;\n", commit = "cp.async.commit_group;\n",
                  wait = "cp.async.wait_group 0;\n";

/// What comes too early or too late is looked at here: a race, where those are looked for.
class Copies : public ::testing::Test {
 protected:
  void SetUp() override {
    use_device();
    table().set("races", 0);
  }
  void TearDown() override { table().set("races", 1); }
};

TEST_F(Copies, ComeWhenTheirGroupIsWaitedFor) {
  expect(run(first + commit + wait), [](int, int b) { return b < 16 ? b : -2; });
  expect(run(first + commit), [](int, int) { return -2; });
  expect(run(first + wait), [](int, int) { return -2; });
  expect(run(first + "cp.async.wait_all;\n"), [](int, int b) { return b < 16 ? b : -2; });
  expect(run(first + commit + second + commit + "cp.async.wait_group 1;\n"),
         [](int, int b) { return b < 16 ? b : -2; });
  expect(run(first + commit + second + commit + "cp.async.wait_group 2;\n"), [](int, int) { return -2; });
  expect(run(first + second + commit + wait), [](int, int b) { return b; });
  // An empty group is a group.
  expect(run(first + commit + commit + "cp.async.wait_group 1;\n"), [](int, int b) { return b < 16 ? b : -2; });
}

TEST_F(Copies, InOrderWhereTheyMeet) {
  const std::string over = "cp.async.cg.shared.global [%dst], [%src+16], 16;\n";
  expect(run(first + commit + over + commit + "cp.async.wait_group 1;\n"), [](int, int b) { return b < 16 ? b : -2; });
  expect(run(first + commit + over + commit + wait), [](int, int b) { return b < 16 ? b + 16 : -2; });
}

TEST_F(Copies, HaveFourEightOrSixteenBytes) {
  for (const int bytes : {4, 8, 16}) {
    const std::string size = std::to_string(bytes);
    expect(run("cp.async.ca.shared::cta.global.L2::128B [%dst+16], [%src], " + size + ";\n" + commit + wait),
           [=](int, int b) { return b >= 16 && b < 16 + bytes ? b - 16 : -2; });
  }
}

TEST_F(Copies, FillWithZerosBehindTheSourcesSize) {
  std::vector<std::uint32_t> sizes(threads);
  for (std::size_t t = 0; t < sizes.size(); ++t) sizes[t] = static_cast<std::uint32_t>(t % 17);
  expect(run("cp.async.cg.shared.global [%dst], [%src], 16, %n;\n" + commit + wait, sizes), [](int t, int b) {
    return b >= 16 ? -2 : b < t % 17 ? b : -1;
  });
  expect(run("cp.async.ca.shared.global [%dst], [%src], 8, 0;\n" + commit + wait),
         [](int, int b) { return b < 8 ? -1 : -2; });
  // Nothing is read where the size is zero: the address may be anything.
  std::vector<std::uint32_t> some(threads, 16);
  for (std::size_t t = 0; t < some.size(); t += 3) some[t] = 0;
  expect(run("setp.eq.u32 %q, %n, 0;\nmov.u64 %far, 48;\nselp.b64 %src, %far, %src, %q;\n"
             "cp.async.cg.shared.global [%dst], [%src], 16, %n;\n" +
                 commit + wait,
             some),
         [](int t, int b) { return b >= 16      ? -2
                                   : t % 3 == 0 ? -1
                                                : b; });
}

TEST_F(Copies, IgnoreTheirSourceBehindAPredicate) {
  std::vector<std::uint32_t> numbers(threads);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (std::uint32_t& n : numbers) n %= 2;
  expect(run("cp.async.ca.shared.global [%dst], [%src], 16, %p;\n" + commit + wait, numbers), [](int t, int b) {
    return b >= 16 ? -2 : t % 2 == 1 ? -1 : b;
  });
  expect(run("cp.async.ca.shared.global [%dst], [%src], 16, !%p;\n" + commit + wait, numbers), [](int t, int b) {
    return b >= 16 ? -2 : t % 2 == 0 ? -1 : b;
  });
}

TEST_F(Copies, EachLaneHasGroupsOfItsOwn) {
  std::vector<std::uint32_t> numbers(threads);
  for (std::size_t t = 0; t < numbers.size(); ++t) numbers[t] = t % 3 == 0;
  expect(run("@%p " + first + commit + wait, numbers), [](int t, int b) { return t % 3 == 0 && b < 16 ? b : -2; });
  // Those that commit once more have the first group behind them.
  expect(run(first + commit + second + "@%p " + commit + "cp.async.wait_group 1;\n", numbers),
         [](int t, int b) { return t % 3 == 0 && b < 16 ? b : -2; });
  expect(run(first + second + commit + "@%p " + wait, numbers), [](int t, int b) { return t % 3 == 0 ? b : -2; });
}

TEST_F(Copies, AreCheckedLikeOrdinaryAccesses) {
  const Outcome outside = run("cp.async.cg.shared.global [%dst], [%src+2048], 16;\n");
  EXPECT_EQ(outside.code, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_NE(outside.report.find("out of bounds: read of 16 bytes of global memory"), std::string::npos)
      << outside.report;
  EXPECT_NE(outside.report.find("cp.async.cg.shared.global"), std::string::npos) << outside.report;
  const Outcome misaligned = run("cp.async.ca.shared.global [%dst], [%src+4], 8;\n");
  EXPECT_EQ(misaligned.code, CUDA_ERROR_MISALIGNED_ADDRESS);
  const Outcome shared = run("cp.async.ca.shared.global [%dst+2048], [%src], 8;\n");
  EXPECT_EQ(shared.code, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_NE(shared.report.find("out of bounds: write of 8 bytes of shared memory"), std::string::npos) << shared.report;
  // The last bytes of an allocation may be read by a size that ends there.
  const Outcome end =
      run("setp.eq.u32 %q, %t, 63;\n@%q add.u64 %src, %src, 24;\nmov.u32 %n, 8;\n"
          "cp.async.ca.shared.global [%dst], [%src], 8, %n;\n" +
          commit + wait);
  EXPECT_EQ(end.code, CUDA_SUCCESS) << end.report;
  const Outcome past =
      run("setp.eq.u32 %q, %t, 63;\n@%q add.u64 %src, %src, 32;\nmov.u32 %n, 4;\n"
          "cp.async.cg.shared.global [%dst], [%src], 16, %n;\n");
  EXPECT_EQ(past.code, CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(Copies, AreCountedOnBothSides) {
  table().reset();
  ASSERT_EQ(run(first + commit + wait).code, CUDA_SUCCESS);
  const Traffic global = traffic("k", "global", "copy"), shared = traffic("k", "shared", "copy");
  EXPECT_EQ(global.requests, 2u);
  EXPECT_EQ(global.lanes, 64u);
  EXPECT_EQ(global.sectors, 64u);  // a lane's 16 bytes of 32
  EXPECT_EQ(global.ideal_sectors, 32u);
  EXPECT_EQ(shared.requests, 2u);
  EXPECT_EQ(shared.wavefronts, 16u);  // every second 16 bytes: twice four
  EXPECT_EQ(shared.ideal_wavefronts, 8u);
}

class CopiesChecked : public ::testing::Test {};

TEST_F(CopiesChecked, ReadingBeforeWaitingIsARace) {
  const Outcome early = run(first + commit);
  EXPECT_NE(early.report.find("a read before the copy there was waited for"), std::string::npos) << early.report;
  EXPECT_NE(early.report.find("the copy: thread (0, 0, 0), PTX line"), std::string::npos) << early.report;
  const Outcome own = run(first + commit + "ld.shared.u32 %a1, [%dst];\n" + wait);
  EXPECT_NE(own.report.find("a read before the copy there was waited for"), std::string::npos) << own.report;
}

TEST_F(CopiesChecked, AnothersCopyNeedsABarrierToo) {
  const std::string other =
      "xor.b32 %m, %t, 32;\nmov.u32 %a1, memory;\nmad.lo.u32 %m, %m, 32, %a1;\nld.shared.u32 %a2, [%m];\n";
  const Outcome race = run(first + commit + wait + other);
  EXPECT_NE(race.report.find("race on shared memory"), std::string::npos) << race.report;
  EXPECT_EQ(run(first + commit + wait + "bar.sync 0;\n" + other).code, CUDA_SUCCESS);
}

TEST_F(CopiesChecked, WhatTheyReadMustHaveBeenWritten) {
  const Module module(kernel(first + commit + wait));
  const Buffer<std::uint8_t> out(32 * threads), in(32 * threads);
  const Buffer<std::uint32_t> n(std::vector<std::uint32_t>(threads, 1));
  ::testing::internal::CaptureStderr();
  EXPECT_NE(module.run("k", {1}, {threads}, out.pointer(), in.pointer(), n.pointer()), CUDA_SUCCESS);
  const std::string report = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(report.find("unwritten: read of global memory"), std::string::npos) << report;
}

TEST(Beyond, WhatIsNotThereIsNamedOnlyWhenItRuns) {
  const struct {
    const char *instruction, *words;
  } all[] = {
      {"mbarrier.init.shared.b64 [%dst], 1;", "barriers in memory (mbarrier) are not there: bar.sync"},
      {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%dst], [%src], 16, [%dst];",
       "bulk copies are not there: cp.async of 4, 8 or 16 bytes"},
      {"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%dst], [%src, {%n, %n}], "
       "[%dst];",
       "copies by tensor maps (TMA) are not there"},
      {"wgmma.fence.sync.aligned;", "ldmatrix and mma.sync are"},
      {"setmaxnreg.inc.sync.aligned.u32 232;", "registers cannot be handed from warp to warp"},
      {"mapa.shared::cluster.u32 %n, %dst, 0;", "clusters of blocks are not there"},
      {"cp.async.mbarrier.arrive.shared.b64 [%dst];", "cp.async.wait_group and bar.sync are"},
  };
  for (const auto& one : all) {
    const Outcome got = run(one.instruction);
    EXPECT_EQ(got.code, CUDA_ERROR_ILLEGAL_INSTRUCTION);
    EXPECT_NE(got.report.find(one.words), std::string::npos) << got.report;
    EXPECT_NE(got.report.find(one.instruction), std::string::npos) << got.report;
    EXPECT_EQ(run("setp.eq.u32 %q, %n, 77;\n@%q " + std::string(one.instruction)).code, CUDA_SUCCESS);
  }
}

}  // namespace
}  // namespace tilejit::testing
