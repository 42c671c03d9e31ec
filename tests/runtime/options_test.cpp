#include <tilejit/runtime/options.h>

#include <gmock/gmock.h>
#include <stdlib.h>

#include <map>

#include <tilejit/generator/error.h>

#include "message.h"

namespace tilejit {
namespace {

using test::message_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// The variables that TileJIT reads, unset, and put back at the end.
class OptionsTest : public testing::Test {
 protected:
  OptionsTest() {
    for (const char* name : {"TILEJIT_CACHE_DIR", "XDG_CACHE_HOME", "HOME", "TILEJIT_DEVICE", "TILEJIT_NVRTC",
                             "TILEJIT_TUNING", "TILEJIT_LOG", "TILEJIT_TEMPLATES"}) {
      if (const char* value = getenv(name)) before_[name] = value;
      names_.push_back(name);
      unsetenv(name);
    }
  }
  ~OptionsTest() override {
    for (const char* name : names_) unsetenv(name);
    for (const auto& [name, value] : before_) setenv(name.c_str(), value.c_str(), 1);
  }
  static void set(const char* name, const char* value) { setenv(name, value, 1); }

 private:
  std::vector<const char*> names_;
  std::map<std::string, std::string> before_;
};

TEST_F(OptionsTest, HaveDefaultsWhereNothingIsSaid) {
  const Options options = Options::resolve();
  EXPECT_EQ(options.cache_root, "") << "no home: memory only";
  EXPECT_EQ(options.tuning, Tuning::first_run);
  EXPECT_EQ(options.log_level, LogLevel::warning);
  EXPECT_FALSE(options.nvrtc || options.emulator || options.any || options.allocator);
  EXPECT_TRUE(options.template_paths.empty());
}

TEST_F(OptionsTest, CacheRootIsOursThenXdgThenHome) {
  set("HOME", "/home/ada");
  EXPECT_EQ(Options::resolve().cache_root, "/home/ada/.cache/tilejit");
  set("XDG_CACHE_HOME", "relative");
  EXPECT_EQ(Options::resolve().cache_root, "/home/ada/.cache/tilejit");
  set("XDG_CACHE_HOME", "/xdg");
  EXPECT_EQ(Options::resolve().cache_root, "/xdg/tilejit");
  set("TILEJIT_CACHE_DIR", "/ours");
  EXPECT_EQ(Options::resolve().cache_root, "/ours");
  set("TILEJIT_CACHE_DIR", "");
  EXPECT_EQ(Options::resolve().cache_root, "") << "memory only";
}

TEST_F(OptionsTest, CodeBeatsTheEnvironment) {
  set("TILEJIT_CACHE_DIR", "/ours");
  set("TILEJIT_TUNING", "first_run");
  set("TILEJIT_LOG", "debug");
  set("TILEJIT_NVRTC", "/env/libnvrtc.so");
  set("TILEJIT_DEVICE", "gpu");
  Options given;
  given.cache_root = "";
  given.tuning = Tuning::off;
  given.log_level = LogLevel::error;
  given.nvrtc = "/code/libnvrtc.so";
  given.any = DeviceKind::emulated;
  const Options options = Options::resolve(given);
  EXPECT_EQ(options.cache_root, "");
  EXPECT_EQ(options.tuning, Tuning::off);
  EXPECT_EQ(options.log_level, LogLevel::error);
  EXPECT_EQ(options.nvrtc, "/code/libnvrtc.so");
  EXPECT_EQ(options.any, DeviceKind::emulated);
}

TEST_F(OptionsTest, TheEnvironmentFillsWhatIsOpen) {
  set("TILEJIT_TUNING", "off");
  set("TILEJIT_LOG", "info");
  set("TILEJIT_NVRTC", "/env/libnvrtc.so");
  set("TILEJIT_DEVICE", "emulated");
  const Options options = Options::resolve();
  EXPECT_EQ(options.tuning, Tuning::off);
  EXPECT_EQ(options.log_level, LogLevel::info);
  EXPECT_EQ(options.nvrtc, "/env/libnvrtc.so");
  EXPECT_EQ(options.any, DeviceKind::emulated);
}

TEST_F(OptionsTest, TemplatePathsOfTheEnvironmentGoFirstAndOnce) {
  set("TILEJIT_TEMPLATES", "/a::/b:");
  Options given;
  given.template_paths = {"/c"};
  const Options once = Options::resolve(given);
  EXPECT_THAT(once.template_paths, ElementsAre("/a", "/b", "/c"));
  EXPECT_THAT(Options::resolve(once).template_paths, ElementsAre("/a", "/b", "/c"));
}

TEST_F(OptionsTest, AWordThatIsNotKnownIsRefusedByVariable) {
  set("TILEJIT_TUNING", "always");
  EXPECT_THAT(message_of<InvalidArgument>([] { Options::resolve(); }),
              AllOf(HasSubstr("TILEJIT_TUNING=always"), HasSubstr("first_run, off")));
  set("TILEJIT_TUNING", "");
  EXPECT_EQ(Options::resolve().tuning, Tuning::first_run) << "empty is not set";
  set("TILEJIT_DEVICE", "any");
  EXPECT_THAT(message_of<InvalidArgument>([] { Options::resolve(); }), HasSubstr("TILEJIT_DEVICE=any"));
}

}  // namespace
}  // namespace tilejit
