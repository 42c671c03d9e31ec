#include <tilejit/tools/comparison.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <tilejit/tools/reference/element.h>
#include <tilejit/tools/strided.h>

namespace tilejit::tool {
namespace {

bool is_poison(const std::byte* element, DType dtype) {
  const std::byte poison = poison_byte(dtype, Poison::actual);
  return std::all_of(element, element + size_of(dtype), [poison](std::byte byte) { return byte == poison; });
}

/// |actual - expected|; of integers exact until it is rounded to a double, so that it is 0 for equal ones alone.
double distance(const std::byte* actual, const std::byte* expected, DType dtype) {
  if (is_floating(dtype)) return std::abs(double_at(dtype, actual) - double_at(dtype, expected));
  const std::int64_t a = integer_at(dtype, actual), e = integer_at(dtype, expected);
  return double(a > e ? std::uint64_t(a) - std::uint64_t(e) : std::uint64_t(e) - std::uint64_t(a));
}

/// Integers by their bits; of floats all NaNs, and 0 and -0, are the same.
bool same(const std::byte* actual, const std::byte* expected, DType dtype) {
  if (std::memcmp(actual, expected, size_of(dtype)) == 0) return true;
  if (!is_floating(dtype)) return false;
  const double a = double_at(dtype, actual), e = double_at(dtype, expected);
  return a == e || (std::isnan(a) && std::isnan(e));
}

/// A float's least number above 0: results that are as small are rounded to a neighbour of the reference.
double smallest_of(DType dtype) {
  std::array<std::byte, 8> bits{std::byte{1}};
  return double_at(dtype, bits.data());
}

bool equal(const std::byte* actual, const std::byte* expected, DType dtype, const Tolerance& tolerance, double& error) {
  if (same(actual, expected, dtype)) return true;
  error = distance(actual, expected, dtype);
  const double e = double_at(dtype, expected), allowed = tolerance.absolute + tolerance.relative * std::abs(e);
  return error > 0 && error <= allowed && std::isfinite(e);
}

}  // namespace

Comparison compare(const TensorArgument& tensor, bool written_only, const Image& actual, const Image& expected,
                   const Tolerance& tolerance) {
  Comparison result;
  result.tensor = tensor.name;
  const auto size = std::int64_t(size_of(tensor.dtype));
  const std::byte* actual_origin = actual.bytes.data() + origin_of(tensor);
  const std::byte* expected_origin = expected.bytes.data() + origin_of(tensor);
  const auto note = [&](std::int64_t& count, std::optional<Comparison::First>& first, std::int64_t index,
                        const std::byte* a, const std::byte* e) {
    ++count;
    if (!first) first = {coordinates(index, tensor.shape), text_at(tensor.dtype, a), text_at(tensor.dtype, e)};
  };
  for_each_row(tensor.shape, tensor.strides,
               [&](std::int64_t first, std::int64_t stride, std::int64_t count, std::int64_t index) {
                 result.elements += count;
                 for (std::int64_t i = 0; i < count; ++i) {
                   const std::byte* a = actual_origin + (first + i * stride) * size;
                   const std::byte* e = expected_origin + (first + i * stride) * size;
                   double error = 0;
                   if (written_only && is_poison(a, tensor.dtype) && !is_poison(e, tensor.dtype)) {
                     note(result.unwritten, result.first_unwritten, index + i, a, e);
                   } else if (!equal(a, e, tensor.dtype, tolerance, error)) {
                     note(result.wrong, result.first_wrong, index + i, a, e);
                   }
                   if (error > result.largest_error) result.largest_error = error;
                 }
               });
  return result;
}

Comparison compare_norm(const TensorArgument& tensor, bool written_only, const Image& actual, const Image& expected,
                        const std::vector<std::array<std::int64_t, 2>>& sample, double bound) {
  Comparison result;
  result.tensor = tensor.name;
  const auto size = std::int64_t(size_of(tensor.dtype));
  const std::byte* actual_origin = actual.bytes.data() + origin_of(tensor);
  const std::byte* expected_origin = expected.bytes.data() + origin_of(tensor);
  const auto unwritten = [&](const std::byte* a, const std::byte* e) {
    return written_only && is_poison(a, tensor.dtype) && !is_poison(e, tensor.dtype);
  };
  // Calls each(actual, expected, where) for every element that is looked at.
  const auto for_each_looked_at = [&](auto&& each) {
    for (const auto& at : sample) {
      const std::int64_t place = (at[0] * tensor.strides[0] + at[1] * tensor.strides[1]) * size;
      each(actual_origin + place, expected_origin + place, [&] { return std::vector<std::int64_t>{at[0], at[1]}; });
    }
    if (!sample.empty()) return;
    for_each_row(tensor.shape, tensor.strides,
                 [&](std::int64_t first, std::int64_t stride, std::int64_t count, std::int64_t index) {
                   for (std::int64_t i = 0; i < count; ++i) {
                     const std::int64_t place = (first + i * stride) * size;
                     const std::byte *a = actual_origin + place, *e = expected_origin + place;
                     if (!unwritten(a, e)) each(a, e, [&] { return coordinates(index + i, tensor.shape); });
                   }
                 });
  };

  for_each_row(tensor.shape, tensor.strides,
               [&](std::int64_t first, std::int64_t stride, std::int64_t count, std::int64_t index) {
                 result.elements += count;
                 for (std::int64_t i = 0; i < count; ++i) {
                   const std::int64_t place = (first + i * stride) * size;
                   const std::byte* a = actual_origin + place;
                   if (!unwritten(a, expected_origin + place)) continue;
                   ++result.unwritten;
                   if (!result.first_unwritten)
                     result.first_unwritten = {coordinates(index + i, tensor.shape), text_at(tensor.dtype, a), "-"};
                 }
               });

  double error = 0, norm = 0, finite = 0;
  for_each_looked_at([&](const std::byte* a, const std::byte* e, auto&&) {
    const double y = double_at(tensor.dtype, e);
    if (!std::isfinite(double_at(tensor.dtype, a)) || !std::isfinite(y)) return;
    const double apart = distance(a, e, tensor.dtype);
    error = std::hypot(error, apart);  // squares of 1e-170 or 1e170 would leave a double's range
    norm = std::hypot(norm, y);
    ++finite;
    result.largest_error = std::max(result.largest_error, apart);
  });

  const double rms = finite > 0 ? norm / std::sqrt(finite) : 0, step = smallest_of(tensor.dtype);
  for_each_looked_at([&](const std::byte* a, const std::byte* e, auto&& where) {
    if (same(a, e, tensor.dtype)) return;
    const double x = double_at(tensor.dtype, a), y = double_at(tensor.dtype, e);
    const double cap = std::max(element_cap * bound * (std::abs(y) + rms), step);
    if (bound > 0 && std::isfinite(x) && std::isfinite(y) && distance(a, e, tensor.dtype) <= cap) return;
    ++result.wrong;
    if (!result.first_wrong) result.first_wrong = {where(), text_at(tensor.dtype, a), text_at(tensor.dtype, e)};
  });

  if (!sample.empty()) result.looked_at = std::int64_t(sample.size());
  if (bound > 0) {
    result.norm_error = norm > 0 ? error / norm : error;
    result.norm_bound = bound;
  }
  return result;
}

std::string to_string(const Comparison& comparison) {
  const auto place = [](const Comparison::First& first) {
    return first.at.empty() ? std::string("the only one") : fmt::format("({})", fmt::join(first.at, ", "));
  };
  std::vector<std::string> parts;
  if (comparison.unwritten > 0) {
    parts.push_back(fmt::format("{} of {} elements unwritten, first {}", comparison.unwritten, comparison.elements,
                                place(*comparison.first_unwritten)));
  }
  if (comparison.wrong > 0) {
    const Comparison::First& first = *comparison.first_wrong;
    parts.push_back(fmt::format("{} of {} elements wrong, first {}: {}, expected {}", comparison.wrong,
                                comparison.elements, place(first), first.actual, first.expected));
  }
  if (comparison.stray_bytes > 0) {
    parts.push_back(fmt::format("{} bytes changed outside its elements", comparison.stray_bytes));
  }
  if (comparison.norm_error && !(*comparison.norm_error <= *comparison.norm_bound)) {
    parts.push_back(fmt::format("relative Frobenius error {:.3g}, {:.3g} is allowed", *comparison.norm_error,
                                *comparison.norm_bound));
  }
  if (parts.empty()) {
    parts.push_back(comparison.looked_at < 0 ? fmt::format("{} elements right", comparison.elements)
                                             : fmt::format("all {} elements written, {} looked at and right",
                                                           comparison.elements, comparison.looked_at));
    if (comparison.norm_error) {
      parts.back() += fmt::format(" (relative Frobenius error {:.3g}, {:.3g} is allowed)", *comparison.norm_error,
                                  *comparison.norm_bound);
    } else if (comparison.largest_error > 0) {
      parts.back() += fmt::format(" (largest difference {:.3g})", comparison.largest_error);
    }
  }
  return fmt::format("{}: {}", comparison.tensor, fmt::join(parts, "; "));
}

}  // namespace tilejit::tool
