#include <tilejit/bench/row.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tilejit::bench {
namespace {

using testing::HasSubstr;
using testing::Not;

Row replayed() {
  Row row;
  row.work = "softmax 16384x256 f32";
  row.config = "BLOCK_M=16 BLOCK_N=256 num_warps=8";
  row.peer = "memcpy";
  row.unit = "us";
  row.ours = {10, 9, 11};
  row.theirs = {9, 8, 10};
  row.ratio = {0.9, 0.85, 0.95};
  row.bound = 0.80;
  row.rounds = 15;
  row.launches = 64;
  row.sets = 8;
  return row;
}

TEST(Row, HoldsTheMiddleAndTheRange) {
  const Spread odd = spread_of({3, 1, 2}), even = spread_of({4, 1, 2, 3});
  EXPECT_EQ(odd.median, 2);
  EXPECT_EQ(even.median, 2.5);
  EXPECT_EQ(even.lowest, 1);
  EXPECT_EQ(even.highest, 4);
}

TEST(Row, OfReplayedWorkAsksItsRatioOfRates) {
  Row row = replayed();
  EXPECT_TRUE(row.reached());
  row.ratio.median = 0.79;
  EXPECT_FALSE(row.reached());
  row.less_is_better = true;
  EXPECT_TRUE(row.reached());
}

TEST(Table, SaysMicrosecondsAndHowAWorkWasReplayed) {
  const std::string text = table_of({replayed()});
  EXPECT_THAT(text, HasSubstr("10.00 us"));
  EXPECT_THAT(text, HasSubstr("at least 0.80"));
  EXPECT_THAT(text,
              HasSubstr("softmax 16384x256 f32: BLOCK_M=16 BLOCK_N=256 num_warps=8, 15 rounds, each a graph of 64 "
                        "launches over 8 sets of buffers\n"));
  Row single = replayed();
  single.launches = single.sets = 0;
  EXPECT_THAT(table_of({single}), Not(HasSubstr("graph")));
}

TEST(Json, HoldsWhatTheTableSays) {
  const auto json =
      nlohmann::json::parse(json_of({"2026-01-01", "a device", "sm_90a", "13.0", "13.0", "1.0"}, {replayed()}));
  EXPECT_EQ(json["format"], "tilejit.bench");
  EXPECT_EQ(json["device"], "a device");
  const auto& row = json["rows"].at(0);
  EXPECT_EQ(row["work"], "softmax 16384x256 f32");
  EXPECT_EQ(row["unit"], "us");
  EXPECT_EQ(row["ours"]["median"], 10);
  EXPECT_EQ(row["theirs"]["lowest"], 8);
  EXPECT_EQ(row["ratio"]["highest"], 0.95);
  EXPECT_EQ(row["bound"], 0.80);
  EXPECT_EQ(row["reached"], true);
  EXPECT_EQ(row["launches"], 64);
  EXPECT_EQ(row["sets"], 8);
}

}  // namespace
}  // namespace tilejit::bench
