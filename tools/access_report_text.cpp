#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <tilejit/tools/access_report.h>
#include <tilejit/tools/output.h>

namespace tilejit::tool {
namespace {

using Json = nlohmann::ordered_json;

double ratio(std::uint64_t above, std::uint64_t below) { return below == 0 ? 0 : double(above) / double(below); }
std::string per_request(std::uint64_t count, const AccessSums& sums) {
  return fmt::format("{:.2f}", ratio(count, sums.requests));
}
std::string percent(std::uint64_t above, std::uint64_t below) {
  return below == 0 ? std::string("-") : fmt::format("{:.1f} %", 100 * ratio(above, below));
}

std::vector<std::string> global_cells(const AccessSums& sums) {
  return {fmt::format("{}", sums.requests),
          fmt::format("{}", sums.sectors),
          per_request(sums.sectors, sums),
          per_request((sums.asked_bytes + 31) / 32, sums),
          fmt::format("{}", sums.asked_bytes),
          fmt::format("{}", 32 * sums.sectors),
          percent(sums.asked_bytes, 32 * sums.sectors)};
}

std::vector<std::string> shared_cells(const AccessSums& sums) {
  return {fmt::format("{}", sums.requests), fmt::format("{}", sums.wavefronts), per_request(sums.wavefronts, sums),
          per_request(sums.ideal_wavefronts, sums), fmt::format("{}", sums.wavefronts - sums.ideal_wavefronts)};
}

const std::vector<std::string> global_head = {"requests",    "sectors",     "a request", "for the width",
                                              "bytes asked", "bytes moved", "efficiency"};
const std::vector<std::string> shared_head = {"requests", "wavefronts", "a request", "ideal", "bank conflicts"};

template <class Rows>
std::string table_of(const char* space, const Rows& rows, const std::vector<std::string>& head, bool per_line) {
  std::vector<std::string> columns = {per_line ? "line" : "instruction", "op"};
  columns.insert(columns.end(), head.begin(), head.end());
  Table table(columns);
  bool any = false;
  for (const auto& row : rows) {
    if (row.space != space) continue;
    any = true;
    std::vector<std::string> cells;
    if constexpr (requires { row.ptx; }) {
      cells = {fmt::format("{} (PTX {})", row.line, row.ptx_line), fmt::format("{} {} B", row.kind, row.bytes)};
    } else {
      cells = {row.line, fmt::format("{} x{}", row.kind, row.sites)};
    }
    for (std::string& cell : std::string_view(space) == "global" ? global_cells(row.sums) : shared_cells(row.sums)) {
      cells.push_back(std::move(cell));
    }
    table.add(std::move(cells));
  }
  return any ? fmt::format("\n{} memory, the worst first\n{}", space, table.text()) : std::string();
}

AccessSums total(const AccessReport& report, std::string_view space, std::string_view kind) {
  AccessSums sums;
  for (const AccessSite& site : report.sites) {
    if (site.space == space && (kind.empty() || site.kind == kind)) sums += site.sums;
  }
  return sums;
}

Json json_of(const AccessSums& sums) {
  return {{"requests", sums.requests},
          {"lanes", sums.lanes},
          {"bytes_asked", sums.asked_bytes},
          {"bytes_distinct", sums.unique_bytes},
          {"sectors", sums.sectors},
          {"sectors_ideal", sums.ideal_sectors},
          {"wavefronts", sums.wavefronts},
          {"wavefronts_ideal", sums.ideal_wavefronts},
          {"bytes_moved", 32 * sums.sectors},
          {"sectors_per_request", ratio(sums.sectors, sums.requests)},
          {"efficiency", ratio(sums.asked_bytes, 32 * sums.sectors)}};
}

}  // namespace

std::string to_text(const AccessReport& report, bool per_line) {
  const AccessSums loads = total(report, "global", "load"), all = total(report, "global", "");
  std::string text =
      fmt::format("{}: {} blocks, {} threads, {} warps\n", report.kernel, report.blocks, report.threads, report.warps);
  if (per_line) {
    const std::vector<LineOfAccess> lines = by_line(report);
    text += table_of("global", lines, global_head, true) + table_of("shared", lines, shared_head, true);
  } else {
    text += table_of("global", report.sites, global_head, false) + table_of("shared", report.sites, shared_head, false);
  }
  text +=
      fmt::format("\ntotal    {} global requests, {} sectors requested, {} bytes asked of {} moved, {}\n", all.requests,
                  all.sectors, all.asked_bytes, 32 * all.sectors, percent(all.asked_bytes, 32 * all.sectors));
  if (report.warps > 0 && loads.requests > 0) {
    text += fmt::format(
        "loads    a warp requests {:.1f} sectors ({}) and touches {:.1f} distinct ones = {:.0f} bytes ({})\n",
        ratio(loads.sectors, report.warps), percent(loads.asked_bytes, 32 * loads.sectors),
        ratio(report.distinct_load_sectors, report.warps), 32 * ratio(report.distinct_load_sectors, report.warps),
        percent(loads.asked_bytes, 32 * report.distinct_load_sectors));
  }
  if (report.flops > 0) {
    text += fmt::format("maths    {} FLOP: {:.3g} a byte asked, {:.3g} a byte moved\n", report.flops,
                        ratio(report.flops, all.asked_bytes), ratio(report.flops, 32 * all.sectors));
  }
  text +=
      "counted on the emulated device: sectors requested of L1, never DRAM bytes; bank conflicts of stores are a "
      "model\n";
  return text;
}

std::string to_json(const AccessReport& report) {
  Json json{{"format", "tilejit.access"}, {"version", 1},          {"kernel", report.kernel}, {"blocks", report.blocks},
            {"threads", report.threads},  {"warps", report.warps}, {"flops", report.flops}};
  json["distinct_load_sectors"] = report.distinct_load_sectors;
  json["distinct_load_bytes"] = report.distinct_load_bytes;
  const AccessSums loads = total(report, "global", "load");
  json["a_warps_loads"] = {{"sectors", ratio(loads.sectors, report.warps)},
                           {"efficiency", ratio(loads.asked_bytes, 32 * loads.sectors)},
                           {"distinct_sectors", ratio(report.distinct_load_sectors, report.warps)},
                           {"distinct_bytes_moved", 32 * ratio(report.distinct_load_sectors, report.warps)},
                           {"distinct_efficiency", ratio(loads.asked_bytes, 32 * report.distinct_load_sectors)}};
  json["instructions"] = Json::array();
  for (const AccessSite& site : report.sites) {
    Json one{{"space", site.space},   {"kind", site.kind},         {"bytes", site.bytes}, {"line", site.line},
             {"source", site.source}, {"ptx_line", site.ptx_line}, {"ptx", site.ptx}};
    one.update(json_of(site.sums));
    json["instructions"].push_back(std::move(one));
  }
  json["lines"] = Json::array();
  for (const LineOfAccess& line : by_line(report)) {
    Json one{{"line", line.line}, {"space", line.space}, {"kind", line.kind}, {"sites", line.sites}};
    one.update(json_of(line.sums));
    json["lines"].push_back(std::move(one));
  }
  json["global_loads"] = json_of(loads);
  json["global_stores"] = json_of(total(report, "global", "store"));
  json["shared"] = json_of(total(report, "shared", ""));
  const AccessSums all = total(report, "global", "");
  json["flop_per_byte_asked"] = ratio(report.flops, all.asked_bytes);
  json["flop_per_byte_moved"] = ratio(report.flops, 32 * all.sectors);
  return json.dump(2) + "\n";
}

}  // namespace tilejit::tool
