#include <dlfcn.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include <tilejit/bench/emulated_row.h>
#include <tilejit/bench/emulated_work.h>
#include <tilejit/generator/nvrtc.h>
#include <tilejit/runtime/device_state.h>
#include <tilejit/runtime/emulator/counters.h>
#include <tilejit/tools/failure.h>
#include <tilejit/tools/output.h>

namespace tilejit::bench {
namespace {

struct BenchOptions {
  std::vector<std::string> names;  ///< parts of those that run; none: all
  std::string json;                ///< empty: beside the program
  std::string library = TILEJIT_EMULATED_LIBRARY, kernels = TILEJIT_BENCH_KERNELS;
  bool all_checks = false;
  int rounds = 7;
};

const EmulatedTable& table_in(const Driver& driver) {
  const auto* table = static_cast<const EmulatedTable*>(dlsym(driver.handle.get(), "tilejit_emulated_counters"));
  if (table == nullptr || table->version != 1) throw Error(driver.library + ": no table of counters known here");
  return *table;
}

/// Of the launching thread, so that others on the machine do not count: with one worker it runs the blocks itself.
double processor_seconds(const std::function<void()>& launch) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
  };
  const double start = now();
  launch();
  return now() - start;
}

double wall_seconds(const std::function<void()>& launch) {
  const auto start = std::chrono::steady_clock::now();
  launch();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

EmulatedRow measure(const EmulatedTable& table, const EmulatedWork& work, int rounds, bool two_cores) {
  EmulatedRow row;
  row.work = work.name;
  row.rounds = rounds;
  table.set("workers", 1);
  table.reset();
  work.launch();
  table.visit(
      [](void* user, const EmulatedKernel* kernel) {
        auto& into = *static_cast<EmulatedRow*>(user);
        into.blocks += kernel->blocks;
        into.threads += kernel->threads;
        for (std::size_t i = 0; i < kernel->instruction_count; ++i)
          into.instructions += kernel->instructions[i].threads;
      },
      &row);
  if (work.verify) work.verify();

  std::vector<double> one, two;
  for (int round = 0; round < rounds; ++round) {
    table.set("workers", 1);
    one.push_back(processor_seconds(work.launch));
    if (!two_cores) continue;
    table.set("workers", 2);
    two.push_back(wall_seconds(work.launch));
  }
  table.set("workers", 1);
  row.one = spread_of(one);
  if (two_cores) row.two = spread_of(two);
  return row;
}

/// "model name" of the first processor, or empty.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(std::min(line.find(':') + 2, line.size()));
  }
  return {};
}

std::string beside_the_program() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return (program.parent_path() / "tilejit_emulated_bench.json").string();
}

int bench(const BenchOptions& typed) {
  Options options;
  options.cache_root = "";
  options.tuning = Tuning::off;
  options.emulator = typed.library;
  const Device device = Device::open(DeviceKind::emulated, 0, options);
  const Jit jit(device, options);
  const EmulatedTable& table = table_in(*device.state()->driver);
  for (const char* check : {"unwritten", "races"}) {
    if (!table.set(check, typed.all_checks ? 1 : 0)) throw Error(fmt::format("the device cannot switch \"{}\"", check));
  }

  EmulatedScene scene;
  scene.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
  scene.processor = processor();
  scene.cores = int(std::thread::hardware_concurrency());
  scene.nvrtc = Nvrtc(Options::resolve().nvrtc.value_or("")).version();
  scene.version = TILEJIT_VERSION;
  scene.checks = typed.all_checks ? "all" : "bounds and alignment";

  std::vector<EmulatedWork> works = template_works(jit);
  for (EmulatedWork& work : kernel_works(device, typed.kernels)) works.push_back(std::move(work));
  std::vector<EmulatedRow> rows;
  for (const EmulatedWork& work : works) {
    const auto named = [&work](const std::string& part) { return work.name.find(part) != std::string::npos; };
    if (!typed.names.empty() && std::ranges::none_of(typed.names, named)) continue;
    rows.push_back(measure(table, work, typed.rounds, scene.cores > 1));
  }
  tool::print(fmt::format("emulated device on {} ({} cores), checks: {}, NVRTC {}, {}\n\n{}", scene.processor,
                          scene.cores, scene.checks, scene.nvrtc, scene.date, table_of(rows)));
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
  CLI::App app(
      "How fast the emulated device runs kernels: thread-instructions a second on a core, bounds and alignment "
      "checked, counters on",
      "tilejit_emulated_bench");
  app.add_option("NAMES", typed.names, "Parts of kernels' names; none: all");
  app.add_option("--json", typed.json, "Where the JSON goes; left out: beside the program")->type_name("FILE");
  app.add_option("--library", typed.library, "The emulated device")->type_name("FILE")->capture_default_str();
  app.add_option("--kernels", typed.kernels, "Where the kernels lie")->type_name("FOLDER")->capture_default_str();
  app.add_flag("--all-checks", typed.all_checks,
               "Look for unwritten memory and races too, not for bounds and alignment alone");
  app.add_option("--rounds", typed.rounds, "Timed launches of each kernel on one core, and on two")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return bench::bench(typed);
  } catch (...) {
    const tool::Failure failure = tool::failure_of(std::current_exception());
    std::fprintf(stderr, "tilejit_emulated_bench: %s\n", failure.message.c_str());
    return failure.status;
  }
}
