#include <tilejit/tools/reference/element.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace tilejit::tool {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan_value = std::numeric_limits<double>::quiet_NaN();

std::uint64_t bits_of(DType dtype, double value) {
  std::byte element[8]{};
  put_double(dtype, element, value);
  std::uint64_t bits = 0;
  std::memcpy(&bits, element, size_of(dtype));
  return bits;
}
double value_of(DType dtype, std::uint64_t bits) {
  std::byte element[8];
  std::memcpy(element, &bits, 8);
  return double_at(dtype, element);
}
double round_trip(DType dtype, double value) { return value_of(dtype, bits_of(dtype, value)); }

TEST(Element, NarrowFloatsHaveTheirKnownBits) {
  EXPECT_EQ(bits_of(DType::f16, 1.0), 0x3c00u);
  EXPECT_EQ(bits_of(DType::f16, 65504.0), 0x7bffu);
  EXPECT_EQ(bits_of(DType::f16, 0x1p-24), 0x0001u);
  EXPECT_EQ(bits_of(DType::bf16, 1.0), 0x3f80u);
  EXPECT_EQ(bits_of(DType::bf16, -2.5), 0xc020u);
  EXPECT_EQ(bits_of(DType::f8e4m3, 1.0), 0x38u);
  EXPECT_EQ(bits_of(DType::f8e4m3, 0x1p-9), 0x01u);
  EXPECT_EQ(bits_of(DType::f8e5m2, 1.0), 0x3cu);
  EXPECT_EQ(bits_of(DType::f8e5m2, 0x1p-16), 0x01u);
  EXPECT_EQ(bits_of(DType::f16, -0.0), 0x8000u);
}

TEST(Element, EightBitFloatsSaturate) {
  for (double value : {448.0, 464.0, 465.0, 1000.0, infinity}) {
    EXPECT_EQ(round_trip(DType::f8e4m3, value), 448);
    EXPECT_EQ(round_trip(DType::f8e4m3, -value), -448);
  }
  EXPECT_EQ(round_trip(DType::f8e5m2, 1e6), 57344);
  EXPECT_EQ(round_trip(DType::f8e5m2, -infinity), -57344);
  EXPECT_TRUE(std::isnan(round_trip(DType::f8e4m3, nan_value)));
  EXPECT_TRUE(std::isnan(round_trip(DType::f8e5m2, nan_value)));
  EXPECT_EQ(value_of(DType::f8e5m2, 0x7c), infinity);
}

TEST(Element, HalfFloatsOverflowToInfinity) {
  EXPECT_EQ(round_trip(DType::f16, 65519.0), 65504);
  EXPECT_EQ(round_trip(DType::f16, 65520.0), infinity);
  EXPECT_EQ(round_trip(DType::bf16, -3.4e38), -infinity);
}

/// Every value of a narrow format and the middle between neighbours: the value comes back, the middle goes to the even
/// one.
void expect_nearest_even(DType dtype, std::uint64_t largest) {
  for (std::uint64_t bits = 0; bits < largest; ++bits) {
    const double value = value_of(dtype, bits), next = value_of(dtype, bits + 1), middle = (value + next) / 2;
    ASSERT_LT(value, next);
    ASSERT_EQ(bits_of(dtype, value), bits);
    ASSERT_EQ(bits_of(dtype, middle), bits % 2 == 0 ? bits : bits + 1) << name_of(dtype) << " " << middle;
    ASSERT_EQ(bits_of(dtype, std::nextafter(middle, 0.0)), bits);
    ASSERT_EQ(bits_of(dtype, std::nextafter(middle, infinity)), bits + 1);
  }
}
TEST(Element, RoundingIsToNearestAndTiesGoToEven) {
  expect_nearest_even(DType::f16, 0x7bff);
  expect_nearest_even(DType::bf16, 0x7f7f);
  expect_nearest_even(DType::f8e4m3, 0x7e);
  expect_nearest_even(DType::f8e5m2, 0x7b);
}

TEST(Element, IntegersTruncateAndSaturate) {
  EXPECT_EQ(round_trip(DType::i8, 1.9), 1);
  EXPECT_EQ(round_trip(DType::i8, -1.9), -1);
  EXPECT_EQ(round_trip(DType::i8, 300), 127);
  EXPECT_EQ(round_trip(DType::u8, -3), 0);
  EXPECT_EQ(round_trip(DType::i32, 1e12), 2147483647);
  EXPECT_EQ(round_trip(DType::i32, nan_value), 0);
  EXPECT_EQ(bits_of(DType::i64, infinity), 0x7fffffffffffffffu);
  EXPECT_EQ(bits_of(DType::i64, -1e30), 0x8000000000000000u);
}

TEST(Element, BoolIsWhetherNotZero) {
  EXPECT_EQ(bits_of(DType::boolean, 0.25), 1u);
  EXPECT_EQ(bits_of(DType::boolean, -0.0), 0u);
  EXPECT_EQ(bits_of(DType::boolean, nan_value), 1u);
  EXPECT_EQ(value_of(DType::boolean, 0x80), 1);
}

std::uint64_t converted(DType from, std::int64_t value, DType to) {
  std::byte source[8], target[8]{};
  put_integer(from, source, value);
  convert_element(from, source, to, target);
  std::uint64_t bits = 0;
  std::memcpy(&bits, target, size_of(to));
  return bits;
}

TEST(Element, IntegersKeepTheirLowBits) {
  EXPECT_EQ(converted(DType::i64, 0x123456789abcdef0, DType::i32), 0x9abcdef0u);
  EXPECT_EQ(converted(DType::i32, -1, DType::u8), 0xffu);
  EXPECT_EQ(converted(DType::i16, 300, DType::i8), 44u);
}

TEST(Element, BigIntegersRoundOnce) {
  // 2^62 + 2^54 lies between two bf16 values; one more is above the middle, though a double does not show it.
  const std::int64_t middle = (std::int64_t{1} << 62) + (std::int64_t{1} << 54);
  const std::uint64_t below = converted(DType::i64, std::int64_t{1} << 62, DType::bf16);
  EXPECT_EQ(converted(DType::i64, middle, DType::bf16), below);
  EXPECT_EQ(converted(DType::i64, middle + 1, DType::bf16), below + 1);
  EXPECT_EQ(converted(DType::i64, middle - 1, DType::bf16), below);
  EXPECT_EQ(converted(DType::i64, -(middle + 1), DType::bf16), (below + 1) | 0x8000u);
}

TEST(Element, TextIsTheFewestDigits) {
  const auto text = [](DType dtype, double value) {
    std::byte element[8];
    put_double(dtype, element, value);
    return text_at(dtype, element);
  };
  EXPECT_EQ(text(DType::f32, 0.1f), "0.1");
  EXPECT_EQ(text(DType::f64, 4), "4");
  EXPECT_EQ(text(DType::bf16, 0.1), "0.1");
  EXPECT_EQ(text(DType::f8e4m3, 0.3), "0.3");
  EXPECT_EQ(text(DType::f16, -infinity), "-inf");
  EXPECT_EQ(text(DType::f32, nan_value), "nan");
  EXPECT_EQ(text(DType::i64, -7), "-7");
  EXPECT_EQ(text(DType::boolean, 1), "true");
}

}  // namespace
}  // namespace tilejit::tool
