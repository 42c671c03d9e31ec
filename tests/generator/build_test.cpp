#include <tilejit/generator/build.h>

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include <tests/support/temp_folder.h>
#include <tilejit/generator/error.h>

#include "fake_nvrtc.h"
#include "sources.h"

namespace tilejit {
namespace {

using test::FakeNvrtc;
using test::good_source;
using test::sm;

StoreOptions at(const std::filesystem::path& root) {
  StoreOptions options;
  options.root = root;
  return options;
}

TEST(KeyOf, ChangesWithEachOfItsPartsAndWithNothingElse) {
  const FakeNvrtc fake;
  const GeneratedSource source = test::source_with_body("", {{"a.cuh", "1"}, {"b.cuh", "2"}});
  const Target target = sm("sm_90");
  const Nvrtc nvrtc = fake.nvrtc();
  const Key key = key_of(source, target, nvrtc).key();
  std::set<Key> keys = {key};
  const auto with = [&](const auto& change) {
    GeneratedSource other = source;
    change(other);
    return key_of(other, target, nvrtc).key();
  };
  keys.insert(with([](auto& s) { s.text += " "; }));
  keys.insert(with([](auto& s) { s.name += "x"; }));
  keys.insert(with([](auto& s) { s.headers[0].text = "2"; }));
  keys.insert(with([](auto& s) { s.headers[0].name = "c.cuh"; }));
  keys.insert(with([](auto& s) { std::swap(s.headers[0].text, s.headers[1].text); }));
  keys.insert(with([](auto& s) { s.headers.pop_back(); }));
  keys.insert(with([](auto& s) { s.options = {"-DX"}; }));
  keys.insert(with([](auto& s) { s.options = {"-D", "X"}; }));
  keys.insert(key_of(source, sm("sm_90a"), nvrtc).key());
  keys.insert(key_of(source, sm("sm_90", true), nvrtc).key());
  keys.insert(key_of(source, target, fake.nvrtc("4567")).key());
  EXPECT_EQ(keys.size(), 12u) << "each change is a key of its own";

  EXPECT_EQ(with([](auto& s) { std::swap(s.headers[0], s.headers[1]); }), key) << "headers are a set";
  Target other_device = target;
  other_device.sms = 1;
  EXPECT_EQ(key_of(source, other_device, nvrtc).key(), key) << "what the source does not say decides nothing";
}

TEST(Build, TheSecondTimeComesFromTheCacheWithoutACompile) {
  const test::TempFolder temp;
  FakeNvrtc fake;
  const Nvrtc nvrtc = fake.nvrtc();
  Store store(at(temp / "cache"));
  const BuildResult first = build(good_source(), sm("sm_90"), nvrtc, store);
  EXPECT_FALSE(first.from_cache);
  const BuildResult second = build(good_source(), sm("sm_90"), nvrtc, store);
  EXPECT_TRUE(second.from_cache);
  EXPECT_EQ(nvrtc.compiles(), 1u);
  EXPECT_EQ(second.object.cubin, first.object.cubin);
  EXPECT_EQ(second.object.ptx, first.object.ptx);
  EXPECT_EQ(second.object.parameters, first.object.parameters);
  EXPECT_EQ(second.object.scratch, first.object.scratch);
  Store next(at(temp / "cache"));
  EXPECT_TRUE(build(good_source(), sm("sm_90"), nvrtc, next).from_cache);
  EXPECT_FALSE(build(good_source(), sm("sm_80"), nvrtc, next).from_cache);
}

TEST(Build, WithoutADiskItStillCompilesOnce) {
  FakeNvrtc fake;
  const Nvrtc nvrtc = fake.nvrtc();
  Store store({});
  EXPECT_FALSE(build(good_source(), sm("sm_90"), nvrtc, store).from_cache);
  EXPECT_TRUE(build(good_source(), sm("sm_90"), nvrtc, store).from_cache);
  EXPECT_EQ(nvrtc.compiles(), 1u);
}

TEST(Build, AFailureIsNotCachedAndComesInFullEachTime) {
  const test::TempFolder temp;
  FakeNvrtc fake;
  fake.compile_result = 6;
  fake.log = "/tilejit/templates/kernels/scale.cuh(22): error: wrong\n";
  const Nvrtc nvrtc = fake.nvrtc();
  Store store(at(temp / "cache"));
  for (int i = 0; i < 3; ++i) {
    try {
      build(good_source(), sm("sm_90"), nvrtc, store);
      FAIL();
    } catch (const CompileError& error) {
      EXPECT_EQ(error.log(), fake.log);
    }
  }
  EXPECT_EQ(nvrtc.compiles(), 3u);
  EXPECT_TRUE(store.list().empty());
  fake.compile_result = 0;
  EXPECT_FALSE(build(good_source(), sm("sm_90"), nvrtc, store).from_cache);
}

TEST(Build, AnEntryMadeWithOtherBuiltinsIsMadeAnew) {
  const test::TempFolder temp;
  FakeNvrtc fake;
  Store store(at(temp / "cache"));
  build(good_source(), sm("sm_90"), fake.nvrtc("01", "b1"), store);
  EXPECT_FALSE(build(good_source(), sm("sm_90"), fake.nvrtc("01", "b2"), store).from_cache);
  EXPECT_TRUE(build(good_source(), sm("sm_90"), fake.nvrtc("01", "b2"), store).from_cache);
  EXPECT_TRUE(build(good_source(), sm("sm_90"), fake.nvrtc("01"), store).from_cache) << "builtins out of sight";
}

TEST(Build, AnEntryOfOtherParametersIsMadeAnew) {
  const test::TempFolder temp;
  FakeNvrtc fake;
  Store store(at(temp / "cache"));
  build(good_source(), sm("sm_90"), fake.nvrtc(), store);
  GeneratedSource other = good_source();
  other.parameters.push_back({Parameter::Kind::size, 0, 0, 8, 8});
  const BuildResult result = build(other, sm("sm_90"), fake.nvrtc(), store);
  EXPECT_FALSE(result.from_cache);
  EXPECT_EQ(result.object.parameters.size(), 2u);
}

TEST(Build, ThreadsThatMissTogetherCompileOnce) {
  const test::TempFolder temp;
  FakeNvrtc fake;
  const Nvrtc nvrtc = fake.nvrtc();
  Store store(at(temp / "cache"));
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) threads.emplace_back([&] { build(good_source(), sm("sm_90"), nvrtc, store); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(nvrtc.compiles(), 1u);
}

}  // namespace
}  // namespace tilejit
