// matmul_wgmma with every Config of its space, for every pair of dtypes, every pair of major axes, c through a map and
// beside one; epilogues are spread over them. Minutes: scripts/test --full runs it, compile_test each Config once.
#include <gtest/gtest.h>

#include <tilejit/tests/support/effort.h>
#include <tilejit/tests/templates/compiled.h>

namespace tilejit::test {
namespace {

struct Results {
  DType operands, results;
  bool mapped;  ///< c's rows are whole 16 bytes
};
std::string name_of_results(const testing::TestParamInfo<Results>& info) {
  return std::string(name_of(info.param.operands)) + "_to_" + std::string(name_of(info.param.results)) +
         (info.param.mapped ? "" : "_in_odd_rows");
}
void PrintTo(const Results& results, std::ostream* out) {
  *out << name_of(results.operands) << " to " << name_of(results.results) << (results.mapped ? "" : " in odd rows");
}

class MatmulWgmmaSpace : public testing::TestWithParam<Results> {};

constexpr std::int64_t edge = 8192, depth = 512;  // thin: some Configs are for such products alone

/// Both axes of a and of b as `majors` says; what is added, and ACTIVATION, by `number`.
Problem problem_for(const Results& results, unsigned majors, std::size_t number) {
  const auto operand = [&](bool last, int axis_of_k) {
    TensorProblem operand = matrix_problem(results.operands, edge, last ? edge : 1, last ? 1 : edge);
    operand.shape[std::size_t(axis_of_k)] = depth;
    return operand;
  };
  const TensorProblem c = matrix_problem(results.results, edge, results.mapped ? edge : edge + 1, 1);
  TensorProblem bias = matrix_problem(results.results, edge, 0, 1), previous = c, residual = c;
  bias.present = number % 3 == 1, previous.present = number % 5 == 2, residual.present = number % 7 == 3;
  return {{operand((majors & 1) != 0, 1), operand((majors & 2) != 0, 0), c, bias, previous, residual},
          {DType::f64, DType::f64}};
}

TEST_P(MatmulWgmmaSpace, CompilesWithoutSpillsAndWarnings) {
  if (!is_default_build) GTEST_SKIP() << "takes minutes; the default build runs it";
  const auto kernel = library().get("matmul_wgmma");
  std::size_t number = 0;
  for (unsigned majors = 0; majors < 4; ++majors)
    for (const Config& config : candidates(*kernel, problem_for(GetParam(), majors, 0), target_of("sm_90a"))) {
      std::vector<std::pair<std::string, std::int64_t>> settings = config.constants;
      for (auto& [name, value] : settings)
        if (name == "ACTIVATION") value = std::int64_t(number % 4);
      settings.emplace_back("num_warps", config.num_warps);
      settings.emplace_back("num_stages", config.num_stages);
      expect_clean(compiled("matmul_wgmma", problem_for(GetParam(), majors, ++number), "sm_90a", settings),
                   to_string(config));
    }
  EXPECT_GT(number, 4U * 12);
}

INSTANTIATE_TEST_SUITE_P(
    Dtypes, MatmulWgmmaSpace,
    testing::Values(Results{DType::bf16, DType::bf16, true}, Results{DType::bf16, DType::f16, true},
                    Results{DType::bf16, DType::f32, true}, Results{DType::f16, DType::f16, true},
                    Results{DType::f16, DType::bf16, true}, Results{DType::f16, DType::f32, true},
                    Results{DType::bf16, DType::bf16, false}, Results{DType::bf16, DType::f32, false},
                    Results{DType::f16, DType::f16, false}, Results{DType::f16, DType::f32, false}),
    name_of_results);

}  // namespace
}  // namespace tilejit::test
