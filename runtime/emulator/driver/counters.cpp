#include <tilejit/runtime/emulator/counters.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <tilejit/runtime/emulator/driver/device.h>
#include <tilejit/runtime/emulator/report/places.h>

namespace tilejit::emulator {
namespace {

/// The strings behind the table's pointers.
struct Texts {
  std::vector<std::string> ptx, opcode, source, file;
};

void describe(const Program& program, std::size_t index, const LaunchCounts& counts, Texts& texts,
              EmulatedInstruction& out) {
  const Site& site = program.sites[index];
  const ptx::Instruction& in = *site.instruction;
  texts.ptx[index] = line_of(*program.module, in.line);
  texts.opcode[index] = std::string(in.opcode);
  texts.source[index] = describe_source(program, static_cast<std::uint32_t>(index));
  out.ptx = texts.ptx[index].c_str();
  out.ptx_line = in.line;
  out.opcode = texts.opcode[index].c_str();
  out.source = texts.source[index].c_str();
  if (in.location >= 0) {
    const ptx::SourceLocation& at = site.function->locations[static_cast<std::size_t>(in.location)];
    const auto found = program.module->files.find(at.file);
    if (found != program.module->files.end()) texts.file[index] = found->second;
    out.line = at.line;
  }
  out.file = texts.file[index].c_str();
  const bool accesses = site.space != Space::none;
  out.space = accesses ? name_of(site.space) : "";
  out.kind = !accesses ? "" : site.atomic ? "atomic" : site.copy ? "copy" : site.store ? "store" : "load";
  out.bytes = site.bytes;
  out.flops = site.flops;
  out.warps = counts.executions[index].warps;
  out.threads = counts.executions[index].threads;
  const AccessCounts& a = counts.accesses[index];
  out.requests = a.requests, out.lanes = a.lanes;
  out.sectors = a.sectors, out.ideal_sectors = a.ideal_sectors, out.unique_bytes = a.unique_bytes;
  out.wavefronts = a.wavefronts, out.ideal_wavefronts = a.ideal_wavefronts;
}

void visit(void (*visitor)(void*, const EmulatedKernel*), void* user) {
  Device* d = device();
  if (d == nullptr || visitor == nullptr) return;
  const std::lock_guard lock(d->launching);
  for (const auto& [program, counts] : d->counts) {
    const std::size_t count = program->sites.size();
    Texts texts{std::vector<std::string>(count), std::vector<std::string>(count), std::vector<std::string>(count),
                std::vector<std::string>(count)};
    std::vector<EmulatedInstruction> all;
    all.reserve(count);
    for (std::size_t k = 0; k < count; ++k) {
      if (program->sites[k].instruction == nullptr) continue;
      all.push_back(EmulatedInstruction{});
      describe(*program, k, counts, texts, all.back());
    }
    const EmulatedKernel kernel{program->name.c_str(),
                                counts.launches,
                                counts.blocks,
                                counts.threads,
                                counts.warps,
                                counts.distinct_load_sectors,
                                counts.distinct_load_bytes,
                                all.data(),
                                all.size()};
    visitor(user, &kernel);
  }
}

void reset() {
  Device* d = device();
  if (d == nullptr) return;
  const std::lock_guard launching(d->launching);
  const std::lock_guard lock(d->mutex);
  d->counts.clear();
  d->last_report.clear();
}

std::size_t report(char* buffer, std::size_t size) {
  Device* d = device();
  std::string text;
  if (d == nullptr) {
    text = read_settings().problem;  // why it is not there
  } else {
    const std::lock_guard lock(d->mutex);
    text = d->last_report;
  }
  if (buffer != nullptr && size > 0) {
    const std::size_t bytes = std::min(size - 1, text.size());
    std::memcpy(buffer, text.data(), bytes);
    buffer[bytes] = 0;
  }
  return text.size();
}

bool set(const char* option, std::uint64_t value) {
  Device* d = device();
  if (d == nullptr || option == nullptr) return false;
  const std::lock_guard lock(d->launching);
  const std::string_view name(option);
  Schedule& s = d->schedule;
  if (name == "shuffle") return s.shuffle = value, true;
  if (name == "workers" && value <= 1024) {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    return s.workers = value == 0 ? static_cast<int>(cores) : static_cast<int>(value), true;
  }
  if (value > 1) return false;
  if (name == "deterministic") return s.deterministic = value != 0, true;
  if (name == "unwritten") return s.check_unwritten = value != 0, d->memory.track(value != 0);
  if (name == "races") return s.check_races = value != 0, true;
  if (name == "distinct") return s.distinct = value != 0, true;
  if (name == "plain_mma") return s.plain_mma = value != 0, true;
  return false;
}

}  // namespace
}  // namespace tilejit::emulator

extern "C" [[gnu::visibility("default")]] const EmulatedTable tilejit_emulated_counters = {
    1, tilejit::emulator::visit, tilejit::emulator::reset, tilejit::emulator::report, tilejit::emulator::set};
