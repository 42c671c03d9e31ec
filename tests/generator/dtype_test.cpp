#include <gtest/gtest.h>

#include <limits>
#include <set>

#include <tilejit/generator/dtype.h>

namespace tilejit {
namespace {

TEST(DType, EveryNameReadsBackAndStandsOnce) {
  std::set<std::string_view> names, spellings;
  for (DType dtype : all_dtypes()) {
    EXPECT_EQ(dtype_named(name_of(dtype)), dtype);
    names.insert(name_of(dtype));
    spellings.insert(device_type(dtype));
  }
  EXPECT_EQ(names.size(), 12u);
  EXPECT_EQ(spellings.size(), 12u);
}

TEST(DType, EpsilonIsTheHostsForItsTypesAndZeroForIntegers) {
  EXPECT_EQ(epsilon_of(f32), std::numeric_limits<float>::epsilon());
  EXPECT_EQ(epsilon_of(f64), std::numeric_limits<double>::epsilon());
  for (DType dtype : all_dtypes()) EXPECT_EQ(epsilon_of(dtype) > 0, is_floating(dtype)) << name_of(dtype);
}

TEST(DType, SizesAreThoseOfTheNames) {
  for (DType dtype : all_dtypes()) {
    if (dtype == boolean) continue;
    const std::string digits(name_of(dtype).substr(name_of(dtype).find_first_of("1234568"), 2));
    const int bits = digits[0] == '8' ? 8 : std::stoi(digits);
    EXPECT_EQ(size_of(dtype) * 8, static_cast<std::size_t>(bits)) << name_of(dtype);
  }
  EXPECT_EQ(size_of(boolean), 1u);
}

TEST(DType, AnUnknownNameIsAMiss) {
  for (std::string_view name : {"", "float", "f33", "F32", "f32 ", "boolean", "bool_"})
    EXPECT_EQ(dtype_named(name), std::nullopt) << name;
}

TEST(DType, HostTypesHaveTheDtypeOfTheirSizeAndKind) {
  static_assert(dtype_of<float> == f32 && dtype_of<double> == f64 && dtype_of<bool> == boolean);
  static_assert(dtype_of<int> == i32 && dtype_of<long> == i64 && dtype_of<long long> == i64);
  static_assert(dtype_of<signed char> == i8 && dtype_of<unsigned char> == u8 && dtype_of<short> == i16);
  static_assert(dtype_of<unsigned> == std::nullopt && dtype_of<char> == std::nullopt);
}

TEST(DType, TheFloatingOnesAreThoseThatStartWithFOrBf) {
  for (DType dtype : all_dtypes())
    EXPECT_EQ(is_floating(dtype), name_of(dtype)[0] == 'f' || name_of(dtype).substr(0, 2) == "bf") << name_of(dtype);
}

}  // namespace
}  // namespace tilejit
