#include <tilejit/runtime/sum_factor.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include <tilejit/generator/error.h>

namespace tilejit {

DType product_sum(DType operands) {
  if (operands == DType::f64 || operands == DType::i64) return operands;
  return is_floating(operands) ? DType::f32 : DType::i32;
}

void check_sum_factor(const std::string& kernel, const std::string& name, double value, DType operands) {
  const auto refuse = [&](const std::string& why) {
    throw InvalidArgument(fmt::format("{}: {} is {}; {}", kernel, name, value, why));
  };
  const DType sums = product_sum(operands);
  if (sums == DType::f64) return;
  if (sums == DType::f32) {
    if (!std::isfinite(value) || value == 0) return;
    if (std::abs(value) > std::numeric_limits<float>::max() || static_cast<float>(value) == 0)
      refuse(fmt::format("{} is summed in f32, which does not hold that", name_of(operands)));
    return;
  }
  const double beyond = sums == DType::i64 ? 0x1p63 : 0x1p31;
  if (!(value == std::trunc(value) && value >= -beyond && value < beyond))
    refuse(fmt::format("of {} it must be whole, and fit {}", name_of(operands), name_of(sums)));
}

}  // namespace tilejit
