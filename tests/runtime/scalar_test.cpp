#include <tilejit/runtime/scalar.h>

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include <tilejit/generator/error.h>
#include <tilejit/runtime/small_float.h>

#include "../support/effort.h"
#include "message.h"

namespace tilejit {
namespace {

using test::message_of;
using testing::HasSubstr;
using Wide = long double;  // 64 bits of mantissa: holds every int64, uint64 and double exactly

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The value that bits of a dtype stand for, worked out apart from the code under test.
Wide value_of(std::uint64_t bits, DType dtype) {
  const auto as = [&](auto kind) {
    std::memcpy(&kind, &bits, sizeof kind);
    return Wide(kind);
  };
  const auto small = [&](int exponent_bits, int mantissa_bits) {
    const int all = 1 + exponent_bits + mantissa_bits;
    const Wide sign = bits >> (all - 1) & 1 ? -1 : 1;
    const int exponent = int(bits >> mantissa_bits & ((1U << exponent_bits) - 1));
    const Wide fraction = Wide(bits & ((1U << mantissa_bits) - 1)) / Wide(1U << mantissa_bits);
    const int bias = (1 << (exponent_bits - 1)) - 1;
    if (dtype == DType::f8e4m3) {
      if ((bits & 0x7f) == 0x7f) return Wide(nan);
    } else if (exponent == (1 << exponent_bits) - 1) {
      return fraction == 0 ? sign * Wide(infinity) : Wide(nan);
    }
    return exponent == 0 ? sign * std::ldexp(fraction, 1 - bias) : sign * std::ldexp(1 + fraction, exponent - bias);
  };
  switch (dtype) {
    case DType::f64:
      return as(double{});
    case DType::f32:
      return as(float{});
    case DType::f16:
      return small(5, 10);
    case DType::bf16:
      return small(8, 7);
    case DType::f8e4m3:
      return small(4, 3);
    case DType::f8e5m2:
      return small(5, 2);
    case DType::i8:
      return as(std::int8_t{});
    case DType::u8:
    case DType::boolean:
      return as(std::uint8_t{});
    case DType::i16:
      return as(std::int16_t{});
    case DType::i32:
      return as(std::int32_t{});
    case DType::i64:
      return as(std::int64_t{});
  }
  return 0;
}

bool same(Wide a, Wide b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Every value but NaN of a dtype of one or two bytes.
const std::set<Wide>& values_of(DType dtype) {
  static std::map<DType, std::set<Wide>> all;
  std::set<Wide>& values = all[dtype];
  const std::uint64_t codes = values.empty() ? std::uint64_t(1) << 8 * size_of(dtype) : 0;
  for (std::uint64_t bits = 0; bits < codes; ++bits) {
    if (const Wide value = value_of(bits, dtype); !std::isnan(value)) values.insert(value);
  }
  return values;
}

/// Whether some value of `dtype` is `value`.
bool holds(DType dtype, Wide value) {
  const auto integer = [&](Wide low, Wide high) { return value >= low && value <= high && value == std::floor(value); };
  switch (dtype) {
    case DType::f64:
      return same(Wide(double(value)), value);
    case DType::f32:
      return same(Wide(float(value)), value);
    case DType::i8:
      return integer(-128, 127);
    case DType::u8:
      return integer(0, 255);
    case DType::boolean:
      return integer(0, 1);
    case DType::i16:
      return integer(-32768, 32767);
    case DType::i32:
      return integer(-2147483648.0L, 2147483647.0L);
    case DType::i64:
      return integer(-9223372036854775808.0L, 9223372036854775807.0L);
    default:
      break;
  }
  return std::isnan(value) || values_of(dtype).contains(value);
}

template <class T>
void expect_exact_or_refused(T value) {
  for (const DType dtype : all_dtypes()) {
    std::uint64_t bits = 0;
    const std::string refusal = message_of<InvalidArgument>([&] { bits = Scalar(value).bits_as(dtype, "alpha"); });
    ASSERT_EQ(refusal.empty(), holds(dtype, Wide(value)))
        << Scalar(value).to_string() << " as " << name_of(dtype) << refusal;
    if (refusal.empty()) {
      ASSERT_TRUE(same(value_of(bits, dtype), Wide(value))) << Scalar(value).to_string() << " as " << name_of(dtype);
      ASSERT_TRUE(size_of(dtype) == 8 || bits >> 8 * size_of(dtype) == 0) << "high bytes are zero";
    } else {
      ASSERT_THAT(refusal, HasSubstr("alpha"));
      ASSERT_THAT(refusal, HasSubstr(std::string(name_of(dtype))));
    }
  }
}

TEST(Scalar, ConvertsExactlyOrNotAtAll) {
  for (const double value : {0.0,
                             1.0,
                             -1.0,
                             0.5,
                             2.0,
                             127.0,
                             128.0,
                             255.0,
                             256.0,
                             448.0,
                             464.0,
                             480.0,
                             57344.0,
                             61440.0,
                             65504.0,
                             65520.0,
                             65536.0,
                             1e300,
                             0x1p-14,
                             0x1p-24,
                             0x1p-25,
                             0x1p-16,
                             0x1p-9,
                             0x1p-10,
                             0x1p-133,
                             0x1p-134,
                             0x1p-149,
                             0x1p-150,
                             0x1p-1074,
                             0.1,
                             double(0.1F),
                             2147483647.0,
                             2147483648.0,
                             9007199254740993.0,
                             0x1p63,
                             -0x1p63,
                             0x1p64,
                             0x1.fffffep127,
                             0x1.ffffffp127,
                             infinity,
                             nan}) {
    expect_exact_or_refused(value);
    expect_exact_or_refused(-value);
    expect_exact_or_refused(float(value));
  }
  for (const std::int64_t value :
       {std::int64_t(0), std::int64_t(1), std::int64_t(-1), std::int64_t(2), std::int64_t(127), std::int64_t(-128),
        std::int64_t(-129), std::int64_t(300), std::int64_t(2049), std::int64_t(65504), std::int64_t(1) << 24,
        (std::int64_t(1) << 24) + 1, std::int64_t(1) << 53, (std::int64_t(1) << 53) + 1, INT64_MAX, INT64_MIN,
        INT64_MIN + 1, INT64_MAX - 1023}) {
    expect_exact_or_refused(value);
  }
  for (const std::uint64_t value :
       {std::uint64_t(0), std::uint64_t(1) << 63, UINT64_MAX, (std::uint64_t(1) << 63) + 2048, UINT64_MAX - 2047}) {
    expect_exact_or_refused(value);
  }
  expect_exact_or_refused(true);
  expect_exact_or_refused(false);
}

TEST(Scalar, ConvertsRandomValuesExactlyOrNotAtAll) {
  std::mt19937_64 random(1);
  for (long round = test::rounds(60); round > 0; --round) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    expect_exact_or_refused(value);
    expect_exact_or_refused(std::int64_t(bits) >> (random() % 64));
    expect_exact_or_refused(std::ldexp(double(bits % 64), int(random() % 40) - 20));
  }
}

TEST(Scalar, NamesTheNearestValueThatFits) {
  const auto refused = [](Scalar value, DType dtype) {
    return message_of<InvalidArgument>([&] { value.bits_as(dtype, "alpha"); });
  };
  EXPECT_THAT(refused(0.1, f32),
              HasSubstr("alpha: 0.1 does not convert exactly to f32; the nearest that does is 0.1000000014"));
  EXPECT_THAT(refused(300, u8), HasSubstr("is 255"));
  EXPECT_THAT(refused(-1, u8), HasSubstr("is 0"));
  EXPECT_THAT(refused(2.6, i32), HasSubstr("is 3"));
  EXPECT_THAT(refused(1e300, f32), HasSubstr("is 3.402823"));
  EXPECT_THAT(refused(-1e6, f16), HasSubstr("is -65504"));
  EXPECT_THAT(refused(1000, f8e4m3), HasSubstr("is 448"));
  EXPECT_THAT(refused(2, boolean), HasSubstr("is 1"));
  EXPECT_THAT(refused(UINT64_MAX, i64), HasSubstr("18446744073709551615"));
  EXPECT_THAT(refused(nan, i32), HasSubstr("NaN does not convert to i32"));
}

TEST(Scalar, AFloatThatWasGivenAsAFloatIsExact) {
  EXPECT_EQ(Scalar(0.1F).bits_as(f32, "alpha"), 0x3dcccccdU);
  EXPECT_EQ(Scalar(1).bits_as(bf16, "alpha"), 0x3f80U);
  EXPECT_EQ(Scalar(-2.0).bits_as(i32, "alpha"), 0xfffffffeU);
}

TEST(Scalar, KeepsTheSignOfZeroAndNan) {
  EXPECT_EQ(Scalar(-0.0).bits_as(f16, "alpha"), 0x8000U);
  EXPECT_EQ(Scalar(std::copysign(nan, -1.0)).bits_as(f8e4m3, "alpha"), 0xffU);
  EXPECT_EQ(Scalar(-infinity).bits_as(f8e5m2, "alpha"), 0xfcU);
}

TEST(SmallFloat, EveryCodeOfEveryDtypeComesBack) {
  for (const DType dtype : {f16, bf16, f8e4m3, f8e5m2}) {
    for (std::uint32_t bits = 0; bits < (1U << 8 * size_of(dtype)); ++bits) {
      const double value = small_float_value(std::uint16_t(bits), dtype);
      ASSERT_TRUE(same(value, value_of(bits, dtype))) << name_of(dtype) << " " << bits;
      ASSERT_TRUE(std::isnan(value) || small_float_bits(value, dtype) == bits) << name_of(dtype) << " " << bits;
    }
  }
}

TEST(SmallFloat, RoundsToTheNearestAndTiesToEven) {
  for (const DType dtype : {f16, bf16, f8e4m3, f8e5m2}) {
    std::uint32_t bits = 0;
    for (; small_float_value(std::uint16_t(bits + 1), dtype) < infinity &&
           !std::isnan(small_float_value(std::uint16_t(bits + 1), dtype));
         ++bits) {
      const double low = small_float_value(std::uint16_t(bits), dtype),
                   high = small_float_value(std::uint16_t(bits + 1), dtype);
      const double middle = (low + high) / 2;
      ASSERT_EQ(small_float_bits(middle, dtype), bits % 2 == 0 ? bits : bits + 1) << name_of(dtype);
      ASSERT_EQ(small_float_bits(std::nextafter(middle, 0.0), dtype), bits);
      ASSERT_EQ(small_float_bits(std::nextafter(middle, infinity), dtype), bits + 1);
    }
    EXPECT_EQ(small_float_value(std::uint16_t(bits), dtype), small_float_largest(dtype));
  }
  EXPECT_EQ(small_float_bits(1e300, f8e4m3), 0x7eU) << "no infinity: the largest";
  EXPECT_EQ(small_float_bits(65519.0, f16), 0x7bffU);
  EXPECT_EQ(small_float_bits(65520.0, f16), 0x7c00U);
}

}  // namespace
}  // namespace tilejit
