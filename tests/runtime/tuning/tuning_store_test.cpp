#include <tilejit/runtime/tuning/tuning_store.h>

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include <tilejit/tests/support/temp_folder.h>

namespace tilejit {
namespace {

TuningResult sample() {
  TuningResult result;
  result.bucket = "copy_2d f32[unit 1, align 16, strides ? 1] M<=4096 on Test GPU (sm_90a)";
  result.measurements = {
      {.config = {{{"BLOCK_M", 64}, {"BLOCK_N", 128}}, 8, 1},
       .median = 0.25,
       .lowest = 0.24,
       .highest = 0.5,
       .rounds = 9,
       .registers = 40,
       .spills = 0},
      {.config = {{{"BLOCK_M", 1}, {"BLOCK_N", 8}}, 1, 2}, .median = 3, .lowest = 3, .highest = 3, .rounds = 2}};
  result.rejected = {{{{{"BLOCK_M", 2}, {"BLOCK_N", 4}}, 1, 1}, "output y differs"}};
  return result;
}

TuningKey key_named(const std::string& name) {
  TuningKey key;
  key.text = name;
  key.parts.add("name", name);
  return key;
}

void expect_equal(const TuningResult& left, const TuningResult& right) {
  EXPECT_EQ(to_json(left), to_json(right));
  ASSERT_EQ(left.measurements.size(), right.measurements.size());
  for (std::size_t i = 0; i < left.measurements.size(); ++i) {
    EXPECT_EQ(left.measurements[i].config, right.measurements[i].config);
    EXPECT_EQ(left.measurements[i].median, right.measurements[i].median);
  }
}

TEST(TuningRecord, ReadsBackWhatWasWritten) {
  const std::optional<TuningResult> read = tuning_result_in(to_json(sample()));
  ASSERT_TRUE(read);
  expect_equal(*read, sample());
}

TEST(TuningRecord, VersionOneStaysAsTheGoldenFileHasIt) {
  std::ifstream file(TILEJIT_SOURCE_DIR "/tests/golden/tuning_record_v1.json");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(to_json(sample()), text.str());
}

TEST(TuningRecord, AnotherVersionOrDamageIsAMiss) {
  std::string other = to_json(sample());
  other.replace(other.find("\"version\": 1"), 12, "\"version\": 2");
  EXPECT_FALSE(tuning_result_in(other));
  EXPECT_FALSE(tuning_result_in(""));
  EXPECT_FALSE(tuning_result_in("{}"));
  EXPECT_FALSE(tuning_result_in("[1, 2"));
  const std::string whole = to_json(sample());
  for (std::size_t length = 0; length + 2 < whole.size(); length += 7)
    EXPECT_FALSE(tuning_result_in(whole.substr(0, length)));
}

TEST(TuningRecord, AResultWithoutMeasurementsIsAMiss) {
  TuningResult nothing;
  EXPECT_FALSE(tuning_result_in(to_json(nothing)));
}

TEST(TuningStore, ASecondProcessFindsWhatTheFirstPut) {
  const test::TempFolder folder;
  {
    Store store({.root = folder.path().string(), .log = {}});
    TuningStore tuning(store);
    EXPECT_FALSE(tuning.get(key_named("a")));
    tuning.put(key_named("a"), sample());
  }
  Store store({.root = folder.path().string(), .log = {}});
  TuningStore tuning(store);
  const std::optional<TuningResult> found = tuning.get(key_named("a"));
  ASSERT_TRUE(found);
  expect_equal(*found, sample());
  EXPECT_FALSE(tuning.get(key_named("b")));
}

TEST(TuningStore, AMissIsAskedOfTheDiskOnceAndAPutReplacesIt) {
  const test::TempFolder folder;
  Store store({.root = folder.path().string(), .log = {}});
  TuningStore tuning(store);
  EXPECT_FALSE(tuning.get(key_named("a")));
  EXPECT_FALSE(tuning.get(key_named("a")));
  EXPECT_EQ(store.counters().misses, 1u);
  tuning.put(key_named("a"), sample());
  EXPECT_TRUE(tuning.get(key_named("a")));
}

}  // namespace
}  // namespace tilejit
