#include <tilejit/cache/log.h>

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace tilejit {
namespace {

TEST(Log, TheSinkGetsWhatIsAtOrAboveTheLevel) {
  std::vector<std::string> seen;
  LogOptions options;
  options.level = LogLevel::info;
  options.sink = [&](LogLevel, std::string_view logger, std::string_view message) {
    seen.push_back(std::string(logger) + ": " + std::string(message));
  };
  const Logger log("tilejit.cache", options);
  log.debug("not this");
  log.info("this");
  log.error("{} and that");
  EXPECT_EQ(seen, (std::vector<std::string>{"tilejit.cache: this", "tilejit.cache: {} and that"}));
  EXPECT_FALSE(log.enabled(LogLevel::debug));
  EXPECT_TRUE(log.enabled(LogLevel::warning));
}

TEST(Log, WithoutASinkItGoesToStandardErrorAsItStands) {
  const Logger log("tilejit.cache", {});
  testing::internal::CaptureStderr();
  log.warn("100% {}");
  log.info("below the level");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "tilejit.cache: warning: 100% {}\n");
}

TEST(Log, OffIsSilentAndSoIsALoggerOfNobody) {
  LogOptions options;
  options.level = LogLevel::off;
  testing::internal::CaptureStderr();
  Logger("a", options).error("nothing");
  Logger().error("nothing");
  Logger("b", {}).write(LogLevel::off, "nothing");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Log, ASinkThatThrowsChangesNothing) {
  LogOptions options;
  options.sink = [](LogLevel, std::string_view, std::string_view) { throw std::runtime_error("full"); };
  EXPECT_NO_THROW(Logger("a", options).error("x"));
}

TEST(Log, TwoLoggersOfOneNameCoexist) {
  int first = 0, second = 0;
  LogOptions one, two;
  one.sink = [&](LogLevel, std::string_view, std::string_view) { ++first; };
  two.sink = [&](LogLevel, std::string_view, std::string_view) { ++second; };
  const Logger a("tilejit.cache", one), b("tilejit.cache", two);
  a.warn("x");
  b.warn("y");
  b.warn("z");
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 2);
}

}  // namespace
}  // namespace tilejit
