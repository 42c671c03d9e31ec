#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include <tilejit/tests/ptx/nvrtc.h>
#include <tilejit/tests/ptx/statements.h>

namespace tilejit::ptx {
namespace {

void expect_same(const char* what, const std::vector<std::string>& read, const std::vector<std::string>& written) {
  const std::size_t both = std::min(read.size(), written.size());
  for (std::size_t i = 0; i < both; ++i) {
    ASSERT_EQ(read[i], written[i]) << what << " " << i;
  }
  ASSERT_EQ(read.size(), written.size()) << what << ": " << (read.size() > both ? read[both] : written[both]);
}

struct Compilation {
  std::string arch;
  std::vector<std::string> options;
};

/// Every arch that this NVRTC knows, the ones with a suffix of their own, and a few with other options.
std::vector<Compilation> compilations(const TestNvrtc& nvrtc) {
  std::vector<Compilation> result;
  for (const int arch : nvrtc.archs()) {
    const std::string name = "compute_" + std::to_string(arch);
    result.push_back({name, {"-lineinfo"}});
    if (arch == 90 || arch == 100 || arch == 120) {
      result.push_back({name + "a", {}});
    }
    if (arch == 80 || arch == 90 || arch == 120) {
      result.push_back({name, {"-use_fast_math"}});
      result.push_back({name, {"-G"}});
    }
  }
  return result;
}

/// A source and opcodes that its PTX must show somewhere, so that a source cannot compile to nothing unnoticed.
struct Source {
  const char* name;
  std::vector<const char*> shows;
};

void PrintTo(const Source& source, std::ostream* out) { *out << source.name; }

class Corpus : public testing::TestWithParam<Source> {};

TEST_P(Corpus, EveryStatementThatNvrtcWritesIsReadAndKept) {
  const TestNvrtc nvrtc;
  const std::string name = std::string(GetParam().name) + ".cu";
  std::ifstream file(std::string(TILEJIT_SOURCE_DIR "/tests/ptx/corpus/") + name);
  ASSERT_TRUE(file) << name;
  const std::string source{std::istreambuf_iterator<char>(file), {}};
  std::set<std::string> opcodes;
  for (const Compilation& compilation : compilations(nvrtc)) {
    std::vector<std::string> options = {"--gpu-architecture=" + compilation.arch, "--device-int128",
                                        "-I" TILEJIT_CUDA_INCLUDE};
    options.insert(options.end(), compilation.options.begin(), compilation.options.end());
    SCOPED_TRACE(name + " " + compilation.arch + (compilation.options.empty() ? "" : " " + compilation.options[0]));
    const std::string text = nvrtc.compile(source, "/tilejit/" + name, options);
    const auto module = read(text);
    const Statements of_module = statements_of(*module);
    const Statements in_text = statements_in(text);
    expect_same("variable", of_module.variables, in_text.variables);
    expect_same("function", of_module.functions, in_text.functions);
    expect_same("declaration", of_module.declarations, in_text.declarations);
    expect_same("label", of_module.labels, in_text.labels);
    expect_same("instruction", of_module.instructions, in_text.instructions);
    expect_same("file", of_module.files, in_text.files);
    if (HasFatalFailure()) {
      return;
    }
    for (const Function& function : module->functions) {
      for (const Instruction& instruction : function.body) {
        opcodes.emplace(instruction.opcode);
      }
    }
  }
  if (name == "half.cu" && opcodes.empty()) {
    GTEST_SKIP() << "no cuda_fp8.h and nv/target beside cuda.h";
  }
  for (const char* opcode : GetParam().shows) {
    EXPECT_TRUE(opcodes.contains(opcode)) << opcode;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Nvrtc, Corpus,
    testing::Values(Source{"arithmetic", {"fma", "div", "sin", "madc", "prmt", "dp4a", "selp", "cvt", "bfind"}},
                    Source{"memory", {"ld", "st", "cvta", "bar", "bra"}},
                    Source{"control", {"call", "trap", "bra", "brkpt", "ret"}},
                    Source{"warp", {"shfl", "vote", "match", "redux", "atom", "red", "membar", "barrier", "bar"}},
                    Source{"half", {"fma", "cvt", "atom", "set", "ex2"}}, Source{"tensor", {"cp", "ldmatrix", "mma"}},
                    Source{"hopper", {"wgmma", "mbarrier", "cp", "stmatrix", "elect", "setmaxnreg", "mapa", "barrier"}},
                    Source{"blackwell", {"tcgen05", "mma", "ld", "st"}}),
    [](const testing::TestParamInfo<Source>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tilejit::ptx
