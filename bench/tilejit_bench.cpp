#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <optional>

#include <tilejit/bench/works.h>
#include <tilejit/generator/error.h>
#include <tilejit/generator/nvrtc.h>
#include <tilejit/tools/failure.h>
#include <tilejit/tools/output.h>

namespace tilejit::bench {
namespace {

struct BenchOptions {
  std::vector<std::string> sections;
  std::string only;
  std::vector<std::string> rows;
  std::string cache;  ///< empty: tuned anew, on this device and now
  std::string json;   ///< empty: beside the program
  bool defaults = false;
  std::int64_t edge = 16384;
  double replay_below = 20;
  int launch_rounds = 200, copy_rounds = 21, bandwidth_rounds = 15, matmul_rounds = 11;
};

std::optional<Device> open_gpu() {
  try {
    return Device::open(DeviceKind::gpu);
  } catch (const NoDevice& error) {
    tool::print(fmt::format("Nothing measured: {}\n", error.what()));
    return std::nullopt;
  }
}

std::string beside_the_program() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return (program.parent_path() / "tilejit_bench.json").string();
}

int bench(const BenchOptions& typed) {
  if (typed.defaults && std::find(typed.sections.begin(), typed.sections.end(), "matmul") == typed.sections.end())
    throw InvalidArgument("--defaults is of the section matmul, which is not named");
  const std::optional<Device> device = open_gpu();
  if (!device) return tool::fine;
  Options options;
  options.cache_root = typed.cache;
  options.tuning = Tuning::first_run;
  const Jit jit(*device, options);

  const auto asked = [&](const char* section) {
    return typed.sections.empty() ||
           std::find(typed.sections.begin(), typed.sections.end(), section) != typed.sections.end();
  };
  std::vector<Row> rows;
  const auto add = [&rows](std::vector<Row> more) { rows.insert(rows.end(), more.begin(), more.end()); };
  if (asked("launch")) add(launch_rows(jit, typed.launch_rounds));
  if (asked("copy")) add(copy_rows(jit, typed.edge, typed.copy_rounds));
  if (!typed.sections.empty() && asked("bandwidth"))
    add(bandwidth_rows(jit, {typed.bandwidth_rounds, typed.only, typed.rows, typed.replay_below}));
  if (!typed.sections.empty() && asked("matmul"))
    add((typed.defaults ? matmul_default_rows : matmul_rows)(jit, typed.matmul_rounds, typed.only));

  Scene scene;
  scene.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
  scene.device = device->name();
  scene.arch = device->target().arch;
  scene.driver = fmt::format("{}.{}", device->driver_version() / 1000, device->driver_version() % 1000 / 10);
  scene.nvrtc = Nvrtc(Options::resolve().nvrtc.value_or("")).version();
  scene.version = TILEJIT_VERSION;
  tool::print(fmt::format("{}, {}, driver for CUDA {}, NVRTC {}, {}\n\n{}", scene.device, scene.arch, scene.driver,
                          scene.nvrtc, scene.date, table_of(rows)));
  const std::string file = typed.json.empty() ? beside_the_program() : typed.json;
  tool::write_file(file, json_of(scene, rows));
  tool::print(fmt::format("\nwrote {}\n", file));
  return tool::fine;
}

}  // namespace
}  // namespace tilejit::bench

int main(int argc, char** argv) {
  using namespace tilejit;
  bench::BenchOptions typed;
  CLI::App app("What TileJIT costs and reaches on this machine's GPU, beside the driver's own calls", "tilejit_bench");
  app.add_option("SECTIONS", typed.sections, "launch, copy, bandwidth, matmul; none: the first two")
      ->check(CLI::IsMember({"launch", "copy", "bandwidth", "matmul"}));
  app.add_option("--only", typed.only, "Of bandwidth and matmul: rows whose name holds this")->type_name("TEXT");
  app.add_option("--row", typed.rows, "Of bandwidth: the row of exactly this name; as often as wanted")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option("--cache", typed.cache, "Where kernels and tuning are kept; left out: nothing is, all is tuned anew")
      ->type_name("FOLDER");
  app.add_option("--matmul-rounds", typed.matmul_rounds, "Timed runs of each matmul row")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  app.add_flag("--defaults", typed.defaults,
               "Of matmul: the Config that runs untuned beside the tuned one, instead of beside cuBLAS");
  app.add_option("--bandwidth-rounds", typed.bandwidth_rounds, "Timed runs of each bandwidth row")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  app.add_option("--replay-below", typed.replay_below,
                 "Microseconds; shorter row ops and sums are timed by replaying a graph of them over rotating buffers")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--json", typed.json, "Where the JSON goes; left out: beside the program")->type_name("FILE");
  app.add_option("--edge", typed.edge, "Rows and columns of the copied matrix")
      ->check(CLI::Range(1, 46340))
      ->capture_default_str();
  app.add_option("--launch-rounds", typed.launch_rounds, "Bursts of 256 launches")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  app.add_option("--copy-rounds", typed.copy_rounds, "Timed copies of each kind")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return bench::bench(typed);
  } catch (...) {
    const tool::Failure failure = tool::failure_of(std::current_exception());
    std::fprintf(stderr, "tilejit_bench: %s\n", failure.message.c_str());
    return failure.status;
  }
}
