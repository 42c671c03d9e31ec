#include <tilejit/tools/access_report.h>

#include <dlfcn.h>

#include <algorithm>
#include <map>
#include <tuple>

#include <tilejit/runtime/emulator/counters.h>

namespace tilejit::tool {
namespace {

const EmulatedTable& table_of(const Driver& driver) {
  const auto* table = static_cast<const EmulatedTable*>(dlsym(driver.handle.get(), "tilejit_emulated_counters"));
  if (table == nullptr || table->version != 1)
    throw Error(driver.library + ": no table of counters that this program knows");
  return *table;
}

/// "block/access.cuh:12, inlined at copy_2d.cuh:31" -> the part that names the template's file.
std::string own_line(const std::string& source, const std::string& template_file) {
  const std::string file = template_file.substr(template_file.rfind('/') + 1) + ":";
  const std::size_t at = source.rfind(file);
  if (at != std::string::npos) return source.substr(at, source.find_first_of(", ", at) - at);
  const std::string innermost = source.substr(0, source.find(','));
  return innermost.substr(innermost.rfind('/') + 1);
}

struct Wanted {
  const std::string& kernel;
  const std::string& template_file;
  AccessReport report;
  bool found = false;
};

AccessSite site_of(const EmulatedInstruction& instruction, const std::string& template_file) {
  AccessSite site{.space = instruction.space,
                  .kind = instruction.kind,
                  .bytes = instruction.bytes,
                  .source = instruction.source,
                  .line = own_line(instruction.source, template_file),
                  .ptx = instruction.ptx,
                  .ptx_line = instruction.ptx_line,
                  .sums = {.requests = instruction.requests,
                           .lanes = instruction.lanes,
                           .asked_bytes = instruction.lanes * std::uint64_t(instruction.bytes),
                           .unique_bytes = instruction.unique_bytes,
                           .sectors = instruction.sectors,
                           .ideal_sectors = instruction.ideal_sectors,
                           .wavefronts = instruction.wavefronts,
                           .ideal_wavefronts = instruction.ideal_wavefronts}};
  return site;
}

void take(void* user, const EmulatedKernel* kernel) {
  auto& wanted = *static_cast<Wanted*>(user);
  if (wanted.kernel != kernel->name) return;
  wanted.found = true;
  AccessReport& report = wanted.report;
  report.kernel = kernel->name;
  report.launches = kernel->launches;
  report.blocks = kernel->blocks;
  report.threads = kernel->threads;
  report.warps = kernel->warps;
  report.distinct_load_sectors = kernel->distinct_load_sectors;
  report.distinct_load_bytes = kernel->distinct_load_bytes;
  for (std::size_t i = 0; i < kernel->instruction_count; ++i) {
    const EmulatedInstruction& instruction = kernel->instructions[i];
    report.flops += std::uint64_t(instruction.flops) * instruction.threads;
    const std::string_view space = instruction.space;
    if (instruction.requests == 0 || (space != "global" && space != "shared")) continue;
    report.sites.push_back(site_of(instruction, wanted.template_file));
  }
}

}  // namespace

AccessSums& AccessSums::operator+=(const AccessSums& other) {
  requests += other.requests;
  lanes += other.lanes;
  asked_bytes += other.asked_bytes;
  unique_bytes += other.unique_bytes;
  sectors += other.sectors;
  ideal_sectors += other.ideal_sectors;
  wavefronts += other.wavefronts;
  ideal_wavefronts += other.ideal_wavefronts;
  return *this;
}

void start_counting(const Driver& driver) {
  const EmulatedTable& table = table_of(driver);
  if (!table.set("distinct", 1)) throw Error(driver.library + ": its counters do not know \"distinct\"");
  table.reset();
}

AccessReport access_report(const Driver& driver, const std::string& kernel, const std::string& template_file) {
  Wanted wanted{kernel, template_file, {}, false};
  table_of(driver).visit(take, &wanted);
  if (!wanted.found) throw Error(kernel + " did not run: there is nothing to count");
  std::ranges::stable_sort(wanted.report.sites, [](const AccessSite& a, const AccessSite& b) {
    return std::tuple(a.sums.excess(), a.sums.sectors + a.sums.wavefronts) >
           std::tuple(b.sums.excess(), b.sums.sectors + b.sums.wavefronts);
  });
  return std::move(wanted.report);
}

std::vector<LineOfAccess> by_line(const AccessReport& report) {
  std::map<std::tuple<std::string, std::string, std::string>, LineOfAccess> lines;
  for (const AccessSite& site : report.sites) {
    LineOfAccess& line = lines[{site.line, site.space, site.kind}];
    line.line = site.line;
    line.space = site.space;
    line.kind = site.kind;
    ++line.sites;
    line.sums += site.sums;
  }
  std::vector<LineOfAccess> sorted;
  for (auto& [key, line] : lines) sorted.push_back(std::move(line));
  std::ranges::stable_sort(sorted, [](const LineOfAccess& a, const LineOfAccess& b) {
    return std::tuple(a.sums.excess(), a.sums.sectors + a.sums.wavefronts) >
           std::tuple(b.sums.excess(), b.sums.sectors + b.sums.wavefronts);
  });
  return sorted;
}

}  // namespace tilejit::tool
