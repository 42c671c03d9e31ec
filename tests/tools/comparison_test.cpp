#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include <tilejit/tools/comparison.h>
#include <tilejit/tools/reference/element.h>

namespace tilejit::tool {
namespace {

const TensorArgument y = parse_tensor("y", "f32:2x3");

Image holding(const std::vector<float>& values) {
  Image image = image_of(y, Access::write, 0, 0, Poison::actual);
  std::memcpy(image.bytes.data() + origin_of(y), values.data(), values.size() * sizeof(float));
  return image;
}

TEST(Comparison, EqualImagesAreRight) {
  const Image image = holding({1, 2, 3, 4, 5, 6});
  const Comparison result = compare(y, true, image, image, {});
  EXPECT_TRUE(result.good());
  EXPECT_EQ(to_string(result), "y: 6 elements right");
}

TEST(Comparison, NamesTheFirstWrongElementAndCountsThem) {
  const Comparison result = compare(y, true, holding({1, 2, 3, 4, 9, 9}), holding({1, 2, 3, 4, 5, 6}), {});
  EXPECT_FALSE(result.good());
  EXPECT_EQ(to_string(result), "y: 2 of 6 elements wrong, first (1, 1): 9, expected 5");
}

TEST(Comparison, PoisonThatIsStillThereWasNeverWritten) {
  const Comparison result = compare(y, true, holding({1, 2}), holding({1, 2, 3, 4, 5, 6}), {});
  EXPECT_EQ(result.unwritten, 4);
  EXPECT_EQ(result.wrong, 0);
  EXPECT_EQ(to_string(result), "y: 4 of 6 elements unwritten, first (0, 2)");
}

TEST(Comparison, WhatNeitherSideWroteIsUnwrittenToo) {
  const Image actual = image_of(y, Access::write, 0, 0, Poison::actual);
  const Image expected = image_of(y, Access::write, 0, 0, Poison::expected);
  EXPECT_EQ(compare(y, true, actual, expected, {}).unwritten, 6);
}

TEST(Comparison, AnUpdatedTensorHasNoPoison) {
  const Image ones = holding({NAN, 1, 1, 1, 1, 1});
  EXPECT_TRUE(compare(y, false, ones, ones, {}).good());
}

TEST(Comparison, ToleranceIsAbsolutePlusRelative) {
  const Image actual = holding({1.5F, 10.5F, 0, 0, 0, 0}), expected = holding({1, 10, 0, 0, 0, 0});
  EXPECT_EQ(compare(y, true, actual, expected, {0, 0.25}).wrong, 2);
  EXPECT_EQ(compare(y, true, actual, expected, {0.05, 0}).wrong, 1);
  EXPECT_EQ(compare(y, true, actual, expected, {0.05, 0.45}).wrong, 0);
  EXPECT_EQ(compare(y, true, actual, expected, {0, 0.5}).largest_error, 0.5);
}

TEST(Comparison, NansAreEqualAndInfinitiesOnlyToThemselves) {
  const float inf = std::numeric_limits<float>::infinity();
  const Image actual = holding({NAN, inf, inf, 0, -0.0F, 1});
  EXPECT_EQ(compare(y, true, actual, holding({-NAN, inf, -inf, NAN, 0, inf}), {1, 1}).wrong, 3);
}

/// In a double, most of these pairs are one number: as a product they used to pass.
TEST(Comparison, IntegersOfSixtyFourBitsAreComparedExactlyInEachWay) {
  const TensorArgument n = parse_tensor("n", "i64:1x1");
  const auto of = [&](std::int64_t value) {
    Image image = image_of(n, Access::write, 0, 0, Poison::actual);
    std::memcpy(image.bytes.data() + origin_of(n), &value, sizeof value);
    return image;
  };
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(), least = -most - 1;
  for (int bits = 0; bits < 63; ++bits) {
    for (const std::int64_t value : {std::int64_t{1} << bits, -(std::int64_t{1} << bits), most, least + 1}) {
      for (const std::vector<std::array<std::int64_t, 2>>& sample :
           {std::vector<std::array<std::int64_t, 2>>(), {{0, 0}}}) {
        EXPECT_TRUE(compare_norm(n, true, of(value), of(value), sample, 0).good());
        const Comparison product = compare_norm(n, true, of(value - 1), of(value), sample, 0);
        EXPECT_EQ(product.wrong, 1) << value;
        EXPECT_EQ(product.largest_error, 1) << value;
      }
      const Comparison element = compare(n, true, of(value - 1), of(value), {});
      EXPECT_EQ(element.wrong, 1) << value;
      EXPECT_EQ(element.largest_error, 1) << value;
    }
  }
  EXPECT_EQ(compare(n, true, of(least), of(most), {}).largest_error, 0x1p64);
  EXPECT_EQ(to_string(compare_norm(n, true, of(most), of(most - 1), {}, 0)),
            "n: 1 of 1 elements wrong, first (0, 0): 9223372036854775807, expected 9223372036854775806");
}

TEST(Comparison, StrayBytesAreNotGood) {
  Comparison result = compare(y, true, holding({1, 2, 3, 4, 5, 6}), holding({1, 2, 3, 4, 5, 6}), {});
  result.stray_bytes = 8;
  EXPECT_FALSE(result.good());
  EXPECT_EQ(to_string(result), "y: 8 bytes changed outside its elements");
}

TEST(ComparisonByNorm, AWholeThatIsCloseIsRightAndAPartThatIsNotIsWrong) {
  const Image expected = holding({3, 0, 4, 0, 0, 0});
  const Comparison close = compare_norm(y, true, holding({3, 0, 4, 0, 0, 0.04f}), expected, {}, 0.01);
  EXPECT_TRUE(close.good());
  EXPECT_NEAR(*close.norm_error, 0.008, 1e-6);
  const Comparison far = compare_norm(y, true, holding({3, 0, 4, 0, 0, 0.06f}), expected, {}, 0.01);
  EXPECT_FALSE(far.good());
  EXPECT_EQ(to_string(far), "y: relative Frobenius error 0.012, 0.01 is allowed");
}

/// Squares of such values are 0 or infinite in a double: a wrong product used to pass, a right one to fail.
TEST(ComparisonByNorm, ValuesOfAnySizeAreCompared) {
  const TensorArgument wide = parse_tensor("c", "f64:2");
  const auto of = [&](double a, double b) {
    Image image = image_of(wide, Access::write, 0, 0, Poison::actual);
    std::memcpy(image.bytes.data() + origin_of(wide), std::array{a, b}.data(), 2 * sizeof(double));
    return image;
  };
  for (const double size : {1e-300, 1e-170, 1.0, 1e170, 1e300}) {
    EXPECT_TRUE(compare_norm(wide, true, of(size, 2 * size), of(size, 2 * size), {}, 1e-15).good()) << size;
    const Comparison far = compare_norm(wide, true, of(0, 2 * size), of(size, 2 * size), {}, 1e-15);
    EXPECT_FALSE(far.good()) << size;
    EXPECT_NEAR(*far.norm_error, std::sqrt(0.2), 1e-12) << size;
  }
}

/// Among 350000 elements one is nothing to the norm.
TEST(ComparisonByNorm, OneElementOfManyThatIsFarOffIsToldThoughTheNormIsSmall) {
  const TensorArgument c = parse_tensor("c", "bf16:700x500");
  Image expected = image_of(c, Access::write, 0, 0, Poison::actual);
  const auto element = [&](Image& image, std::int64_t row, std::int64_t col) {
    return image.bytes.data() + origin_of(c) + (row * 500 + col) * 2;
  };
  for (std::int64_t row = 0; row < 700; ++row)
    for (std::int64_t col = 0; col < 500; ++col)
      put_double(DType::bf16, element(expected, row, col), double((row * 500 + col) * 7919 % 2001 - 1000) / 1000);
  const double rms = 1 / std::sqrt(3.0);
  put_double(DType::bf16, element(expected, 3, 7), 0.5);
  put_double(DType::bf16, element(expected, 5, 9), 0);
  EXPECT_TRUE(compare_norm(c, true, expected, expected, {}, 1e-2).good());

  const auto wrong_at = [&](std::int64_t row, std::int64_t col, double value) {
    Image actual = expected;
    put_double(DType::bf16, element(actual, row, col), value);
    const Comparison result = compare_norm(c, true, actual, expected, {}, 1e-2);
    EXPECT_LT(*result.norm_error, *result.norm_bound);
    EXPECT_EQ(result.good(), result.wrong == 0);
    return result;
  };
  EXPECT_EQ(to_string(wrong_at(3, 7, 0)), "c: 1 of 350000 elements wrong, first (3, 7): 0, expected 0.5");
  EXPECT_EQ(wrong_at(3, 7, 0.5 + rms).wrong, 1);
  EXPECT_EQ(wrong_at(5, 9, rms).wrong, 1);
  EXPECT_EQ(wrong_at(5, 9, 0.05 * rms).wrong, 1);
  EXPECT_EQ(wrong_at(5, 9, 0.03 * rms).wrong, 0);
  EXPECT_EQ(wrong_at(3, 7, 0.5 * (1 + 0x1p-7)).wrong, 0) << "its neighbour";

  Image actual = expected;
  put_double(DType::bf16, element(actual, 3, 7), 0);
  const Comparison sampled = compare_norm(c, true, actual, expected, {{0, 0}, {3, 7}, {699, 499}}, 0.02);
  EXPECT_EQ(sampled.wrong, 1);
  EXPECT_THAT(sampled.first_wrong->at, testing::ElementsAre(3, 7));
}

/// Of f16 there is nothing between 2^-24 and twice that, both right for the sum in between.
TEST(ComparisonByNorm, ANeighbourIsRightHoweverSmallTheValues) {
  const TensorArgument c = parse_tensor("c", "f16:100x100");
  Image expected = image_of(c, Access::write, 0, 0, Poison::actual);
  const auto element = [&](Image& image, std::int64_t index) { return image.bytes.data() + origin_of(c) + index * 2; };
  for (std::int64_t i = 0; i < 10000; ++i) put_double(DType::f16, element(expected, i), 0x1p-24 * double(i % 4));
  Image near = expected, far = expected;
  put_double(DType::f16, element(near, 1), 0x1p-23);
  put_double(DType::f16, element(far, 1), 0x1.8p-23);
  EXPECT_TRUE(compare_norm(c, true, near, expected, {}, 1e-2).good());
  EXPECT_EQ(compare_norm(c, true, far, expected, {}, 1e-2).wrong, 1);
}

TEST(ComparisonByNorm, NaNInfinityAndUnwrittenElementsAreNamed) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Image expected = holding({1, nan, 2, 3, 4, 5});
  EXPECT_TRUE(compare_norm(y, true, expected, expected, {}, 0.01).good());
  EXPECT_EQ(compare_norm(y, true, holding({1, 2, nan, 3, 4, 5}), expected, {}, 0.01).wrong, 2);
  EXPECT_EQ(compare_norm(y, true, holding({1, nan, 2}), holding({1, nan, 2, 3, 4, 5}), {}, 0.01).unwritten, 3);
}

TEST(ComparisonByNorm, ASampleLooksAtItsElementsAndAtWhetherAllAreWritten) {
  const Image expected = holding({1, 2, 3, 4, 5, 6});
  const Comparison sampled = compare_norm(y, true, holding({1, 9, 3, 9, 9, 6}), expected, {{0, 0}, {1, 2}}, 0.01);
  EXPECT_TRUE(sampled.good());
  EXPECT_EQ(to_string(sampled),
            "y: all 6 elements written, 2 looked at and right (relative Frobenius error 0, 0.01 is "
            "allowed)");
  EXPECT_EQ(compare_norm(y, true, holding({1, 9}), expected, {{0, 0}}, 0.01).unwritten, 4);
}

}  // namespace
}  // namespace tilejit::tool
