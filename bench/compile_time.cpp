// How long NVRTC takes for the templates, beside an empty kernel and one written by hand, in the same process. Needs no
// GPU.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>

#include <tilejit/bench/row.h>
#include <tilejit/generator/compiler.h>
#include <tilejit/generator/error.h>
#include <tilejit/tools/output.h>

namespace tilejit::bench {
namespace {

constexpr std::int64_t extent = 4096;  // of every size that a template leaves open

constexpr const char* empty_kernel = "extern \"C\" __global__ void empty_kernel() {}\n";

/// What copy_2d does at its default Config for contiguous fp32, as one would write it for this case alone: the same
/// 16-byte loads and stores, masked by the extents.
constexpr const char* handwritten_copy = R"(
extern "C" __global__ void __launch_bounds__(256)
copy_kernel(const float* __restrict__ x, float* __restrict__ y, long long m, long long n, long long sx, long long sy) {
  const long long row = blockIdx.y * 64ll + threadIdx.x / 16, col = blockIdx.x * 64ll + threadIdx.x % 16 * 4;
  float4 v[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (row + 16 * i < m && col < n) v[i] = *reinterpret_cast<const float4*>(x + (row + 16 * i) * sx + col);
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (row + 16 * i < m && col < n) *reinterpret_cast<float4*>(y + (row + 16 * i) * sy + col) = v[i];
}
)";

GeneratedSource handmade(const std::string& name, std::string text) {
  GeneratedSource source;
  source.name = "/tilejit/bench/" + name + ".cu";
  source.entry = name + "_kernel";
  source.text = std::move(text);
  return source;
}

/// Contiguous tensors, fp32 where the template takes it, else of the first dtype that it lists; optional ones too, or
/// not.
Problem contiguous_problem(const Template& kernel, bool with_optional) {
  Problem problem;
  const auto dtype_of_argument = [&](const ArgumentInfo& argument) {
    const ArgumentInfo* from = &argument;
    for (const ArgumentInfo& other : kernel.info.arguments)
      if (other.name == argument.same_dtype_as) from = &other;
    const std::vector<DType>& taken = from->dtypes;
    const bool any = taken.empty() || std::find(taken.begin(), taken.end(), DType::f32) != taken.end();
    return any ? DType::f32 : taken.front();
  };
  for (const ArgumentInfo& argument : kernel.info.arguments) {
    if (argument.kind == ArgumentInfo::Kind::scalar) {
      problem.scalars.push_back(argument.dtype);
      continue;
    }
    TensorProblem tensor;
    tensor.present = with_optional || !argument.optional;
    tensor.dtype = dtype_of_argument(argument);
    tensor.rank = static_cast<int>(argument.shape.size());
    std::int64_t stride = 1;
    for (std::size_t axis = argument.shape.size(); axis-- > 0;) {
      tensor.shape[axis] = argument.shape[axis].name.empty() ? argument.shape[axis].extent : extent;
      tensor.strides[axis] = stride;
      stride *= tensor.shape[axis];
    }
    problem.tensors.push_back(tensor);
  }
  return problem;
}

/// One kernel to compile, from the generator on.
struct Work {
  std::string name, config;
  std::function<GeneratedSource()> source;
  std::vector<double> times;  // ms, one a round
};

double milliseconds(const Nvrtc& nvrtc, const Target& target, const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  compile(nvrtc, work.source(), target);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

Row compare(const Work& ours, const Work& theirs, double bound) {
  Row row;
  row.work = "compile " + ours.name;
  row.config = ours.config;
  row.peer = theirs.name;
  row.unit = "ms";
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours.times.size(); ++i) ratios.push_back(ours.times[i] / theirs.times[i]);
  row.ours = spread_of(ours.times);
  row.theirs = spread_of(theirs.times);
  row.ratio = spread_of(ratios);
  row.bound = bound;
  row.less_is_better = true;
  row.rounds = static_cast<int>(ours.times.size());
  return row;
}

struct CompileTimeOptions {
  std::vector<std::string> templates, kernels;
  std::string arch = "sm_90a", nvrtc;
  int rounds = 21;
  bool every_config = false, without_optional = false;
};

std::string text_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InvalidArgument("'" + file + "' cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

int measure(const CompileTimeOptions& typed) {
  const Nvrtc nvrtc(typed.nvrtc);
  const Target target = target_of(typed.arch);
  const TemplateLibrary library;
  std::vector<Work> works = {{"an empty kernel", {}, [] { return handmade("empty", empty_kernel); }, {}},
                             {"a copy by hand", {}, [] { return handmade("copy", handwritten_copy); }, {}}};
  for (const std::string& name : typed.templates.empty() ? library.names() : typed.templates) {
    const auto kernel = library.get(name);
    const Problem problem = contiguous_problem(*kernel, !typed.without_optional);
    const std::vector<Config> configs =
        typed.every_config ? candidates(*kernel, problem, target) : std::vector{default_config(kernel->info)};
    for (const Config& config : configs) {
      const Specialization specialization = specialize(*kernel, problem, config, false);
      works.push_back({name, to_string(specialization), [=] { return generate(*kernel, specialization, target); }, {}});
    }
  }
  for (const std::string& file : typed.kernels) {
    GeneratedSource source = handmade(std::filesystem::path(file).stem(), text_of(file));
    works.push_back({file, {}, [source] { return source; }, {}});
  }

  for (const Work& work : works) milliseconds(nvrtc, target, work);  // the first of each pays for what it loads
  for (int round = 0; round < typed.rounds; ++round)
    for (std::size_t turn = 0; turn < works.size(); ++turn) {
      Work& work = works[(turn + static_cast<std::size_t>(round)) % works.size()];
      work.times.push_back(milliseconds(nvrtc, target, work));
    }

  std::vector<Row> rows = {compare(works[1], works[0], 0)};
  for (std::size_t i = 2; i < works.size(); ++i) {
    const bool copy = works[i].name == "copy_2d" && !typed.every_config;
    const double bound = copy ? 2.5 : works[i].name == "matmul_wgmma" ? 12 : 0;
    rows.push_back(compare(works[i], works[0], bound));
    if (copy) rows.push_back(compare(works[i], works[1], 1.4));
  }
  tool::print(fmt::format("NVRTC {}, {}\n\n{}", nvrtc.version(), typed.arch, table_of(rows)));
  bool reached = true;
  for (const Row& row : rows) reached = reached && row.reached();
  return reached ? 0 : 1;
}

}  // namespace
}  // namespace tilejit::bench

int main(int argc, char** argv) {
  using namespace tilejit;
  bench::CompileTimeOptions typed;
  CLI::App app("How long NVRTC takes for the templates, beside an empty kernel and a hand-written copy",
               "tilejit_compile_time");
  app.add_option("TEMPLATES", typed.templates, "Names; none: all");
  app.add_flag("--every-config", typed.every_config, "Each Config that the call may take, not the default one alone");
  app.add_flag("--without-optional", typed.without_optional, "Calls that leave out what may be left out");
  app.add_option("--kernel", typed.kernels,
                 "A .cu of one's own to compile beside them; its kernel: the file's name and _kernel");
  app.add_option("--nvrtc", typed.nvrtc, "A libnvrtc; left out: the one that is found")->envname("TILEJIT_NVRTC");
  app.add_option("--arch", typed.arch, "As NVRTC spells it")->capture_default_str();
  app.add_option("--rounds", typed.rounds, "Interleaved compiles of each")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return bench::measure(typed);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tilejit_compile_time: %s\n", error.what());
    return 1;
  }
}
