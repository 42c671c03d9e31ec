#include <tilejit/bench/matmul_shapes.h>

#include <gtest/gtest.h>

#include <set>

namespace tilejit::bench {
namespace {

TEST(RandomMatmulShapes, AreTheSameForASeedWithinTheirRangeAndOfEveryLayout) {
  const std::vector<MatmulShape> shapes = random_matmul_shapes(20, 5), again = random_matmul_shapes(20, 5);
  std::set<std::string> kinds;
  int whole = 0;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    EXPECT_EQ(shapes[i].name(), again[i].name());
    for (const std::int64_t extent : {shapes[i].m, shapes[i].n, shapes[i].k}) {
      EXPECT_GE(extent, 64);
      EXPECT_LE(extent, 8192);
    }
    whole += shapes[i].m % 8 == 0 && shapes[i].n % 8 == 0 && shapes[i].k % 8 == 0;
    kinds.insert(shapes[i].name().substr(shapes[i].name().size() - 2));
  }
  EXPECT_GE(whole, 10);
  EXPECT_EQ(kinds, (std::set<std::string>{"NN", "NT", "TN", "TT"}));
  EXPECT_NE(shapes[0].name(), random_matmul_shapes(20, 6)[0].name());
}

}  // namespace
}  // namespace tilejit::bench
