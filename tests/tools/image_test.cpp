#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include <tilejit/generator/error.h>
#include <tilejit/tools/image.h>

namespace tilejit::tool {
namespace {

template <class T>
T element(const TensorArgument& tensor, const Image& image, std::int64_t place) {
  T value;
  std::memcpy(&value, image.bytes.data() + origin_of(tensor) + place * std::int64_t(sizeof(T)), sizeof(T));
  return value;
}

TEST(Image, EqualSeedsGiveEqualBytesAndOthersDoNot) {
  const TensorArgument x = parse_tensor("x", "f32:100");
  const Image first = image_of(x, Access::read, 7, 0, Poison::actual);
  EXPECT_EQ(first.bytes, image_of(x, Access::read, 7, 0, Poison::actual).bytes);
  EXPECT_NE(first.bytes, image_of(x, Access::read, 8, 0, Poison::actual).bytes);
  EXPECT_NE(first.bytes, image_of(x, Access::read, 7, 1, Poison::actual).bytes);
}

TEST(Image, AViewAndItsTransposeHoldTheSameMemory) {
  EXPECT_EQ(image_of(parse_tensor("x", "f32:3x4"), Access::read, 1, 0, Poison::actual).bytes,
            image_of(parse_tensor("x", "f32:4x3:1,4"), Access::read, 1, 0, Poison::actual).bytes);
}

TEST(Image, MoreMemoryThanThereIsIsAnErrorThatNamesTheTensorAndItsBytes) {
  for (const char* text : {"f32:2:100000000000000000", "f32:2:2000000000000000000"}) {
    const TensorArgument x = parse_tensor("x", text);
    try {
      image_of(x, Access::write, 0, 0, Poison::actual);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).rfind("x: its elements span ", 0), 0u) << error.what();
    }
  }
}

TEST(Image, FloatsLieBetweenMinusOneAndOneAndDiffer) {
  const TensorArgument x = parse_tensor("x", "f32:1000");
  const Image image = image_of(x, Access::read, 0, 0, Poison::actual);
  int negative = 0, equal = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto value = element<float>(x, image, i);
    EXPECT_GE(value, -1);
    EXPECT_LE(value, 1);
    negative += value < 0;
    equal += i > 0 && value == element<float>(x, image, i - 1);
  }
  EXPECT_GT(negative, 400);
  EXPECT_LT(negative, 600);
  EXPECT_EQ(equal, 0);
}

TEST(Image, BoolsAreZeroOrOneAndBoth) {
  const TensorArgument x = parse_tensor("x", "bool:100");
  const Image image = image_of(x, Access::read, 0, 0, Poison::actual);
  int ones = 0;
  for (int i = 0; i < 100; ++i) {
    EXPECT_LE(element<unsigned char>(x, image, i), 1);
    ones += element<unsigned char>(x, image, i);
  }
  EXPECT_GT(ones, 20);
  EXPECT_LT(ones, 80);
}

TEST(Image, OutputsArePoisonedAndFillerSurroundsThem) {
  const TensorArgument y = parse_tensor("y", "i32:2:3:1");
  const Image image = image_of(y, Access::write, 0, 0, Poison::expected);
  EXPECT_EQ(image.bytes.size(), 2 * Image::guard + 5 * 4);
  EXPECT_EQ(element<std::int32_t>(y, image, -1), std::int32_t(0xa5a5a5a5));
  EXPECT_EQ(element<std::int32_t>(y, image, 0), 0x5a5a5a5a);
  EXPECT_EQ(element<std::int32_t>(y, image, 1), std::int32_t(0xa5a5a5a5));
  EXPECT_EQ(element<std::int32_t>(y, image, 3), 0x5a5a5a5a);
}

TEST(Image, StrayBytesAreThoseOutsideTheView) {
  const TensorArgument y = parse_tensor("y", "f32:4:2");
  const Image before = image_of(y, Access::write, 0, 0, Poison::actual);
  Image after = before;
  std::memset(after.bytes.data() + origin_of(y), 0, 4);
  EXPECT_EQ(stray_bytes(y, before, after), 0u);
  after.bytes[origin_of(y) + 4] = std::byte{1};
  after.bytes[0] = std::byte{2};
  after.bytes.back() = std::byte{3};
  EXPECT_EQ(stray_bytes(y, before, after), 3u);
}

TEST(Image, AnEmptyTensorHasAnAddress) {
  const TensorArgument x = parse_tensor("x", "f32:0x4");
  EXPECT_EQ(image_of(x, Access::read, 0, 0, Poison::actual).bytes.size(), 2 * Image::guard);
}

}  // namespace
}  // namespace tilejit::tool
