#include <gmock/gmock.h>

#include <thread>

#include <tilejit/tests/ptx/snippet.h>

namespace tilejit::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::StartsWith;

TEST(Module, VersionTargetAndAddressSize) {
  const auto module = read(".version 8.7\n.target sm_90a, debug\n.address_size 64\n");
  EXPECT_EQ(module->version_major, 8);
  EXPECT_EQ(module->version_minor, 7);
  EXPECT_EQ(module->target, "sm_90a");
  EXPECT_EQ(module->address_size, 64);
}

TEST(Module, TheClosingNulThatNvrtcCountsIsNoPartOfIt) {
  const auto module = read(std::string(".version 9.0\n.target sm_90\n.address_size 64\n\0\0", 46));
  EXPECT_THAT(module->text, testing::EndsWith("64\n"));
}

TEST(Module, EverythingBorrowsFromItsOwnCopy) {
  std::string text = ".version 9.0\n.target sm_90\n.entry name() { add.s32 %r1, %r2, 3; }";
  const auto module = read(text);
  text.assign(text.size(), 'x');
  EXPECT_EQ(module->functions[0].name, "name");
  EXPECT_EQ(module->functions[0].body[0].operands[1].text, "%r2");
  const char* begin = module->text.data();
  EXPECT_GE(module->functions[0].name.data(), begin);
  EXPECT_LT(module->functions[0].name.data(), begin + module->text.size());
}

TEST(Module, AnUnknownVersionIsAnErrorThatNamesTheKnownOnes) {
  EXPECT_THAT(error_of(".version 99.0\n.target sm_90\n"),
              StartsWith("1:10: PTX version 99.0 is not known; versions 1.0 to"));
  EXPECT_THAT(error_of(".version 0.9\n.target sm_90\n"), HasSubstr("not known"));
  for (const char* wrong : {"9", "nine", "\"9.0\"", "0f3F800000", "1e5", "-9.0", ";", "999999999999.5"}) {
    EXPECT_THAT(error_of(std::string(".version ") + wrong + "\n.target sm_90\n"),
                HasSubstr("1:10: expected a version such as 9.0"))
        << wrong;
  }
}

TEST(Module, WhatIsNotPtxAtAllIsAnErrorOnItsFirstLine) {
  EXPECT_THAT(error_of(""), HasSubstr("1:1: expected .version, with which PTX begins, found the end of the text"));
  EXPECT_THAT(error_of("hello"), HasSubstr("1:1: expected .version"));
  EXPECT_THAT(error_of("\x7f"
                       "ELF\x02\x01\x01"),
              HasSubstr("1:1: not PTX: '\\x7f'"));
  EXPECT_THAT(error_of(".version 9.0\n.entry k() { ret; }"), HasSubstr("2:1: expected .target"));
  EXPECT_THAT(error_of(".version 9.0\n.target sm_90\n.address_size 16\n"),
              HasSubstr("3:15: expected 32 or 64, found '16'"));
}

TEST(Module, AliasesAndPragmas) {
  const auto module = read_module(".alias f, g;\n.pragma \"a\", \"b\";");
  EXPECT_THAT(module->aliases, ElementsAre(Pair("f", "g")));
  EXPECT_THAT(module->pragmas, ElementsAre("a", "b"));
}

TEST(Module, UnknownDirectivesAreData) {
  const auto module = read_module(".novelty 1, 2, (3);\n.block { x; { y; } }\n.entry k() { ret; }");
  EXPECT_EQ(module->functions.size(), 1u);
}

TEST(Module, OldDebugLinesArePassedOver) {
  const auto module =
      read_module("@@DWARF .section .debug_info, \"\", @progbits\n@@DWARF .byte 0x4b\n.entry k() { ret; }");
  EXPECT_EQ(module->functions.size(), 1u);
}

TEST(Module, OneMayBeReadByManyThreads) {
  const auto module = read_body("L: bra L;");
  std::vector<std::thread> threads;
  std::array<int, 4> found{};
  for (int& result : found) {
    threads.emplace_back([&] { result = module->find("k")->scopes[0].labels.at("L") + 1; });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_THAT(found, testing::Each(1));
}

}  // namespace
}  // namespace tilejit::ptx
