#include <gmock/gmock.h>

#include <bit>

#include <tilejit/generator/ptx/print.h>
#include <tilejit/tests/ptx/snippet.h>

namespace tilejit::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Kind = Operand::Kind;

std::string again(const std::string& text) { return to_text(*OneInstruction(text)); }

TEST(Instruction, OpcodeModifiersGuardAndLineAreApart) {
  const OneInstruction read("\n  @!%p3 ld.global.nc.L2::128B.v4.f32 {%f1,%f2,_,%f4}, [%rd1+16];");
  EXPECT_EQ(read->guard, "%p3");
  EXPECT_TRUE(read->guard_negated);
  EXPECT_EQ(read->opcode, "ld");
  EXPECT_THAT(read->modifiers, ElementsAre("global", "nc", "L2::128B", "v4", "f32"));
  EXPECT_EQ(read->operands.size(), 2u);
  EXPECT_EQ(read->line, 6);
  EXPECT_TRUE(read->has("nc"));
  EXPECT_FALSE(read->has("L2"));
}

TEST(Instruction, AnUnknownOneIsData) {
  const OneInstruction read("frobnicate.v9.shared::moon.q7 {%a, {b, -3}}, [x+4, {y}], 0x10, _|%p;");
  EXPECT_EQ(read->opcode, "frobnicate");
  EXPECT_EQ(read->operands.size(), 4u);
}

TEST(Instruction, WithoutOperands) { EXPECT_TRUE(OneInstruction("ret;")->operands.empty()); }

TEST(Instruction, BlanksAndTabsBetweenItsPartsDoNotMatter) {
  EXPECT_EQ(again("@ %p1\tadd\t.s32   %r1 ,\n%r2\n,3 ;"), "@%p1 add.s32 %r1, %r2, 3;");
}

TEST(Instruction, UnifiedBehindAnAddressIsAModifierBeforeTheType) {
  const OneInstruction read("ld.global.f32 %f1, [%rd1].unified;");
  EXPECT_THAT(read->modifiers, ElementsAre("unified", "global", "f32"));
}

TEST(Operand, ANameKeepsItsSuffix) {
  EXPECT_EQ(OneInstruction("mov.u32 %r1, %tid.x;").operand(1).text, "%tid.x");
  EXPECT_EQ(OneInstruction("mov.u32 %r1, %tid.x;").operand(1).kind, Kind::name);
}

TEST(Operand, ASymbolMayHaveAnOffset) {
  const OneInstruction read("mov.u64 %rd1, table+8-2*3;");
  EXPECT_EQ(read.operand(1).kind, Kind::name);
  EXPECT_EQ(read.operand(1).text, "table");
  EXPECT_EQ(read.operand(1).integer, 2);
}

TEST(Operand, IntegersOfEveryBaseAndSign) {
  const OneInstruction read("x 12, -12, 0x1F, 017, 0b101, 3U, 0xFFFFFFFFFFFFFFFF, -9223372036854775808, 0;");
  const std::int64_t expected[] = {12, -12, 31, 15, 5, 3, -1, INT64_MIN, 0};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(read.operand(i).kind, Kind::integer);
    EXPECT_EQ(read.operand(i).integer, expected[i]) << i;
  }
}

TEST(Operand, ConstantExpressionsAreWorkedOut) {
  const OneInstruction read(
      "x (1+2)*3, 1<<4, 7-2-1, ~0, 10 % 4, 2*3+4*5, -(3), 0xF0&0x3C, 5^1, (.s64)7, 1+-1, -8>>1, !0;");
  const std::int64_t expected[] = {9, 16, 4, -1, 2, 26, -3, 0x30, 4, 7, 0, -4, 1};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(read.operand(i).integer, expected[i]) << i;
  }
}

TEST(Operand, ExpressionsWrapAndNeverTrap) {
  const OneInstruction read(
      "x 0x7FFFFFFFFFFFFFFF+1, (0-0x7FFFFFFFFFFFFFFF-1)/-1, (0-0x7FFFFFFFFFFFFFFF-1)%-1, 1<<64, 1<<-1;");
  EXPECT_EQ(read.operand(0).integer, INT64_MIN);
  EXPECT_EQ(read.operand(1).integer, INT64_MIN);
  EXPECT_EQ(read.operand(2).integer, 0);
  EXPECT_EQ(read.operand(3).integer, 0);
  EXPECT_EQ(read.operand(4).integer, 0);
  EXPECT_THAT(error_of_body("x 1/0;"), HasSubstr("5:4: division by zero"));
  EXPECT_THAT(error_of_body("x 1%(2-2);"), HasSubstr("division by zero"));
}

TEST(Operand, FloatsAreBits) {
  const OneInstruction read("x 0f3F800000, 0d3FF0000000000000, 0F7fC00000, 1.5, -2e0, -0f3F800000;");
  EXPECT_EQ(read.operand(0).bits, 0x3F800000u);
  EXPECT_FALSE(read.operand(0).is_double);
  EXPECT_EQ(read.operand(1).bits, 0x3FF0000000000000u);
  EXPECT_TRUE(read.operand(1).is_double);
  EXPECT_EQ(read.operand(2).bits, 0x7FC00000u);
  EXPECT_EQ(read.operand(3).bits, std::bit_cast<std::uint64_t>(1.5));
  EXPECT_TRUE(read.operand(3).is_double);
  EXPECT_EQ(read.operand(4).bits, std::bit_cast<std::uint64_t>(-2.0));
  EXPECT_EQ(read.operand(5).bits, 0xBF800000u);
  EXPECT_EQ(read.operand(5).kind, Kind::floating);
}

TEST(Operand, WrongNumbersAreErrors) {
  EXPECT_THAT(error_of_body("x 0f3F8;"), HasSubstr("5:3: a literal 0f takes 8 hexadecimal digits: '0f3F8'"));
  EXPECT_THAT(error_of_body("x 0d3F800000;"), HasSubstr("takes 16 hexadecimal digits"));
  EXPECT_THAT(error_of_body("x 18446744073709551616;"), HasSubstr("more than 64 bits"));
  EXPECT_THAT(error_of_body("x 12abc;"), HasSubstr("not a number: '12abc'"));
  EXPECT_THAT(error_of_body("x 08;"), HasSubstr("not a number: '08'"));
  EXPECT_THAT(error_of_body("x 0x;"), HasSubstr("not a number"));
  EXPECT_THAT(error_of_body("x 0b12;"), HasSubstr("not a number"));
  EXPECT_THAT(error_of_body("x 1e999;"), HasSubstr("not a number that a double can hold"));
}

TEST(Operand, AddressesTakeOffsetsOfEitherSpelling) {
  const OneInstruction read("x [%rd1], [%rd1+8], [%rd1+-1024], [%rd1-4], [buffer+0x10], [64], [retval0+0], [-8];");
  const char* bases[] = {"%rd1", "%rd1", "%rd1", "%rd1", "buffer", "", "retval0", ""};
  const std::int64_t offsets[] = {0, 8, -1024, -4, 16, 64, 0, -8};
  for (std::size_t i = 0; i < std::size(offsets); ++i) {
    EXPECT_EQ(read.operand(i).kind, Kind::address);
    EXPECT_EQ(read.operand(i).text, bases[i]) << i;
    EXPECT_EQ(read.operand(i).integer, offsets[i]) << i;
    EXPECT_TRUE(read.operand(i).elements.empty());
  }
}

TEST(Operand, TensorCoordinatesStandBehindTheAddressesComma) {
  const OneInstruction read(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], "
      "[%r4];");
  const Operand& source = read.operand(1);
  EXPECT_EQ(source.kind, Kind::address);
  EXPECT_EQ(source.text, "%rd1");
  ASSERT_EQ(source.elements.size(), 1u);
  EXPECT_EQ(source.elements[0].kind, Kind::vector);
  EXPECT_EQ(source.elements[0].elements.at(1).text, "%r3");
}

TEST(Operand, VectorsSinksAndPairs) {
  const OneInstruction read("x {%r1, _, 3, -0f3F800000}, _, %r1|%p1, _|P, {};");
  EXPECT_EQ(read.operand(0).kind, Kind::vector);
  EXPECT_EQ(read.operand(0).elements.at(1).kind, Kind::sink);
  EXPECT_EQ(read.operand(0).elements.at(3).bits, 0xBF800000u);
  EXPECT_EQ(read.operand(1).kind, Kind::sink);
  EXPECT_EQ(read.operand(2).kind, Kind::pair);
  EXPECT_EQ(read.operand(2).elements.at(0).text, "%r1");
  EXPECT_EQ(read.operand(2).elements.at(1).text, "%p1");
  EXPECT_EQ(read.operand(3).elements.at(0).kind, Kind::sink);
  EXPECT_EQ(read.operand(3).elements.at(1).text, "P");
  EXPECT_TRUE(read.operand(4).elements.empty());
}

TEST(Operand, NegatedPredicatesAndValuesAreTold) {
  const OneInstruction read("setp.eq.and.s32 %p1|%p2, %r1, %r2, !%p3;");
  EXPECT_TRUE(read.operand(3).negated);
  EXPECT_FALSE(read.operand(3).minus);
  EXPECT_EQ(again("vmad.s32.u8.u8 %r1, %r2.b0, -%r3.b1, %r4;"), "vmad.s32.u8.u8 %r1, %r2.b0, -%r3.b1, %r4;");
}

TEST(Operand, ACallSpreadOverLinesHasItsLists) {
  const OneInstruction read("call.uni (retval0), \nvprintf, \n(\nparam0, \nparam1\n);");
  ASSERT_EQ(read->operands.size(), 3u);
  EXPECT_EQ(read.operand(0).kind, Kind::list);
  EXPECT_EQ(read.operand(1).text, "vprintf");
  EXPECT_EQ(read.operand(2).elements.size(), 2u);
  EXPECT_EQ(again("call (r), %rd1, (a)\n, prototype_1;"), "call (r), %rd1, (a), prototype_1;");
  EXPECT_EQ(again("call f;"), "call f;");
  EXPECT_EQ(again("call.uni f, ();"), "call.uni f, ();");
}

TEST(Operand, NestingHasALimitAndALine) {
  const std::string deep = "x " + std::string(1000, '{') + "1" + std::string(1000, '}') + ";";
  EXPECT_THAT(error_of_body("\n" + deep), HasSubstr("6:20: an operand nested more than 16 deep"));
  EXPECT_THAT(error_of_body("x " + std::string(1000, '(') + "1" + std::string(1000, ')') + ";"),
              HasSubstr("an expression nested more than 64 deep"));
  EXPECT_THAT(error_of_body("x " + std::string(100000, '-') + "1;"), HasSubstr("nested more than 64 deep"));
  EXPECT_THAT(error_of_body("call " + std::string(1000, '(') + "1" + std::string(1000, ')') + ";"),
              HasSubstr("an operand nested more than 16 deep"));
}

TEST(Instruction, PrintedOnceMoreItIsTheSame) {
  for (const char* text : {
           "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, "
           "%r6}, "
           "{%f1, %f2, %f3, %f4};",
           "shfl.sync.bfly.b32 %r12|%p4, %r11, 16, 31, -1;",
           "@!%p1 bra $L__BB0_2;",
           "mbarrier.try_wait.parity.shared::cta.b64 P1, [%r1], %r2;",
           "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, p, 1, 1, 0, 1;",
           "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [tex, smp, {%f5, %f6}];",
           "fma.rn.f64 %fd1, %fd2, 0dBFF0000000000000, %fd3;",
           "atom.global.cas.b32 %r1, [%rd1+-4], %r2, %r3;",
           "lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 234, !%p2;",
           "trap;",
       }) {
    EXPECT_EQ(again(text), text);
  }
}

TEST(Instruction, AMissingPartIsNamedWithItsPlace) {
  EXPECT_THAT(error_of_body("add.s32 %r1, ;"), HasSubstr("5:14: expected an operand, found ';'"));
  EXPECT_THAT(error_of_body("add.s32 %r1 %r2;"), HasSubstr("5:13: expected ';', found '%r2'"));
  EXPECT_THAT(error_of_body("ld.u32 %r1, [%rd1;"), HasSubstr("5:18: expected ']', found ';'"));
  EXPECT_THAT(error_of_body("@%p1 ;"), HasSubstr("expected an instruction, found ';'"));
  EXPECT_THAT(error_of_body("mov.u32 %r1, {%r2;"), HasSubstr("expected '}'"));
}

}  // namespace
}  // namespace tilejit::ptx
