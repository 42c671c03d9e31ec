#include <tilejit/runtime/sum_factor.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <tilejit/generator/error.h>
#include <tilejit/generator/template_library.h>

#include "message.h"

namespace tilejit {
namespace {

using test::message_of;

/// Whether `value` comes back from T as it is; of floats, whether it stays finite and does not become 0.
template <class T>
bool holds(double value) {
  if constexpr (std::is_integral_v<T>) {
    return value == std::trunc(value) && value >= double(std::numeric_limits<T>::min()) &&
           value < -double(std::numeric_limits<T>::min());
  } else {
    const T narrow = static_cast<T>(value);
    return !std::isfinite(value) || (std::isfinite(narrow) && (narrow != 0 || value == 0));
  }
}

TEST(SumFactor, IsRefusedWhereTheSumsTypeMakesAnotherNumberOfIt) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  int refused = 0, taken = 0;
  for (const DType dtype : all_dtypes()) {
    const bool wide = size_of(dtype) == 8;
    for (const double size : {0.0,  0.5,  1.0,  1.5,   100.0, 0x1p31 - 1, 0x1p31, 0x1p53, 0x1p62,   0x1p63,
                              1e30, 3e38, 4e38, 1e300, 1e-30, 1e-45,      1e-46,  1e-300, infinity, std::nan("")})
      for (const double value : {size, -size}) {
        const bool fits = is_floating(dtype) ? (wide || holds<float>(value))
                                             : (wide ? holds<std::int64_t>(value) : holds<std::int32_t>(value));
        const std::string error =
            message_of<InvalidArgument>([&] { check_sum_factor("kernel", "alpha", value, dtype); });
        EXPECT_EQ(error.empty(), fits) << name_of(dtype) << " " << value << ": " << error;
        EXPECT_TRUE(fits || error.starts_with("kernel: alpha is ")) << error;
        ++(fits ? taken : refused);
      }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(taken, 100);
}

TEST(SumFactor, EveryTemplateThatMultipliesSumsSaysSo) {
  const TemplateLibrary library;
  int factors = 0;
  for (const std::string& name : library.names())
    for (const ArgumentInfo& argument : library.get(name)->info.arguments) {
      if (argument.name != "alpha" && argument.name != "beta") continue;
      EXPECT_EQ(argument.factor_of, "a") << name;
      ++factors;
    }
  EXPECT_EQ(factors, 6);
}

}  // namespace
}  // namespace tilejit
