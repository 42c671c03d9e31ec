#include <nlohmann/json.hpp>

#include <tilejit/tools/ptx_report.h>

namespace tilejit::tool {

namespace {

using Json = nlohmann::ordered_json;

Json known(int value) { return value < 0 ? Json(nullptr) : Json(value); }

Json to_json(const InspectPlace& place) {
  Json json = Json::object();
  json["file"] = place.file.empty() ? Json(nullptr) : Json(place.file);
  json["line"] = place.line > 0 || !place.file.empty() ? Json(place.line) : Json(nullptr);
  if (!place.inner_file.empty()) {
    json["inner_file"] = place.inner_file;
    json["inner_line"] = place.inner_line;
  }
  json["ptx_line"] = place.ptx_line > 0 ? Json(place.ptx_line) : Json(nullptr);
  return json;
}

Json to_json(const Occupancy& o) {
  return {{"blocks", o.blocks},
          {"warps", o.warps},
          {"most_warps", o.most_warps},
          {"limited_by", o.limit},
          {"registers_for_one_more", o.registers_for_one_more > 0 ? Json(o.registers_for_one_more) : Json(nullptr)},
          {"shared_for_one_more", o.shared_for_one_more > 0 ? Json(o.shared_for_one_more) : Json(nullptr)}};
}

Json accesses(const InspectReport& report) {
  Json list = Json::array();
  for (const auto& [count, place] : report.accesses)
    list.push_back({{"space", count.space},
                    {"operation", count.store ? "store" : "load"},
                    {"bytes", count.bytes},
                    {"read_only", count.read_only},
                    {"async", count.async},
                    {"sites", count.sites},
                    {"first", to_json(place)}});
  return list;
}

}  // namespace

std::string to_json(const InspectReport& report) {
  const ptx::Facts& facts = report.facts;
  const Resources& used = report.resources;
  Json json{{"format", "tilejit.inspect"}, {"version", 1}};
  json["entry"] = report.entry;
  json["arch"] = report.arch;
  json["ptx"] = {{"version", report.ptx_version},
                 {"target", report.target},
                 {"compiler", report.compiler.empty() ? Json(nullptr) : Json(report.compiler)},
                 {"instructions", facts.instructions}};
  json["threads"] = facts.threads > 0 ? Json(facts.threads) : Json(nullptr);
  json["min_blocks"] = facts.min_blocks > 0 ? Json(facts.min_blocks) : Json(nullptr);
  json["registers"] = known(used.registers);
  json["shared"] = {{"static", report.static_shared}, {"scratch", report.scratch}};
  json["stack"] = known(used.stack);
  json["spill_stores"] = known(used.spill_stores);
  json["spill_loads"] = known(used.spill_loads);
  json["barriers"] = known(used.barriers);
  json["occupancy"] = report.occupancy ? to_json(*report.occupancy) : Json(nullptr);
  json["accesses"] = accesses(report);
  json["tensor_core"] = {
      {"mma", facts.tensor_core}, {"ldmatrix", facts.matrix_loads}, {"stmatrix", facts.matrix_stores}};
  json["async"] = {{"cp_async", facts.async_copy}, {"tma", facts.tma}, {"mbarrier", facts.mbarriers}};
  json["control"] = {{"barriers", facts.barriers}, {"branches", facts.branches}, {"calls", facts.calls},
                     {"shuffles", facts.shuffles}, {"fences", facts.fences},     {"atomics", facts.atomics}};
  json["local"] = {{"accesses", facts.local_accesses}, {"declared_bytes", facts.local_bytes}};
  json["unknown"] = facts.unknowns;
  json["opcodes"] = facts.opcodes;
  json["notes"] = Json::array();
  for (const InspectNote& note : report.notes) {
    Json entry = {{"text", note.text}};
    entry.update(to_json(note.place));
    json["notes"].push_back(std::move(entry));
  }
  // A name from a file of any origin may hold bytes that are not UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilejit::tool
