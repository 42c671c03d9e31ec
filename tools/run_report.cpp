#include <tilejit/tools/run_report.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace tilejit::tool {
namespace {

using Json = nlohmann::ordered_json;

std::string duration(double milliseconds) {
  return milliseconds < 1 ? fmt::format("{:.2f} us", milliseconds * 1e3) : fmt::format("{:.4f} ms", milliseconds);
}

std::string rate_text(const RunReport& report) {
  std::string text;
  const double seconds = report.timing.median / 1e3;
  if (report.bytes) text += fmt::format(", {:.1f} GB/s", double(*report.bytes) / seconds / 1e9);
  if (report.flops && *report.flops > 0)
    text += fmt::format(", {:.2f} TFLOP/s", double(*report.flops) / seconds / 1e12);
  return text;
}

Json json_of(const Comparison& one) {
  Json json{{"tensor", one.tensor}, {"elements", one.elements}, {"wrong", one.wrong}, {"unwritten", one.unwritten}};
  json["stray_bytes"] = one.stray_bytes;
  json["largest_error"] = one.largest_error;
  if (one.norm_error) json["relative_frobenius_error"] = *one.norm_error;
  if (one.norm_bound) json["relative_frobenius_bound"] = *one.norm_bound;
  if (one.looked_at >= 0) json["looked_at"] = one.looked_at;
  const auto first = [](const std::optional<Comparison::First>& place) {
    if (!place) return Json(nullptr);
    return Json{{"at", place->at}, {"actual", place->actual}, {"expected", place->expected}};
  };
  json["first_wrong"] = first(one.first_wrong);
  json["first_unwritten"] = first(one.first_unwritten);
  return json;
}

}  // namespace

std::string to_text(const RunReport& report, bool explain) {
  std::string text = fmt::format("{} on {}{}\nconfig  {}\n", report.template_name, report.device,
                                 report.emulated ? " (emulated)" : "", to_string(report.choice.config));
  if (report.timing.rounds > 0) {
    text += fmt::format("time    {}, median of {} ({} to {}), L2 cold{}\n", duration(report.timing.median),
                        report.timing.rounds, duration(report.timing.lowest), duration(report.timing.highest),
                        rate_text(report));
  } else if (report.emulated) {
    text += "time    not taken: an emulated device has none of its own\n";
  }
  if (report.roofline) text += to_text(*report.roofline);
  if (explain) {
    for (const std::string& line : report.choice.plan) text += fmt::format("plan    {}\n", line);
    text += fmt::format("why     {}\n", report.choice.why);
    text += fmt::format("made    {} compiled, {} from the cache, {} loaded, {} tuned in {} trials\n",
                        report.counters.compiles, report.counters.cache_hits, report.counters.loads,
                        report.counters.tunings, report.counters.trials);
    for (const std::string& line : report.messages) text += fmt::format("log     {}\n", line);
  }
  if (report.check) {
    const Check& check = *report.check;
    text += fmt::format("check   {}: {}\n", check.good() ? "passed" : "FAILED",
                        check.source.empty() ? "nothing to compare with: no reference, and one Config only"
                                             : "against " + check.source);
    for (const Comparison& one : check.tensors) text += fmt::format("        {}\n", to_string(one));
    if (explain) text += "        surroundings of every tensor looked at for stray writes\n";
  }
  return text;
}

std::string to_json(const RunReport& report) {
  Json json{{"format", "tilejit.run"}, {"version", 1}, {"template", report.template_name}};
  json["device"] = report.device;
  json["emulated"] = report.emulated;
  json["config"] = Json::parse(config_json(report.choice.config));
  json["why"] = report.choice.why;
  json["time"] = nullptr;
  if (report.timing.rounds > 0) {
    json["time"] = {{"median_ms", report.timing.median},
                    {"lowest_ms", report.timing.lowest},
                    {"highest_ms", report.timing.highest},
                    {"rounds", report.timing.rounds}};
  }
  json["bytes"] = report.bytes ? Json(*report.bytes) : Json(nullptr);
  json["flops"] = report.flops ? Json(*report.flops) : Json(nullptr);
  if (report.roofline) json["roofline"] = Json::parse(json_of(*report.roofline));
  if (!report.choice.plan.empty()) json["plan"] = report.choice.plan;
  json["made"] = {{"compiled", report.counters.compiles},
                  {"from_cache", report.counters.cache_hits},
                  {"loaded", report.counters.loads},
                  {"tuned", report.counters.tunings},
                  {"trials", report.counters.trials}};
  json["check"] = nullptr;
  if (report.check) {
    json["check"] = {{"passed", report.check->good()}, {"against", report.check->source}, {"tensors", Json::array()}};
    for (const Comparison& one : report.check->tensors) json["check"]["tensors"].push_back(json_of(one));
  }
  json["log"] = report.messages;
  return json.dump(2) + "\n";
}

}  // namespace tilejit::tool
