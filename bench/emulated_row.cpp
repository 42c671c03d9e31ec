#include <tilejit/bench/emulated_row.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <tilejit/tools/output.h>

namespace tilejit::bench {

std::string table_of(const std::vector<EmulatedRow>& rows) {
  tool::Table table({"kernel", "blocks", "M instructions", "ms", "best ms", "G/s", "best G/s", "on two cores"});
  for (const EmulatedRow& row : rows) {
    table.add({row.work, std::to_string(row.blocks), fmt::format("{:.1f}", double(row.instructions) / 1e6),
               fmt::format("{:.3f}", row.one.median * 1e3), fmt::format("{:.3f}", row.one.lowest * 1e3),
               fmt::format("{:.2f}", row.median_rate() / 1e9), fmt::format("{:.2f}", row.best_rate() / 1e9),
               row.scaling() == 0 ? "" : fmt::format("{:.2f}", row.scaling())});
  }
  return table.text();
}

std::string json_of(const EmulatedScene& scene, const std::vector<EmulatedRow>& rows) {
  using Json = nlohmann::ordered_json;
  const auto spread = [](const Spread& one) {
    return Json{{"median", one.median}, {"lowest", one.lowest}, {"highest", one.highest}};
  };
  Json json{{"format", "tilejit.bench.emulated"}, {"version", 1},          {"date", scene.date},
            {"processor", scene.processor},       {"cores", scene.cores},  {"nvrtc", scene.nvrtc},
            {"tilejit", scene.version},           {"checks", scene.checks}};
  json["rows"] = Json::array();
  for (const EmulatedRow& row : rows) {
    Json one{{"work", row.work},
             {"blocks", row.blocks},
             {"threads", row.threads},
             {"thread_instructions", row.instructions},
             {"seconds_on_one_core", spread(row.one)},
             {"thread_instructions_a_second", row.median_rate()},
             {"rounds", row.rounds}};
    if (row.scaling() != 0) {
      one["seconds_on_two_cores"] = spread(row.two);
      one["scaling"] = row.scaling();
    }
    json["rows"].push_back(std::move(one));
  }
  return json.dump(2) + "\n";
}

}  // namespace tilejit::bench
