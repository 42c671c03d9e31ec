#include <tilejit/bench/row.h>

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include <tilejit/tools/output.h>

namespace tilejit::bench {

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  const double median = values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {median, values.front(), values.back()};
}

bool Row::reached() const {
  if (bound == 0) return true;
  return less_is_better ? ratio.median <= bound : ratio.median >= bound;
}

std::string table_of(const std::vector<Row>& rows) {
  tool::Table table({"work", "ours", "peer", "", "ratio", "range", "asked", ""});
  for (const Row& row : rows) {
    const std::string asked =
        row.bound == 0 ? "" : fmt::format("{} {:.2f}", row.less_is_better ? "at most" : "at least", row.bound);
    table.add({row.work, fmt::format("{:.2f} {}", row.ours.median, row.unit), row.peer,
               fmt::format("{:.2f} {}", row.theirs.median, row.unit), fmt::format("{:.3f}", row.ratio.median),
               fmt::format("{:.3f} to {:.3f}", row.ratio.lowest, row.ratio.highest), asked,
               row.bound == 0  ? ""
               : row.reached() ? "reached"
                               : "MISSED"});
  }
  std::string text = table.text();
  for (const Row& row : rows) {
    if (row.config.empty()) continue;
    text += fmt::format("{}: {}, {} rounds", row.work, row.config, row.rounds);
    if (row.launches > 0)
      text += fmt::format(", each a graph of {} launches over {} sets of buffers", row.launches, row.sets);
    text += '\n';
  }
  return text;
}

std::string json_of(const Scene& scene, const std::vector<Row>& rows) {
  using Json = nlohmann::ordered_json;
  const auto spread = [](const Spread& one) {
    return Json{{"median", one.median}, {"lowest", one.lowest}, {"highest", one.highest}};
  };
  Json json{{"format", "tilejit.bench"}, {"version", 1}, {"date", scene.date}, {"device", scene.device}};
  json["arch"] = scene.arch;
  json["driver"] = scene.driver;
  json["nvrtc"] = scene.nvrtc;
  json["tilejit"] = scene.version;
  json["rows"] = Json::array();
  for (const Row& row : rows) {
    json["rows"].push_back({{"work", row.work},
                            {"config", row.config},
                            {"peer", row.peer},
                            {"unit", row.unit},
                            {"ours", spread(row.ours)},
                            {"theirs", spread(row.theirs)},
                            {"ratio", spread(row.ratio)},
                            {"bound", row.bound},
                            {"less_is_better", row.less_is_better},
                            {"reached", row.reached()},
                            {"rounds", row.rounds},
                            {"launches", row.launches},
                            {"sets", row.sets}});
  }
  return json.dump(2) + "\n";
}

}  // namespace tilejit::bench
