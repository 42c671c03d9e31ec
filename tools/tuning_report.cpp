#include <tilejit/tools/tuning_report.h>

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include <tilejit/tools/call.h>
#include <tilejit/tools/output.h>

namespace tilejit::tool {
namespace {

std::string count(int value) { return value < 0 ? "-" : std::to_string(value); }

std::string microseconds(double milliseconds) {
  const double value = milliseconds * 1e3;
  return fmt::format("{:.{}f}", value, value < 10 ? 4 : 2);
}

}  // namespace

std::string to_text(const TuningScene& scene, const TuningResult& result) {
  if (!result.launches)
    return fmt::format("{} on {}: nothing to tune: the call launches no program\n", scene.template_name, scene.device);
  const bool timed_any =
      std::ranges::any_of(result.measurements, [](const Measurement& one) { return one.rounds > 0; });
  std::string text =
      fmt::format("{} on {}{}, {}\n{}\n\n", scene.template_name, scene.device, scene.emulated ? " (emulated)" : "",
                  result.measurements.empty() || timed_any ? (result.modelled ? "modelled" : "measured")
                                                           : "not timed: there is one Config alone",
                  result.bucket);
  Table timed({"config", "median us", "lowest", "highest", "rounds", "registers", "spills"});
  for (const Measurement& one : result.measurements) {
    const auto time = [&](double value) { return one.rounds > 0 ? microseconds(value) : std::string("-"); };
    timed.add({to_string(one.config), time(one.median), time(one.lowest), time(one.highest), std::to_string(one.rounds),
               count(one.registers), count(one.spills)});
  }
  text += timed.text();
  if (!result.rejected.empty()) {
    Table rejected({"rejected", "why"});
    for (const RejectedConfig& one : result.rejected) rejected.add({to_string(one.config), one.why});
    text += "\n" + rejected.text();
  }
  return text;
}

std::string to_json(const TuningScene& scene, const TuningResult& result) {
  using Json = nlohmann::ordered_json;
  const auto config = [](const Config& one) { return Json::parse(config_json(one)); };
  const auto known = [](int value) { return value < 0 ? Json(nullptr) : Json(value); };
  const auto time = [](const Measurement& one, double value) { return one.rounds > 0 ? Json(value) : Json(nullptr); };
  Json json{{"format", "tilejit.tune"}, {"version", 1}, {"template", scene.template_name}, {"device", scene.device}};
  json["emulated"] = scene.emulated;
  json["modelled"] = result.modelled;
  if (!result.launches) json["launches"] = false;
  json["bucket"] = result.bucket;
  json["best"] = result.measurements.empty() ? Json(nullptr) : config(result.best().config);
  json["measurements"] = Json::array();
  for (const Measurement& one : result.measurements) {
    json["measurements"].push_back({{"config", config(one.config)},
                                    {"median_ms", time(one, one.median)},
                                    {"lowest_ms", time(one, one.lowest)},
                                    {"highest_ms", time(one, one.highest)},
                                    {"rounds", one.rounds},
                                    {"registers", known(one.registers)},
                                    {"spills", known(one.spills)}});
  }
  json["rejected"] = Json::array();
  for (const RejectedConfig& one : result.rejected) {
    json["rejected"].push_back({{"config", config(one.config)}, {"why", one.why}});
  }
  return json.dump(2) + "\n";
}

}  // namespace tilejit::tool
