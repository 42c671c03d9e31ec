#include <tilejit/tools/check.h>

#include <algorithm>

#include <tilejit/tools/device_call.h>
#include <tilejit/tools/expected.h>
#include <tilejit/tools/reference/element.h>

namespace tilejit::tool {
namespace {

/// A result that was rounded to its dtype cannot be asked to be closer than that.
Tolerance tolerance_of(const FrontMatter& info, DType dtype) {
  if ((info.relative_tolerance == 0 && info.absolute_tolerance == 0) || !is_floating(dtype)) return {};
  return {std::max(info.relative_tolerance, epsilon_of(dtype)), info.absolute_tolerance};
}

}  // namespace

bool Check::good() const {
  return !source.empty() &&
         std::all_of(tensors.begin(), tensors.end(), [](const Comparison& one) { return one.good(); });
}

Check check_of(const Call& call, std::uint64_t seed, const Jit& jit, const Options& options, StreamRef stream,
               const Config& ran, std::vector<Image> actual) {
  const auto expected = expected_of(call, seed, jit, options, stream, ran);
  return check_against(call, seed, expected ? &*expected : nullptr, std::move(actual));
}

Check check_against(const Call& call, std::uint64_t seed, const Expected* expected, std::vector<Image> actual) {
  Check result;
  const std::vector<Image> before = images_of(call, seed, Poison::actual);
  if (expected) result.source = expected->source;
  const FrontMatter& info = call.kernel->info;
  std::size_t next = 0;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto* tensor = std::get_if<TensorArgument>(&call.arguments[i]);
    if (!tensor) continue;
    const std::size_t at = next++;
    const Access access = info.arguments[i].access;
    Comparison comparison;
    comparison.tensor = tensor->name;
    if (access == Access::read) {
      comparison = compare(*tensor, false, actual[at], before[at], {});
    } else if (expected && expected->norm_bound) {
      comparison = compare_norm(*tensor, access == Access::write, actual[at], expected->images[at], expected->sample,
                                *expected->norm_bound);
    } else if (expected) {
      comparison = compare(*tensor, access == Access::write, actual[at], expected->images[at],
                           tolerance_of(info, tensor->dtype));
    }
    comparison.stray_bytes = stray_bytes(*tensor, before[at], actual[at]);
    const bool compared = access != Access::read && expected;
    if (compared || !comparison.good()) result.tensors.push_back(comparison);
  }
  return result;
}

}  // namespace tilejit::tool
