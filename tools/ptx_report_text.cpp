#include <fmt/format.h>

#include <algorithm>
#include <map>

#include <tilejit/tools/ptx_report.h>

namespace tilejit::tool {

namespace {

constexpr std::size_t most_maths = 6;

std::string counted(int count, const std::string& one, const std::string& many) {
  return count == 0 ? "no " + many : fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string known(int value, const char* unit = "") { return value < 0 ? "unknown" : fmt::format("{}{}", value, unit); }

std::string at(const InspectPlace& place) {
  if (place.file.empty()) return place.ptx_line > 0 ? fmt::format("PTX line {}", place.ptx_line) : "";
  std::string text = fmt::format("{}:{}", place.file, place.line);
  if (!place.inner_file.empty()) text += fmt::format(" (through {}:{})", place.inner_file, place.inner_line);
  return text;
}

std::string row(const char* title, const std::string& text) { return fmt::format("  {:<11} {}\n", title, text); }

std::string head(const InspectReport& report) {
  const ptx::Facts& facts = report.facts;
  std::string text = fmt::format("{}  {}  ", report.entry, report.arch);
  text += facts.threads > 0 ? fmt::format("{} threads a block (launch bound)", facts.threads)
                            : std::string("no launch bound");
  text += fmt::format("  PTX {} for {}, {} instructions", report.ptx_version, report.target, facts.instructions);
  return text + (report.compiler.empty() ? "" : " (" + report.compiler + ")") + "\n";
}

std::string resources(const InspectReport& report) {
  const Resources& used = report.resources;
  std::string text = row("registers", used.registers < 0 ? "unknown: PTX alone, no arch has compiled it"
                                                         : std::to_string(used.registers) + " a thread");
  std::string shared = fmt::format("{} B static", report.static_shared);
  if (report.scratch > 0) shared += fmt::format(", {} B scratch", report.scratch);
  text += row("shared", shared + (used.shared < 0 ? " (as declared)" : ""));
  if (used.stack >= 0 || used.spill_stores >= 0 || used.spill_loads >= 0)
    text += row("stack", fmt::format("{} a thread; spills {} stored, {} loaded", known(used.stack, " B"),
                                     known(used.spill_stores, " B"), known(used.spill_loads, " B")));
  return text;
}

std::string occupancy(const InspectReport& report) {
  if (!report.occupancy) return {};
  const Occupancy& o = *report.occupancy;
  std::string text = fmt::format("{} blocks = {}/{} warps a multiprocessor ({:.0f} %), limited by {}", o.blocks,
                                 o.warps, o.most_warps, 100.0 * o.warps / o.most_warps, o.limit);
  if (o.registers_for_one_more > 0)
    text += fmt::format("; {} registers would give {}", o.registers_for_one_more, o.blocks + 1);
  if (o.shared_for_one_more > 0)
    text += fmt::format("; {} B of shared memory would give {}", o.shared_for_one_more, o.blocks + 1);
  return row("occupancy", text);
}

/// "global ld   20 sites: 4 x 32-bit, 16 x 128-bit (4 read-only); narrowest first at copy.cuh:9"
std::string accesses(const InspectReport& report, std::string_view space, bool store) {
  int sites = 0;
  int read_only = 0;
  int async = 0;
  std::map<int, int> widths;
  const InspectAccess* narrowest = nullptr;
  for (const InspectAccess& access : report.accesses) {
    const ptx::AccessCount& count = access.count;
    if (count.space != space || count.store != store) continue;
    sites += count.sites;
    read_only += count.read_only ? count.sites : 0;
    async += count.async ? count.sites : 0;
    widths[count.bytes] += count.sites;
    if (narrowest == nullptr || count.bytes < narrowest->count.bytes) narrowest = &access;
  }
  if (narrowest == nullptr) return {};
  std::string text;
  for (const auto& [bytes, number] : widths)
    text += (text.empty() ? "" : ", ") +
            (bytes > 0 ? fmt::format("{} x {}-bit", number, bytes * 8) : fmt::format("{} of unknown width", number));
  if (read_only > 0 && async > 0)
    text += fmt::format(" ({} read-only, {} asynchronous)", read_only, async);
  else if (read_only + async > 0)
    text += fmt::format(" ({} {})", read_only + async, async > 0 ? "asynchronous" : "read-only");
  if (narrowest->count.bytes < 16 && !at(narrowest->place).empty())
    text += fmt::format("; first {}-bit one at {}", narrowest->count.bytes * 8, at(narrowest->place));
  const std::string title = std::string(space) + (store ? " st" : " ld");
  return row(title.c_str(), fmt::format("{}: {}", counted(sites, "site", "sites"), text));
}

bool is_float(std::string_view type) {
  return type == "f16" || type == "f16x2" || type == "bf16" || type == "bf16x2" || type == "f32" || type == "f32x2" ||
         type == "f64";
}

/// "1024 fma.f32, 64 ex2.f32": floating-point work, the most frequent first.
std::string maths(const ptx::Facts& facts) {
  std::map<std::string, int> counts;
  for (const auto& [opcode, count] : facts.opcodes) {
    const std::string base = opcode.substr(0, opcode.find('.'));
    const std::size_t dot = opcode.rfind('.');
    const std::string type = dot == std::string::npos ? "" : opcode.substr(dot + 1);
    for (const char* kind : {"fma", "add", "sub", "mul", "mad", "div", "rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin",
                             "cos", "tanh", "max", "min", "abs", "neg"})
      if (base == kind && is_float(type)) counts[base + "." + type] += count;
  }
  std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t i = 0; i < sorted.size() && i < most_maths; ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", sorted[i].second, sorted[i].first);
  if (sorted.size() > most_maths) text += ", ...";
  return text.empty() ? "no floating-point arithmetic" : text;
}

/// "8 mma.m16n8k16.f32.bf16.bf16.f32": the shape and the types, without what every one of them says.
std::string tensor_cores(const ptx::Facts& facts) {
  std::string text;
  for (const auto& [opcode, count] : facts.opcodes) {
    const bool multiplies = opcode.starts_with("mma.") || opcode.starts_with("wmma.mma.") ||
                            opcode.starts_with("wgmma.mma_async.") || opcode.starts_with("tcgen05.mma.");
    if (!multiplies) continue;
    std::string name = opcode;
    for (const std::string part : {".sync", ".aligned", ".row", ".col"}) {
      const std::size_t found = name.find(part);
      if (found != std::string::npos) name.erase(found, part.size());
    }
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  }
  if (facts.matrix_loads > 0) text += fmt::format("{}{} ldmatrix", text.empty() ? "" : ", ", facts.matrix_loads);
  if (facts.matrix_stores > 0) text += fmt::format("{}{} stmatrix", text.empty() ? "" : ", ", facts.matrix_stores);
  return text.empty() ? "not used" : text;
}

std::string async(const ptx::Facts& facts) {
  if (facts.async_copy + facts.tma + facts.mbarriers == 0) return "not used";
  return fmt::format("{} cp.async, {} bulk or tensor copies (TMA), {} mbarrier operations", facts.async_copy, facts.tma,
                     facts.mbarriers);
}

std::string control(const ptx::Facts& facts) {
  return fmt::format("{}, {}, {}, {}, {}, {}", counted(facts.barriers, "barrier", "barriers"),
                     counted(facts.branches, "branch", "branches"), counted(facts.calls, "call", "calls"),
                     counted(facts.shuffles, "shuffle or vote", "shuffles or votes"),
                     counted(facts.fences, "fence", "fences"), counted(facts.atomics, "atomic", "atomics"));
}

}  // namespace

std::string to_text(const InspectReport& report) {
  std::string text = head(report) + resources(report) + occupancy(report);
  for (const char* space : {"global", "shared", "local", "const", "generic"})
    for (const bool store : {false, true}) text += accesses(report, space, store);
  text += row("maths", maths(report.facts));
  text += row("tensor", tensor_cores(report.facts));
  text += row("async", async(report.facts));
  text += row("control", control(report.facts));
  for (const InspectNote& note : report.notes)
    text += row("note", (at(note.place).empty() ? "" : at(note.place) + ": ") + note.text);
  return text;
}

}  // namespace tilejit::tool
