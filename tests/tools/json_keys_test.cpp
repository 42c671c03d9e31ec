// docs/cli.md lists every key of the JSON that it describes, and no other.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include <tilejit/tools/access_report.h>
#include <tilejit/tools/run_report.h>
#include <tilejit/tools/tuning_report.h>

namespace tilejit::tool {
namespace {

using Json = nlohmann::json;
using Keys = std::set<std::string>;

std::string text_of(const std::string& file) {
  std::ifstream in(std::string(TILEJIT_SOURCE_DIR) + file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The words in backquotes of the table that follows "`format` 1".
Keys documented(const std::string& format) {
  const std::string text = text_of("/docs/cli.md"), title = "`" + format + "` 1";
  std::size_t at = text.find("\n| ", text.find(title)) + 1;
  Keys keys;
  for (; text.compare(at, 1, "|") == 0; at = text.find('\n', at) + 1) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    for (std::size_t open = line.find('`'); open != line.npos;) {
      const std::size_t close = line.find('`', open + 1);
      const std::string word = line.substr(open + 1, close - open - 1);
      if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == word.npos) keys.insert(word);
      open = line.find('`', close + 1);
    }
  }
  return keys;
}

/// All keys, at any depth; a Config's are the template's own, and format and version are every object's.
void collect(const Json& json, Keys& keys) {
  if (json.is_array())
    for (const Json& item : json) collect(item, keys);
  if (!json.is_object()) return;
  for (const auto& [key, value] : json.items()) {
    if (key == "format" || key == "version") continue;
    keys.insert(key);
    if (key != "config" && key != "best") collect(value, keys);
  }
}

Keys printed(std::initializer_list<std::string> texts) {
  Keys keys;
  for (const std::string& text : texts) collect(Json::parse(text), keys);
  return keys;
}

TEST(JsonKeys, OfARunAreThoseThatTheDocumentLists) {
  RunReport report;  // with all that a run may have to tell
  report.timing = {10, 0.5, 0.25, 2.0};
  report.bytes = report.flops = 1000;
  report.roofline = roofline("f32", 1000, 1000, "sm_90a");
  report.choice.plan = {"step 0: matmul_tiled (main)"};
  report.messages = {"a message"};
  Comparison c;
  c.first_wrong = c.first_unwritten = Comparison::First{{0, 7}, "1", "4"};
  c.norm_error = c.norm_bound = 0.5;
  c.looked_at = 4096;
  report.check = Check{"the slow CPU reference", {c}};
  EXPECT_EQ(documented("tilejit.run"), printed({to_json(report), text_of("/tests/golden/run_v1.json")}));
}

TEST(JsonKeys, OfTuningAreThoseThatTheDocumentLists) {
  TuningResult nothing;
  nothing.launches = false;
  const std::string empty = to_json({"copy_2d", "Some GPU", false}, nothing);
  EXPECT_EQ(documented("tilejit.tune"), printed({empty, text_of("/tests/golden/tune_v1.json")}));
}

TEST(JsonKeys, OfAccessAreThoseThatTheDocumentLists) {
  EXPECT_EQ(documented("tilejit.access"), printed({text_of("/tests/golden/access_v1.json")}));
}

}  // namespace
}  // namespace tilejit::tool
