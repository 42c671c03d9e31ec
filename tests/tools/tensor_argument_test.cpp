#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilejit/generator/error.h>
#include <tilejit/tools/tensor_argument.h>

namespace tilejit::tool {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(std::string_view value) {
  try {
    parse_tensor("x", value);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "no error";
}

TEST(TensorArgument, AShapeAloneIsRowMajor) {
  const TensorArgument x = parse_tensor("x", "f32:2x3x4");
  EXPECT_EQ(x.name, "x");
  EXPECT_EQ(x.dtype, DType::f32);
  EXPECT_THAT(x.shape, ElementsAre(2, 3, 4));
  EXPECT_THAT(x.strides, ElementsAre(12, 4, 1));
  EXPECT_EQ(x.offset, 0);
  EXPECT_EQ(x.span, 24);
}

TEST(TensorArgument, StridesAndOffsetAreInElements) {
  const TensorArgument x = parse_tensor("x", "bf16:3x4:1,3:5");
  EXPECT_THAT(x.strides, ElementsAre(1, 3));
  EXPECT_EQ(x.offset, 5);
  EXPECT_EQ(x.span, 5 + 2 + 9 + 1);
}

TEST(TensorArgument, NegativeStridesMoveTheOriginIntoTheMemory) {
  const TensorArgument x = parse_tensor("x", "i32:4x2:-2,1");
  EXPECT_EQ(x.offset, 6);
  EXPECT_EQ(x.span, 8);
  EXPECT_EQ(parse_tensor("x", "i32:4x2:-2,1:10").span, 12);
  EXPECT_THAT(error_of("i32:4x2:-2,1:4"),
              HasSubstr("x: offset 4 puts the lowest element 2 before its memory; the least is 6"));
}

TEST(TensorArgument, AnOffsetMayFollowNoStrides) {
  const TensorArgument x = parse_tensor("x", "u8:8::3");
  EXPECT_THAT(x.strides, ElementsAre(1));
  EXPECT_EQ(x.span, 11);
}

TEST(TensorArgument, ScalarIsRankZero) {
  const TensorArgument x = parse_tensor("x", "f64:scalar");
  EXPECT_TRUE(x.shape.empty());
  EXPECT_EQ(x.span, 1);
}

TEST(TensorArgument, AnEmptyTensorNeedsNoMemory) {
  EXPECT_EQ(parse_tensor("x", "f32:0x8").span, 0);
  EXPECT_EQ(parse_tensor("x", "f32:8x0:-1,1").span, 0);
}

TEST(TensorArgument, ABroadcastSpansOneRow) { EXPECT_EQ(parse_tensor("x", "f32:1000x4:0,1").span, 4); }

TEST(TensorArgument, EveryDtypeIsReadBack) {
  for (const DType dtype : all_dtypes()) {
    const TensorArgument x = parse_tensor("x", std::string(name_of(dtype)) + ":2x3:-3,1:7");
    EXPECT_EQ(x, parse_tensor("x", to_string(x)));
  }
  const TensorArgument scalar = parse_tensor("x", "f32:scalar");
  EXPECT_EQ(scalar, parse_tensor("x", to_string(scalar)));
}

TEST(TensorArgument, ErrorsNameTheTensorAndWhatWouldFit) {
  EXPECT_THAT(error_of("f33:4"), HasSubstr("x: no dtype 'f33'"));
  EXPECT_THAT(error_of("f33:4"), HasSubstr("f32"));
  EXPECT_THAT(error_of("f32"), HasSubstr("x: 'f32': expected DTYPE:SHAPE[:STRIDES[:OFFSET]]"));
  EXPECT_THAT(error_of("f32:"), HasSubstr("'scalar' for rank 0"));
  EXPECT_THAT(error_of("f32:4x"), HasSubstr("x: axis 1 of shape '4x': expected an integer, not ''"));
  EXPECT_THAT(error_of("f32:4x-2"), HasSubstr("x: axis 1 of shape '4x-2': an extent is 0 or more"));
  EXPECT_THAT(error_of("f32:4X2"), HasSubstr("axis 0 of shape '4X2'"));
  EXPECT_THAT(error_of("f32:4x4:1"), HasSubstr("x: 1 stride for 2 axes"));
  EXPECT_THAT(error_of("f32:4:4,1"), HasSubstr("x: 2 strides for 1 axes"));
  EXPECT_THAT(error_of("f32:4:one"), HasSubstr("x: stride 0 of 'one': expected an integer, not 'one'"));
  EXPECT_THAT(error_of("f32:4:1:z"), HasSubstr("x: offset: expected an integer, not 'z'"));
  EXPECT_THAT(error_of("f32:4:1:0:0"), HasSubstr("expected DTYPE:SHAPE"));
  EXPECT_THAT(error_of("f32:1x1x1x1x1x1x1x1x1"), HasSubstr("x: 9 axes; a tensor has at most 8"));
}

TEST(TensorArgument, NothingOverflowsSilently) {
  EXPECT_THAT(error_of("f32:99999999999999999999"), HasSubstr("does not fit into 64 bits"));
  EXPECT_THAT(error_of("f32:4294967296x4294967296"), HasSubstr("shape 4294967296x4294967296 reach beyond 2^63 bytes"));
  EXPECT_THAT(error_of("f64:2:2305843009213693952"), HasSubstr("reach beyond 2^63 bytes"));
  EXPECT_THAT(error_of("f32:3:9223372036854775807"), HasSubstr("reach beyond 2^63 bytes"));
  EXPECT_THAT(error_of("f32:0::9223372036854775807"), HasSubstr("reach beyond 2^63 bytes"));
}

TEST(TensorArgument, TheOffsetDecidesTheAlignment) {
  EXPECT_EQ(problem_of(parse_tensor("x", "f32:8")).address_align, 16);
  EXPECT_EQ(problem_of(parse_tensor("x", "f32:8:1:1")).address_align, 4);
  EXPECT_EQ(problem_of(parse_tensor("x", "f32:8:1:2")).address_align, 8);
  EXPECT_EQ(problem_of(parse_tensor("x", "u8:8:1:3")).address_align, 1);
  EXPECT_EQ(problem_of(parse_tensor("x", "f32:8:1:64")).address_align, 16);
}

}  // namespace
}  // namespace tilejit::tool
