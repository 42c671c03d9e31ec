#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include <tilejit/cache/store.h>
#include <tilejit/generator/object_code.h>
#include <tilejit/runtime/tuning/tuning_store.h>
#include <tilejit/tools/failure.h>
#include <tilejit/tools/offline_build.h>
#include <tilejit/tools/output.h>
#include <tilejit/tools/subcommands.h>

namespace tilejit::tool {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(Shelf shelf) { return shelf == Shelf::kernel ? "kernel" : "tuning"; }

Json head(const char* what, const Store& store) {
  return {{"format", std::string("tilejit.cache.") + what}, {"version", 1}, {"root", store.root()}};
}

/// False, with a word on standard error: there is no cache on disk to look at.
bool is_there(const Store& store) {
  if (store.persistent()) return true;
  std::fprintf(stderr, "tilejit: the cache is in memory only: %s\n",
               store.why_memory_only().empty() ? "no folder is named for it" : store.why_memory_only().c_str());
  return false;
}

int stats(const Store& store, bool json) {
  if (!is_there(store)) return failed;
  struct Sum {
    std::uint64_t entries = 0, bytes = 0;
  };
  Sum kernels, tunings;
  for (const Store::Listed& entry : store.list()) {
    Sum& sum = entry.shelf == Shelf::kernel ? kernels : tunings;
    ++sum.entries;
    sum.bytes += entry.bytes;
  }
  if (json) {
    Json result = head("stats", store);
    result["kernels"] = {{"entries", kernels.entries}, {"bytes", kernels.bytes}};
    result["tunings"] = {{"entries", tunings.entries}, {"bytes", tunings.bytes}};
    print(result.dump(2) + "\n");
    return fine;
  }
  Table table({"shelf", "entries", "bytes"});
  table.add({"kernel", std::to_string(kernels.entries), std::to_string(kernels.bytes)});
  table.add({"tuning", std::to_string(tunings.entries), std::to_string(tunings.bytes)});
  print(fmt::format("{}\n{}", store.root(), table.text()));
  return fine;
}

/// What an entry holds, in a few words; empty: it cannot be read.
std::string content_of(const Store& store, const Store::Listed& listed) {
  const auto entry = store.get(listed.shelf, listed.key);
  if (!entry) return "";
  if (listed.shelf == Shelf::kernel) {
    const auto object = object_in(*entry);
    return object ? fmt::format("{} {}", object->entry, object->arch) : "";
  }
  const std::string* record = entry->find("tuning");
  const auto result = record ? tuning_result_in(*record) : std::nullopt;
  return result ? result->bucket : "";
}

int list(const Store& store, bool json) {
  if (!is_there(store)) return failed;
  Table table({"shelf", "key", "bytes", "modified", "content"});
  Json result = head("list", store);
  result["entries"] = Json::array();
  std::vector<Store::Listed> entries = store.list();
  const auto place = [](const Store::Listed& one) { return std::tuple(one.shelf, one.modified, one.key); };
  std::sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
  for (const Store::Listed& entry : entries) {
    const std::string modified = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time_t(entry.modified)));
    const std::string content = content_of(store, entry);
    table.add({name_of(entry.shelf), entry.key.hex().substr(0, 16), std::to_string(entry.bytes), modified, content});
    result["entries"].push_back({{"shelf", name_of(entry.shelf)},
                                 {"key", entry.key.hex()},
                                 {"bytes", entry.bytes},
                                 {"modified", modified},
                                 {"content", content}});
  }
  print(json ? result.dump(2) + "\n" : table.text());
  return fine;
}

int verify(const Store& store, bool json) {
  if (!is_there(store)) return failed;
  const std::size_t entries = store.list().size();
  const std::vector<Store::Damaged> damaged = store.verify();
  if (json) {
    Json result = head("verify", store);
    result["entries"] = entries;
    result["damaged"] = Json::array();
    for (const Store::Damaged& one : damaged) result["damaged"].push_back({{"file", one.file}, {"why", one.why}});
    print(result.dump(2) + "\n");
  } else {
    for (const Store::Damaged& one : damaged) print(fmt::format("{}: {}\n", one.file, one.why));
    print(fmt::format("{} entries read, {} damaged{}\n", entries, damaged.size(),
                      damaged.empty() ? "" : " (each is a miss and will be built again)"));
  }
  return damaged.empty() ? fine : failed;
}

int clear(Store& store, bool json) {
  if (!is_there(store)) return failed;
  const std::uint64_t removed = store.clear();
  const std::size_t left = store.list().size();
  Json result = head("clear", store);
  result["removed"] = removed;
  result["left"] = left;
  const std::string but = left == 0 ? "" : fmt::format(", {} could not be removed", left);
  print(json ? result.dump(2) + "\n" : fmt::format("{} entries removed from {}{}\n", removed, store.root(), but));
  return left == 0 ? fine : failed;
}

}  // namespace

void add_cache(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("cache", "Look at the cache on disk, check it, empty it");
  command->require_subcommand(1);
  const auto json = std::make_shared<bool>(false);
  const auto add = [&](const char* name, const char* what, int (*act)(Store&, bool)) {
    CLI::App* verb = command->add_subcommand(name, what);
    verb->add_flag("--json", *json, "As JSON");
    verb->callback([json, act, &action] {
      action = [json, act] {
        Store store(store_options_of(Options::resolve()));
        return act(store, *json);
      };
    });
  };
  add("stats", "How many entries, how many bytes", [](Store& store, bool as_json) { return stats(store, as_json); });
  add("list", "Every entry", [](Store& store, bool as_json) { return list(store, as_json); });
  add("verify", "Read every entry and check every byte",
      [](Store& store, bool as_json) { return verify(store, as_json); });
  add("clear", "Remove every entry", [](Store& store, bool as_json) { return clear(store, as_json); });
}

}  // namespace tilejit::tool
