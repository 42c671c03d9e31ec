#include <tilejit/generator/compiler.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include <tilejit/generator/arch.h>
#include <tilejit/generator/closed_source.h>
#include <tilejit/generator/diagnostics.h>
#include <tilejit/generator/error.h>
#include <tilejit/generator/nvrtc_program.h>

namespace tilejit {
namespace {

std::string arch_option(const Target& target) {
  const std::optional<Arch> arch = Arch::parse(target.arch);
  if (!arch) return target.arch;
  return arch->name(target.ptx_only ? "compute_" : "sm_");
}

[[noreturn]] void refuse_arch(const Target& target, const Nvrtc& nvrtc) {
  std::string known;
  for (const int number : nvrtc.archs()) known += (known.empty() ? "sm_" : ", sm_") + std::to_string(number);
  throw ToolchainError("NVRTC " + nvrtc.version() + " does not know the arch " + arch_option(target) + ". It knows " +
                       known + ", from sm_90 on also with the suffix a (from sm_100 on f), and each as compute_");
}

/// The target that NVRTC can serve: the one asked for, or PTX of a lower arch where that is allowed.
Target known_to(const Nvrtc& nvrtc, const Target& target) {
  const std::vector<int> archs = nvrtc.archs();
  const std::optional<Arch> asked = Arch::parse(target.arch);
  if (!asked) refuse_arch(target, nvrtc);
  if (std::find(archs.begin(), archs.end(), asked->number) != archs.end()) return target;
  int below = 0;
  for (const int number : archs)
    if (number < asked->number) below = std::max(below, number);
  if (!target.ptx_if_newer || below == 0) refuse_arch(target, nvrtc);
  Target lower = target;
  lower.arch = Arch{below, 0, true}.name("sm_");
  lower.ptx_only = true;
  return lower;
}

/// From 12.9 on NVRTC keeps results of its own on the disk, and then leaves out what ptxas says.
bool has_cache_of_its_own(const NvrtcTable& table) {
  int major = 0, minor = 0;
  return table.version(&major, &minor) == nvrtc_result::success && std::pair(major, minor) >= std::pair(12, 9);
}

bool is_about_the_arch(std::string_view log) {
  return log.find("invalid value for --gpu-architecture") != std::string_view::npos ||
         log.find("specified with --nv_arch") != std::string_view::npos;
}

[[noreturn]] void fail(int result, const NvrtcProgram& program, const Nvrtc& nvrtc, const GeneratedSource& source,
                       const Target& target) {
  const std::string log = program.log();
  if (is_about_the_arch(log)) refuse_arch(target, nvrtc);
  if (result == nvrtc_result::builtin_operation) {
    const std::string folder = std::filesystem::path(nvrtc.file().path).parent_path();
    throw ToolchainError("NVRTC cannot open libnvrtc-builtins.so." + nvrtc.version() + ", which belongs beside '" +
                         nvrtc.file().path + "' in '" + folder + "'\n" + log);
  }
  std::string first = first_error(log, source, program.ptx_if_any());
  if (first.empty()) {
    const char* text = nvrtc.table().error_string(result);
    first = source.name + ": error: " + (text != nullptr ? text : "NVRTC gives no reason");
  }
  throw CompileError(first + "\n" + log, log, source.text);
}

void require_entry(const ObjectCode& object) {
  const bool has_code = object.arch.starts_with("compute_") || object.cubin.starts_with(
                                                                   "\x7f"
                                                                   "ELF");
  if (!has_code || object.ptx.find(object.entry) == std::string::npos)
    throw ToolchainError("NVRTC gave no code for '" + object.entry + "' though it reported success");
}

}  // namespace

std::vector<std::string> nvrtc_options(const GeneratedSource& source, const Target& target) {
  std::vector<std::string> options = {"--gpu-architecture=" + arch_option(target),
                                      "--std=c++20",
                                      "--no-source-include",
                                      "--fmad=false",
                                      "--minimal",
                                      "-lineinfo"};
  if (!target.ptx_only) options.emplace_back("--ptxas-options=-v");
  options.insert(options.end(), source.options.begin(), source.options.end());
  return options;
}

ObjectCode compile(const Nvrtc& nvrtc, const GeneratedSource& source, const Target& asked) {
  const NvrtcTable& table = nvrtc.table();
  const Target target = known_to(nvrtc, asked);
  if (const auto opening = opening_in(source)) throw CompileError(*opening, *opening, source.text);
  std::vector<std::string> options = nvrtc_options(source, target);
  if (has_cache_of_its_own(table)) options.emplace_back("--no-cache");

  NvrtcProgram program(table, source);
  nvrtc.count_compile();
  const int result = program.compile(options);
  if (result != nvrtc_result::success) fail(result, program, nvrtc, source, target);

  ObjectCode object;
  object.entry = source.entry;
  object.arch = arch_option(target);
  object.ptx = program.ptx();
  if (!target.ptx_only) object.cubin = program.cubin();
  object.source = source.text;
  object.log = program.log();
  object.resources = resources_in(object.log, source.entry);
  object.scratch = scratch_in(object.ptx);
  object.parameters = source.parameters;
  object.threads = source.threads;
  require_entry(object);
  return object;
}

}  // namespace tilejit
