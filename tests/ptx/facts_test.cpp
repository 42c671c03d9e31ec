#include <gmock/gmock.h>

#include <tilejit/generator/ptx/facts.h>
#include <tilejit/tests/ptx/snippet.h>

namespace tilejit::ptx {
namespace {

using testing::ElementsAre;
using testing::Pair;

Facts facts_of_body(const std::string& body) {
  const auto module = read_body(body);
  return facts_of(*module, module->functions.at(0));
}

/// "global ld 16 x2 nc"
std::vector<std::string> lines(const Facts& facts) {
  std::vector<std::string> result;
  for (const AccessCount& access : facts.accesses) {
    result.push_back(access.space + (access.store ? " st " : " ld ") + std::to_string(access.bytes) + " x" +
                     std::to_string(access.sites) + (access.read_only ? " nc" : "") + (access.async ? " async" : ""));
  }
  return result;
}

std::vector<std::string> splits(const Facts& facts) {
  std::vector<std::string> result;
  for (const SplitAccess& access : facts.split) {
    std::string text = access.space + (access.store ? " st " : " ld ") + std::to_string(access.bytes) + " at";
    for (const std::int64_t offset : access.offsets) {
      text += " " + std::to_string(offset);
    }
    result.push_back(text + " line " + std::to_string(access.line));
  }
  return result;
}

TEST(Facts, AccessesAreCountedBySpaceAndWidth) {
  const Facts facts = facts_of_body(
      "ld.global.nc.v4.f32 {a,b,c,d}, [x];\nld.global.f32 a, [x];\nld.volatile.global.f32 a, "
      "[x];\nld.global.nc.L2::128B.v8.f32 "
      "{a,b,c,d,e,f,g,h}, [x];\nst.global.v2.u64 [x], {a,b};\nld.shared::cta.u8 a, [x];\nst.shared.f64 [x], "
      "a;\nld.const.b16 a, "
      "[x];\nld.local.u32 a, [x];\nld.u32 a, [x];\nst.v2.b16 [x], {a,b};\nld.param.u64 a, [p];\nst.param.b32 [q], a;\n"
      "ld.global.b128 a, [x];\n@p ld.relaxed.gpu.global.L1::no_allocate.v4.u32 {a,b,c,d}, [x];");
  EXPECT_THAT(lines(facts), ElementsAre("const ld 2 x1", "generic ld 4 x1", "generic st 4 x1", "global ld 4 x2",
                                        "global ld 16 x2", "global ld 16 x1 nc", "global ld 32 x1 nc",
                                        "global st 16 x1", "local ld 4 x1", "shared ld 1 x1", "shared st 8 x1"));
  EXPECT_EQ(facts.local_accesses, 1);
  EXPECT_EQ(facts.first_local, 13);
  EXPECT_EQ(facts.first_generic, 14);
  EXPECT_EQ(facts.instructions, 15);
}

TEST(Facts, AsynchronousCopiesAreGlobalLoadsOfTheirOwnWidth) {
  const Facts facts = facts_of_body(
      "cp.async.cg.shared.global [a], [b], 16;\ncp.async.ca.shared.global [a], [b], 4, %r1;\ncp.async.commit_group;\n"
      "cp.async.wait_group 0;\ncp.async.wait_all;\ncp.async.mbarrier.arrive.noinc.shared::cta.b64 [a];");
  EXPECT_THAT(lines(facts), ElementsAre("global ld 4 x1 async", "global ld 16 x1 async"));
  EXPECT_EQ(facts.async_copy, 2);
  EXPECT_EQ(facts.mbarriers, 1);
  EXPECT_EQ(facts.tma, 0);
}

TEST(Facts, EveryKindOfInstructionHasItsCount) {
  const Facts facts = facts_of_body(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {a}, {b}, {c}, {d};\nwmma.mma.sync.x a, b, c, d;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {a}, b, c, p, 1, 1, 0, 1;\nwgmma.fence.sync.aligned;\n"
      "tcgen05.mma.cta_group::1.kind::f16 [a], b, c, d, p;\ntcgen05.wait::ld.sync.aligned;\n"
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {a,b,c,d}, [e];\nstmatrix.sync.aligned.m8n8.x4.shared.b16 [e], "
      "{a,b,c,d};\n"
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [a], [b, {c, d}], [e];\n"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [a], [b], 16;\ncp.async.bulk.commit_group;\n"
      "cp.async.bulk.wait_group.read 0;\natom.global.add.u32 a, [b], 1;\nred.global.add.u32 [b], 1;\nbar.sync 0;\n"
      "barrier.cluster.arrive;\nmbarrier.init.shared::cta.b64 [a], 1;\nshfl.sync.bfly.b32 a, b, 1, 31, "
      "-1;\nmembar.gl;\n"
      "bra L;\ncall f;\nfrobnicate.u32 a, b;\nL: ret;");
  EXPECT_EQ(facts.tensor_core, 4);
  EXPECT_EQ(facts.matrix_loads, 1);
  EXPECT_EQ(facts.matrix_stores, 1);
  EXPECT_EQ(facts.tma, 2);
  EXPECT_EQ(facts.atomics, 2);
  EXPECT_EQ(facts.barriers, 2);
  EXPECT_EQ(facts.mbarriers, 1);
  EXPECT_EQ(facts.shuffles, 1);
  EXPECT_EQ(facts.fences, 1);
  EXPECT_EQ(facts.branches, 1);
  EXPECT_EQ(facts.calls, 1);
  EXPECT_EQ(facts.unknown, 1);
  EXPECT_THAT(facts.unknowns, ElementsAre(Pair("frobnicate.u32", 1)));
  EXPECT_EQ(facts.opcodes.at("shfl.sync.bfly.b32"), 1);
}

TEST(Facts, ThreadsAndBlocksComeFromTheLaunchDirectives) {
  const auto module = read_module(
      ".entry a() .maxntid 16, 8, 2 .minnctapersm 3 { // tilejit.scratch 512\n // tilejit.scratch 2048\n ret; }\n"
      ".entry b() .reqntid 64 .maxntid 128 { ret; }\n.entry c() { ret; }\n.entry d() .maxntid 99999999, 99999999, "
      "99999999 { ret; }");
  const Facts a = facts_of(*module, module->functions[0]);
  EXPECT_EQ(a.threads, 256);
  EXPECT_EQ(a.min_blocks, 3);
  EXPECT_EQ(a.scratch_bytes, 2048);
  EXPECT_EQ(facts_of(*module, module->functions[1]).threads, 64);
  EXPECT_EQ(facts_of(*module, module->functions[2]).threads, 0);
  EXPECT_EQ(facts_of(*module, module->functions[3]).threads, 0);
}

TEST(Facts, SharedBytesAreThoseThatTheFunctionCanReach) {
  const auto module = read_module(
      ".shared .align 4 .b8 used[100];\n.shared .align 16 .b8 by_callee[32];\n.shared .align 4 .b8 unused[1000];\n"
      ".extern .shared .align 16 .b8 dynamic[];\n.func f() { mov.u64 %rd1, by_callee; ret; }\n"
      ".entry k() { .shared .align 1 .b8 own[3]; .local .align 8 .b8 depot[24]; mov.u64 %rd1, used; mov.u64 %rd2, "
      "dynamic; call f; }");
  const Facts facts = facts_of(*module, *module->find("k"));
  EXPECT_EQ(facts.shared_bytes, 3 + 13 + 32 + 100);
  EXPECT_EQ(facts.local_bytes, 24);
}

TEST(Facts, ScalarsSideBySideAreFound) {
  EXPECT_THAT(splits(facts_of_body(
                  "ld.global.f32 a, [x];\nld.global.f32 b, [x+8];\nld.global.f32 c, [x+4];\nld.global.f32 d, [x+12];\n"
                  "st.global.u8 [y+2], a;\nst.global.u8 [y+3], b;\nld.shared.f64 e, [z];\nld.global.f32 f, [x+20];")),
              ElementsAre("global ld 4 at 0 4 8 12 line 5", "global st 1 at 2 3 line 9"));
}

TEST(Facts, ScalarsWithAGapAnotherGuardOrAWrittenBaseBetweenThemAreNot) {
  EXPECT_THAT(splits(facts_of_body("ld.global.f32 a, [x];\nld.global.f32 b, [x+8];\n@p ld.global.f32 b, [x+4];")),
              ElementsAre());
  EXPECT_THAT(splits(facts_of_body("ld.global.f32 a, [x];\nadd.s64 x, x, 4;\nld.global.f32 b, [x+4];")), ElementsAre());
  EXPECT_THAT(splits(facts_of_body("ld.global.f32 a, [x];\nL: ld.global.f32 b, [x+4];")), ElementsAre());
  EXPECT_THAT(splits(facts_of_body("ld.global.f32 a, [x];\nbar.sync 0;\nld.global.f32 b, [x+4];")), ElementsAre());
  EXPECT_THAT(splits(facts_of_body("ld.global.v4.f32 {a,b,c,d}, [x];\nld.global.v4.f32 {a,b,c,d}, [x+16];")),
              ElementsAre());
  EXPECT_THAT(splits(facts_of_body("ld.global.u64 x, [x];\nld.global.u64 y, [x+8];")), ElementsAre());
}

TEST(Facts, OfAnEmptyDeclarationAreZero) {
  const auto module = read_module(".extern .func f();");
  EXPECT_EQ(facts_of(*module, module->functions[0]).instructions, 0);
}

}  // namespace
}  // namespace tilejit::ptx
