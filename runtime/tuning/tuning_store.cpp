#include <tilejit/runtime/tuning/tuning_store.h>

#include <nlohmann/json.hpp>

namespace tilejit {
namespace {

using nlohmann::ordered_json;
constexpr int record_version = 1;

ordered_json config_json(const Config& config) {
  ordered_json constants = ordered_json::object();
  for (const auto& [name, value] : config.constants) constants[name] = value;
  return {{"constants", constants}, {"num_warps", config.num_warps}, {"num_stages", config.num_stages}};
}

Config config_in(const ordered_json& json) {
  Config config;
  for (const auto& [name, value] : json.at("constants").items())
    config.constants.emplace_back(name, value.get<std::int64_t>());
  config.num_warps = json.at("num_warps").get<int>();
  config.num_stages = json.at("num_stages").get<int>();
  return config;
}

}  // namespace

std::string to_json(const TuningResult& result) {
  ordered_json measurements = ordered_json::array(), rejected = ordered_json::array();
  for (const Measurement& m : result.measurements) {
    measurements.push_back({{"config", config_json(m.config)},
                            {"median_ms", m.median},
                            {"lowest_ms", m.lowest},
                            {"highest_ms", m.highest},
                            {"rounds", m.rounds},
                            {"registers", m.registers},
                            {"spill_bytes", m.spills}});
  }
  for (const RejectedConfig& r : result.rejected)
    rejected.push_back({{"config", config_json(r.config)}, {"why", r.why}});
  const ordered_json json = {{"version", record_version},
                             {"bucket", result.bucket},
                             {"ranked_by", result.modelled ? "modelled" : "measured"},
                             {"measurements", measurements},
                             {"rejected", rejected}};
  return json.dump(2) + "\n";
}

std::optional<TuningResult> tuning_result_in(const std::string& text) {
  const ordered_json json = ordered_json::parse(text, nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  try {
    if (json.at("version").get<int>() != record_version) return std::nullopt;
    TuningResult result;
    result.bucket = json.at("bucket").get<std::string>();
    result.modelled = json.at("ranked_by").get<std::string>() == "modelled";
    for (const ordered_json& m : json.at("measurements")) {
      result.measurements.push_back({config_in(m.at("config")), m.at("median_ms").get<double>(),
                                     m.at("lowest_ms").get<double>(), m.at("highest_ms").get<double>(),
                                     m.at("rounds").get<int>(), m.at("registers").get<int>(),
                                     m.at("spill_bytes").get<int>()});
    }
    for (const ordered_json& r : json.at("rejected")) {
      result.rejected.push_back({config_in(r.at("config")), r.at("why").get<std::string>()});
    }
    if (result.measurements.empty()) return std::nullopt;
    return result;
  } catch (const ordered_json::exception&) {
    return std::nullopt;
  }
}

std::optional<TuningResult> TuningStore::get(const TuningKey& key) {
  const Key id = key.parts.key();
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(id); found != known_.end()) return found->second;
  }
  std::optional<TuningResult> result;
  if (const std::optional<Entry> entry = store_.get(Shelf::tuning, id)) {
    if (const std::string* record = entry->find("tuning")) result = tuning_result_in(*record);
  }
  const std::lock_guard lock(mutex_);
  return known_.try_emplace(id, std::move(result)).first->second;
}

void TuningStore::put(const TuningKey& key, const TuningResult& result) {
  {
    const std::lock_guard lock(mutex_);
    known_[key.parts.key()] = result;
  }
  store_.put(Shelf::tuning, Entry{key.parts.material(), {{"tuning", to_json(result)}}});
}

}  // namespace tilejit
