#include <tilejit/tests/templates/difference.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <tilejit/tools/reference/element.h>

namespace tilejit::test {
namespace {

double allowed(DType dtype, double value, const Bound& bound) {
  const double scale = dtype == DType::f64 ? 1e-8 : 1;
  const double rounding = size_of(dtype) < 4 ? epsilon_of(dtype) * std::abs(value) : 0;
  return scale * (bound.relative * std::abs(value) + bound.absolute) + rounding;
}

/// By how much two elements differ: of 1, of the bound. Infinite where they cannot be near each other.
struct Distance {
  double relative = std::numeric_limits<double>::infinity(), of_bound = std::numeric_limits<double>::infinity();
};

Distance distance(DType dtype, const std::byte* a, const std::byte* b, const Bound& bound) {
  if (!is_floating(dtype)) return {};
  const double x = tool::double_at(dtype, a), y = tool::double_at(dtype, b);
  if (std::isnan(x) && std::isnan(y)) return {0, 0};
  if (!std::isfinite(x) || !std::isfinite(y)) return {};
  const double between = std::abs(x - y);
  Distance found{between / std::max(1.0, std::abs(y)), 0};
  if (between > 0) found.of_bound = between / allowed(dtype, y, bound);
  return found;
}

/// "0.25 = 0x3e800000"
std::string written(DType dtype, const std::byte* element) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, element, size_of(dtype));
  return fmt::format("{} = 0x{:0{}x}", tool::text_at(dtype, element), bits, 2 * size_of(dtype));
}

}  // namespace

void Difference::add(const Difference& other) {
  elements += other.elements;
  differing += other.differing;
  outside += other.outside;
  worst = std::max(worst, other.worst);
  used = std::max(used, other.used);
  if (first.empty()) first = other.first;
}

Difference compare(const ViewSpec& view, const ViewMemory& layout, std::span<const std::byte> a,
                   std::span<const std::byte> b, const Bound& bound) {
  Difference difference;
  const std::size_t size = size_of(view.dtype);
  std::vector<bool> owned(layout.bytes.size(), false);
  const auto report = [&](const std::string& text) {
    if (difference.outside++ == 0) difference.first = text;
  };
  for_each_element(view, [&](std::int64_t place, const std::vector<std::int64_t>& index) {
    const std::size_t at = layout.origin + std::size_t(place * std::int64_t(size));
    for (std::size_t i = 0; i < size; ++i) owned[at + i] = true;
    ++difference.elements;
    if (std::memcmp(&a[at], &b[at], size) == 0) return;
    ++difference.differing;
    const Distance found = distance(view.dtype, &a[at], &b[at], bound);
    difference.worst = std::max(difference.worst, found.relative);
    if (!bound.exact()) difference.used = std::max(difference.used, found.of_bound);
    if (!bound.exact() && found.of_bound <= 1) return;
    report(fmt::format("({}) is {}, and {}", fmt::join(index, ", "), written(view.dtype, &a[at]),
                       written(view.dtype, &b[at])));
  });
  for (std::size_t i = 0; i < owned.size(); ++i)
    if (!owned[i] && a[i] != b[i])
      report(fmt::format("byte {} from the first element, which no element owns",
                         std::int64_t(i) - std::int64_t(layout.origin)));
  return difference;
}

}  // namespace tilejit::test
