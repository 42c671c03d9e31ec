#include <gmock/gmock.h>

#include <tilejit/generator/ptx/lexer.h>
#include <tilejit/tests/ptx/snippet.h>

namespace tilejit::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> result;
  for (Lexer in(text); in.peek().kind != Token::Kind::end;) {
    const Token token = in.next();
    const char* kinds[] = {"end", "word", "dot", "int", "float", "string", "mark"};
    result.push_back(std::string(kinds[static_cast<int>(token.kind)]) + " " + std::string(token.text));
  }
  return result;
}

TEST(Lexer, ModifiersWithColonsAndDigitsAreOneToken) {
  EXPECT_THAT(tokens_of("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"),
              ElementsAre("word cp", "dot async", "dot bulk", "dot tensor", "dot 2d", "dot shared::cluster",
                          "dot global", "dot mbarrier::complete_tx::bytes"));
}

TEST(Lexer, NamesTakeEveryCharacterThatPtxGivesThem) {
  EXPECT_THAT(tokens_of("$L__BB0_2: %r1 _ _Z2f1f $str$1 %SP"),
              ElementsAre("word $L__BB0_2", "mark :", "word %r1", "word _", "word _Z2f1f", "word $str$1", "word %SP"));
}

TEST(Lexer, NumbersKeepTheirSpelling) {
  EXPECT_THAT(tokens_of("12 0x1F 017 0b101 3U 0f3F800000 0dBFF0000000000000 1.5 2e-3 9.0"),
              ElementsAre("int 12", "int 0x1F", "int 017", "int 0b101", "int 3U", "float 0f3F800000",
                          "float 0dBFF0000000000000", "float 1.5", "float 2e-3", "float 9.0"));
}

TEST(Lexer, ANumberEndsBeforeADotWordThatClingsToIt) {
  EXPECT_THAT(tokens_of(".align 8.b8"), ElementsAre("dot align", "int 8", "dot b8"));
}

TEST(Lexer, CommentsOfBothKindsAreBlanks) {
  EXPECT_THAT(tokens_of("a// b ; /* \n/* c\n * / // */d /**/ e"), ElementsAre("word a", "word d", "word e"));
}

TEST(Lexer, LinesAndColumnsCountFromOneAlsoBehindABlockComment) {
  Lexer in("a\n  b /* x\n y */ c");
  EXPECT_EQ(in.peek().line, 1);
  EXPECT_EQ(in.next().column, 1);
  EXPECT_EQ(in.peek().line, 2);
  EXPECT_EQ(in.next().column, 3);
  EXPECT_EQ(in.peek().line, 3);
  EXPECT_EQ(in.next().column, 7);
}

TEST(Lexer, TheEndStaysTheEnd) {
  Lexer in("a");
  in.next();
  EXPECT_EQ(in.next().kind, Token::Kind::end);
  EXPECT_EQ(in.next().kind, Token::Kind::end);
}

TEST(Lexer, ScratchCommentsAreCollectedAndOtherCommentsAreNot) {
  Lexer in(
      "// tilejit.scratch 1024\n//tilejit.scratch 8 \r\n// tilejit.scratch\n// tilejit.scratch x\n"
      "// tilejit.scratch 4 bytes\n// scratch 3\n");
  ASSERT_EQ(in.comments().size(), 2u);
  EXPECT_EQ(in.comments()[0].bytes, 1024);
  EXPECT_EQ(in.comments()[0].line, 1);
  EXPECT_EQ(in.comments()[1].bytes, 8);
  EXPECT_EQ(in.comments()[1].line, 2);
}

TEST(Lexer, WhatCannotStartATokenIsAnErrorAtItsPlace) {
  EXPECT_THAT(error_of(".version 9.0\n.target sm_90\n  \x01"), HasSubstr("3:3: not PTX: '\\x01'"));
  EXPECT_THAT(error_of(".version 9.0\n.target sm_90\n.file 1 \"abc"), HasSubstr("3:9: a string without"));
  EXPECT_THAT(error_of(".version 9.0\n.target sm_90\n/* abc"), HasSubstr("3:1: a comment without"));
}

TEST(Lexer, AMessageQuotesNoMoreThanFortyBytesOfWhatItFound) {
  const std::string message = error_of(".version " + std::string(100000, 'x'));
  EXPECT_LT(message.size(), 120u);
  EXPECT_THAT(message, HasSubstr("xxx...'"));
}

}  // namespace
}  // namespace tilejit::ptx
