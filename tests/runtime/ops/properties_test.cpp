// Each op over generated views of every way of lying in memory and every dtype, against double references: thousands of
// cases on few kernels. The seed of a case is printed where it fails; the table of cases per op, way and dtype is
// printed, and no cell of it may be empty.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include <tilejit/tests/runtime/ops/property.h>
#include <tilejit/tests/support/effort.h>
#include <tilejit/tests/templates/device_fixture.h>

namespace tilejit::test {
namespace {

constexpr long quick_rounds = 4;
constexpr unsigned long most_kernels = 800;

/// What each group may compile for one round or a few; all groups together: most_kernels.
constexpr std::array<unsigned long, 3> kernels_of_group{187, 332, 280};
static_assert(kernels_of_group[0] + kernels_of_group[1] + kernels_of_group[2] <= most_kernels);

/// A fourth of the effort: cases are many already.
long all_rounds() { return std::max(quick_rounds, rounds(quick_rounds) / 4); }

class Properties : public DeviceTest {
 protected:
  using Table = std::map<std::pair<ViewWay, DType>, int>;

  void check(const Property& property, Table& cases) const {
    for (const ViewWay way : view_ways)
      for (const DType dtype : dtypes_of(property))
        for (long round = 0; round < all_rounds(); ++round) {
          ASSERT_TRUE(property_holds(jit(), property, way, dtype, unsigned(round)));
          ++cases[{way, dtype}];
        }
  }

  static void print(const Property& property, const Table& cases) {
    fmt::print("{} ({})\n", property.op, property.templates);
    for (const ViewWay way : view_ways) {
      std::string row = fmt::format("  {:11}", name_of(way));
      for (const DType dtype : dtypes_of(property)) {
        const auto found = cases.find({way, dtype});
        row += fmt::format(" {}:{}", name_of(dtype), found == cases.end() ? 0 : found->second);
        EXPECT_NE(found, cases.end()) << property.op << ", " << name_of(way) << ", " << name_of(dtype);
      }
      fmt::print("{}\n", row);
    }
  }

  void check_group(Group group) const {
    int count = 0;
    const unsigned long before = jit().counters().compiles;  // of other groups in this process
    for (const Property& property : properties()) {
      if (property.group != group) continue;
      Table cases;
      check(property, cases);
      print(property, cases);
      for (const auto& [cell, number] : cases) count += number;
    }
    const unsigned long kernels = jit().counters().compiles - before;
    fmt::print("{} cases, {} kernels compiled\n", count, kernels);
    if (rounds(1) == 1) {
      EXPECT_LE(kernels, kernels_of_group[std::size_t(group)]);
    }
  }
};

TEST_F(Properties, HoldOfElementwiseOpsForEveryViewAndDtype) { check_group(Group::elementwise); }
TEST_F(Properties, HoldOfReductionsForEveryViewAndDtype) { check_group(Group::reductions); }
TEST_F(Properties, HoldOfRowOpsForEveryViewAndDtype) { check_group(Group::rows); }

TEST(PropertiesOfAllOps, AreFiveThousandCasesOrMore) {
  std::size_t cases = 0;
  for (const Property& property : properties()) cases += view_ways.size() * dtypes_of(property).size() * quick_rounds;
  EXPECT_GE(cases, 5000U);
}

}  // namespace
}  // namespace tilejit::test
