#include <gmock/gmock.h>

#include <tilejit/tests/ptx/snippet.h>

namespace tilejit::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(Function, ParametersOfAKernelIncludingThoseOfTheNewerDialect) {
  const auto module = read_module(
      ".visible .entry k(\n\t.param .u64 .ptr .align 1 a,\n\t.param .align 64 .b8 map[128],\n\t.param .u64 .ptr "
      ".global .align 16 "
      "b,\n\t.param .f32 c\n)\n{ ret; }");
  const Function& k = module->functions.at(0);
  EXPECT_TRUE(k.entry);
  EXPECT_TRUE(k.visible);
  EXPECT_FALSE(k.declaration);
  ASSERT_EQ(k.parameters.size(), 4u);
  EXPECT_EQ(k.parameters[0].type, "u64");
  EXPECT_EQ(k.parameters[0].align, 0);
  EXPECT_EQ(k.parameters[1].align, 64);
  EXPECT_EQ(bytes_of(k.parameters[1]), 128);
  EXPECT_EQ(k.parameters[2].space, "param");
  EXPECT_EQ(k.parameters[2].type, "u64");
  EXPECT_EQ(k.parameters[3].name, "c");
}

TEST(Function, LaunchDirectivesKeepTheirNumbers) {
  const auto module = read_module(
      ".entry k()\n.maxntid 128, 1, 1\n.minnctapersm 2\n.explicitcluster\n.reqnctapercluster 2, 1, 1\n.maxnreg "
      "64\n.pragma "
      "\"x\";\n{ .pragma \"nounroll\"; ret; }");
  const Function& k = module->functions.at(0);
  EXPECT_THAT(k.directives, ElementsAre(Pair("explicitcluster", ElementsAre()), Pair("maxnreg", ElementsAre(64)),
                                        Pair("maxntid", ElementsAre(128, 1, 1)), Pair("minnctapersm", ElementsAre(2)),
                                        Pair("reqnctapercluster", ElementsAre(2, 1, 1))));
  EXPECT_THAT(k.pragmas, ElementsAre("x", "nounroll"));
}

TEST(Function, AttributesAndDirectivesOfAnotherTimeArePassedOver) {
  const auto module = read_module(
      ".func .attribute(.unified(0x1, 0x2)) f() .abi_preserve 4 .language \"x\", y .attribute(.a(.b(1)))\n{ ret; }");
  const Function& f = module->functions.at(0);
  EXPECT_EQ(f.name, "f");
  EXPECT_EQ(f.directives.at("abi_preserve"), std::vector<std::int64_t>{4});
  EXPECT_TRUE(f.directives.contains("language"));
  EXPECT_EQ(f.body.size(), 1u);
}

TEST(Function, DeclarationsAndDefinitionsStandSideBySideAndFindPrefersTheBody) {
  const auto module = read_module(
      ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.func (.param .b32 r) f(.param .b32 x);\n"
      ".weak .func (.param .b32 r) f(.param .b32 x) { ret; }\n.extern .func fail() .noreturn;");
  ASSERT_EQ(module->functions.size(), 4u);
  const Function* print = module->find("vprintf");
  ASSERT_NE(print, nullptr);
  EXPECT_TRUE(print->declaration);
  EXPECT_TRUE(print->external);
  EXPECT_EQ(print->results.size(), 1u);
  EXPECT_EQ(print->parameters.size(), 2u);
  EXPECT_FALSE(module->find("f")->declaration);
  EXPECT_TRUE(module->find("f")->weak);
  EXPECT_TRUE(module->find("fail")->no_return);
  EXPECT_EQ(module->find("g"), nullptr);
}

TEST(Scope, DuplicateLabelsOfInlineAssemblyLiveApart) {
  const auto module = read_body(
      ".reg .pred %p<2>;\n{ .reg .pred p; W: mov.pred p, 0; @p bra W; }\n{ .reg .pred p; W: mov.pred p, 1; @p bra W; "
      "}\nW: ret;");
  const Function& k = module->functions[0];
  ASSERT_EQ(k.scopes.size(), 3u);
  EXPECT_EQ(k.scopes[0].parent, -1);
  EXPECT_EQ(k.scopes[1].parent, 0);
  EXPECT_EQ(k.scopes[2].parent, 0);
  EXPECT_EQ(k.scopes[1].labels.at("W"), 0);
  EXPECT_EQ(k.scopes[2].labels.at("W"), 2);
  EXPECT_EQ(k.scopes[0].labels.at("W"), 4);
  EXPECT_EQ(k.body[1].scope, 1);
  EXPECT_EQ(k.body[3].scope, 2);
  EXPECT_EQ(k.body[4].scope, 0);
}

TEST(Scope, NestedScopesPointOutward) {
  const auto module = read_body("{ { { ret; } } } { ret; }");
  const Function& k = module->functions[0];
  ASSERT_EQ(k.scopes.size(), 5u);
  EXPECT_EQ(k.scopes[3].parent, 2);
  EXPECT_EQ(k.scopes[4].parent, 0);
  EXPECT_EQ(k.body[0].scope, 3);
  EXPECT_EQ(k.body[1].scope, 4);
}

TEST(Scope, ALabelAtTheEndPointsBehindTheLastInstruction) {
  const auto module = read_body("bra END;\nEND:");
  EXPECT_EQ(module->functions[0].scopes[0].labels.at("END"), 1);
}

TEST(Scope, TwoLabelsMayStandTogether) {
  const auto module = read_body("A: B: ret;");
  EXPECT_EQ(module->functions[0].scopes[0].labels.size(), 2u);
}

TEST(Scope, TheSameLabelTwiceInOneScopeIsAnError) {
  EXPECT_THAT(error_of_body("A: ret;\nA: ret;"), HasSubstr("6:1: a label twice in one scope: 'A'"));
}

TEST(Scope, CallSequencesHaveTheirParametersAndPrototypes) {
  const auto module = read_body(
      "{ // callseq 1, 0\n.param .b32 param0;\n.param .align 8 .b8 retval0[16];\nprototype_1 : .callprototype (.param "
      ".align 8 .b8 "
      "_[16]) _ (.param .b32 _, .param .b64 _);\ncall (retval0), %rd26, (param0), prototype_1;\n} // callseq 1");
  const Scope& scope = module->functions[0].scopes.at(1);
  ASSERT_EQ(scope.variables.size(), 2u);
  EXPECT_EQ(bytes_of(scope.variables[1]), 16);
  ASSERT_EQ(scope.prototypes.size(), 1u);
  EXPECT_EQ(scope.prototypes[0].name, "prototype_1");
  EXPECT_EQ(bytes_of(scope.prototypes[0].results.at(0)), 16);
  EXPECT_EQ(scope.prototypes[0].parameters.size(), 2u);
}

TEST(Scope, BranchTargetsAreAListOfLabels) {
  const auto module = read_body("ts: .branchtargets A, B;\nbrx.idx %r1, ts;\nA: B: ret;");
  EXPECT_THAT(module->functions[0].scopes[0].targets.at("ts"), ElementsAre("A", "B"));
}

TEST(Function, DemotedSharedVariablesBelongToTheBody) {
  const auto module = read_body("// demoted variable\n.shared .align 4 .b8 tile[512];\nret;");
  const Variable& tile = module->functions[0].scopes[0].variables.at(0);
  EXPECT_EQ(tile.space, "shared");
  EXPECT_EQ(bytes_of(tile), 512);
}

TEST(Function, ScratchCommentsBelongToTheFunctionThatHoldsThem) {
  const auto module = read_module(
      "// tilejit.scratch 1\n.entry a() { // tilejit.scratch 2\n ret; }\n// tilejit.scratch 3\n.entry b() {\nret;\n// "
      "tilejit.scratch 4\n}\n// tilejit.scratch 5\n");
  EXPECT_THAT(module->functions.at(0).comments, ElementsAre(Pair(2, 5)));
  EXPECT_THAT(module->functions.at(1).comments, ElementsAre(Pair(4, 10)));
}

TEST(Function, DirectivesThatNobodyKnowsArePassedOver) {
  const auto module = read_body(".newthing 1, {2, {3}}, x;\n.other { a; b; }\nret;");
  EXPECT_EQ(module->functions[0].body.size(), 1u);
}

}  // namespace
}  // namespace tilejit::ptx
