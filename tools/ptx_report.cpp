#include <tilejit/tools/ptx_report.h>

#include <fmt/format.h>

#include <algorithm>

#include <tilejit/generator/error.h>
#include <tilejit/generator/ptx/module.h>

namespace tilejit::tool {

namespace {

constexpr std::size_t most_split_notes = 8;
constexpr std::string_view own_root = "/tilejit/";
constexpr std::string_view generated = "/tilejit/generated/";

/// "NVVM 20.0.0" of the comment that NVVM heads its PTX with.
std::string compiler_of(const std::string& text) {
  constexpr std::string_view mark = "// Based on ";
  const std::size_t at = text.find(mark);
  const std::size_t code = text.find(".version");
  if (at == std::string::npos || at > code) return {};
  const std::size_t start = at + mark.size();
  return text.substr(start, std::min(text.find_first_of("\r\n", start), start + 40) - start);
}

std::string file_of(const ptx::Module& module, int number) {
  const auto found = module.files.find(number);
  const std::string name = found == module.files.end() ? fmt::format("file {}", number) : found->second;
  return name.starts_with(own_root) && !name.starts_with(generated) ? name.substr(own_root.size()) : name;
}

/// The outermost line that is not of the generated entry: the template's own; and the instruction's, where it differs.
InspectPlace place_of(const ptx::Module& module, const ptx::Function& function, int line, int location) {
  InspectPlace place;
  place.ptx_line = line;
  for (int at = location; at >= 0; at = function.locations[static_cast<std::size_t>(at)].inlined_at) {
    const ptx::SourceLocation& source = function.locations[static_cast<std::size_t>(at)];
    const std::string file = file_of(module, source.file);
    if (at != location && file.starts_with(generated)) continue;
    place.file = file;
    place.line = source.line;
    if (at == location) {
      place.inner_file = file;
      place.inner_line = source.line;
    }
  }
  if (place.inner_file == place.file && place.inner_line == place.line) {
    place.inner_file.clear();
    place.inner_line = 0;
  }
  return place;
}

std::string counted(int count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string offsets_of(const ptx::SplitAccess& split) {
  std::string text;
  for (std::size_t i = 0; i < split.offsets.size() && i < 8; ++i)
    text += fmt::format("{}{:+}", i == 0 ? "" : ", ", split.offsets[i]);
  return text + (split.offsets.size() > 8 ? ", ..." : "");
}

/// What the pieces could be at best: "one 128-bit access", "2 128-bit accesses".
std::string wider(const ptx::SplitAccess& split) {
  std::size_t pieces = 1;
  while (pieces * 2 <= split.offsets.size() && pieces * 2 * static_cast<std::size_t>(split.bytes) <= 16) pieces *= 2;
  const std::size_t bits = pieces * static_cast<std::size_t>(split.bytes) * 8;
  const std::size_t count = split.offsets.size() / pieces;
  return fmt::format("{} {}-bit access{} if the address is {}-byte aligned", count == 1 ? "one" : std::to_string(count),
                     bits, count == 1 ? "" : "es", bits / 8);
}

class Notes {
 public:
  Notes(const ptx::Module& module, const ptx::Function& function, const InspectReport& report)
      : module_(module), function_(function), report_(report), facts_(report.facts) {}

  std::vector<InspectNote> write() {
    resources();
    memory();
    split();
    unknown();
    return std::move(notes_);
  }

 private:
  void add(std::string text, int line = 0, int location = -1) {
    notes_.push_back({std::move(text), place_of(module_, function_, line, location)});
  }

  void resources() {
    const Resources& used = report_.resources;
    if (used.spill_stores > 0 || used.spill_loads > 0)
      add(
          fmt::format("registers spill: {} bytes stored and {} loaded a thread; fewer values a thread or fewer warps a "
                      "block would keep them in registers",
                      std::max(used.spill_stores, 0), std::max(used.spill_loads, 0)));
    if (report_.occupancy && report_.occupancy->blocks == 0)
      add(fmt::format("cannot be launched on {}: one block needs more {} than there are", report_.arch,
                      report_.occupancy->limit));
  }

  void memory() {
    if (facts_.local_accesses > 0)
      add(fmt::format(
              "local memory: {}, {} bytes a thread declared; an array indexed by a variable, or one whose address "
              "is taken",
              counted(facts_.local_accesses, "access", "accesses"), facts_.local_bytes),
          facts_.first_local, facts_.first_local_at);
    const int generic = sites("generic");
    if (generic > 0)
      add(counted(generic, "access", "accesses") + " through pointers whose memory is not known when compiling",
          facts_.first_generic, facts_.first_generic_at);
  }

  int sites(std::string_view space) const {
    int result = 0;
    for (const ptx::AccessCount& access : facts_.accesses) result += access.space == space ? access.sites : 0;
    return result;
  }

  void split() {
    for (std::size_t i = 0; i < facts_.split.size() && i < most_split_notes; ++i) {
      const ptx::SplitAccess& split = facts_.split[i];
      add(fmt::format("{} {}-bit {} {} side by side at {}: {}", split.offsets.size(), split.bytes * 8, split.space,
                      split.store ? "stores" : "loads", offsets_of(split), wider(split)),
          split.line, split.location);
    }
    if (facts_.split.size() > most_split_notes)
      add(fmt::format("{} more groups of accesses side by side", facts_.split.size() - most_split_notes));
  }

  void unknown() {
    if (facts_.unknown == 0) return;
    std::string names;
    for (const auto& [name, count] : facts_.unknowns) {
      if (names.size() > 200) {
        names += ", ...";
        break;
      }
      names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", name, count);
    }
    add(counted(facts_.unknown, "instruction", "instructions") + " that this version does not know: " + names);
  }

  const ptx::Module& module_;
  const ptx::Function& function_;
  const InspectReport& report_;
  const ptx::Facts& facts_;
  std::vector<InspectNote> notes_;
};

std::string names_of(const std::vector<const ptx::Function*>& entries) {
  std::string result;
  for (const ptx::Function* entry : entries) result += (result.empty() ? "" : ", ") + std::string(entry->name);
  return result;
}

std::vector<const ptx::Function*> entries_of(const ptx::Module& module) {
  std::vector<const ptx::Function*> result;
  for (const ptx::Function& function : module.functions)
    if (function.entry && !function.declaration) result.push_back(&function);
  if (result.empty()) throw InvalidArgument("the PTX holds no kernel (.entry)");
  return result;
}

const ptx::Function& choose(const ptx::Module& module, const std::string& name) {
  const std::vector<const ptx::Function*> entries = entries_of(module);
  if (name.empty()) {
    if (entries.size() > 1) throw InvalidArgument("the PTX holds several kernels, name one: " + names_of(entries));
    return *entries.front();
  }
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const auto* entry) { return entry->name == name; });
  if (found == entries.end()) throw InvalidArgument("no kernel " + name + " in the PTX; it holds " + names_of(entries));
  return **found;
}

InspectReport report_on(const ptx::Module& module, const ptx::Function& function, const Resources* resources,
                        const std::string& arch) {
  InspectReport report;
  report.entry = function.name;
  report.target = module.target;
  report.arch = arch.empty() ? report.target : arch;
  report.ptx_version = fmt::format("{}.{}", module.version_major, module.version_minor);
  report.compiler = compiler_of(module.text);
  report.facts = facts_of(module, function);
  if (resources != nullptr) report.resources = *resources;
  report.static_shared = report.resources.shared >= 0 ? report.resources.shared : report.facts.shared_bytes;
  report.scratch = report.facts.scratch_bytes;
  for (const ptx::AccessCount& count : report.facts.accesses)
    report.accesses.push_back({count, place_of(module, function, count.line, count.location)});
  const std::optional<Multiprocessor> multiprocessor = multiprocessor_of(report.arch);
  if (multiprocessor && report.resources.registers >= 0 && report.facts.threads > 0) {
    std::int64_t shared = 0;
    if (__builtin_add_overflow(report.static_shared, std::max<std::int64_t>(report.scratch, 0), &shared))
      shared = INT64_MAX;
    report.occupancy = occupancy_of(*multiprocessor, report.resources.registers, report.facts.threads, shared);
  }
  report.notes = Notes(module, function, report).write();
  return report;
}

}  // namespace

InspectReport report_of(const std::string& ptx, const std::string& entry, const Resources* resources,
                        const std::string& arch) {
  const auto module = ptx::read(ptx);
  return report_on(*module, choose(*module, entry), resources, arch);
}

bool uses_tensor_cores(const ObjectCode& object) { return report_of(object.ptx, object.entry).facts.tensor_core > 0; }

std::vector<InspectReport> reports_of(const std::string& ptx) {
  const auto module = ptx::read(ptx);
  std::vector<InspectReport> result;
  for (const ptx::Function* entry : entries_of(*module)) result.push_back(report_on(*module, *entry, nullptr, {}));
  return result;
}

}  // namespace tilejit::tool
