#include <tilejit/cache/store.h>

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include <tests/support/temp_folder.h>
#include "entries.h"

namespace tilejit {
namespace {

namespace fs = std::filesystem;
using test::entry_named;
using test::equal;
using test::key_of;
using test::path_of;

StoreOptions at(const fs::path& root) {
  StoreOptions options;
  options.root = root;
  return options;
}

TEST(Store, GivesBackWhatWasPutEvenToTheNextProcess) {
  const test::TempFolder temp;
  const Entry entry = entry_named("a");
  {
    Store store(at(temp / "cache"));
    EXPECT_TRUE(store.persistent()) << store.why_memory_only();
    EXPECT_FALSE(store.get(Shelf::kernel, key_of(entry)));
    EXPECT_TRUE(store.put(Shelf::kernel, entry));
    EXPECT_EQ(store.counters().misses, 1u);
    EXPECT_EQ(store.counters().published, 1u);
  }
  const Store next(at(temp / "cache"));
  const auto back = next.get(Shelf::kernel, key_of(entry));
  ASSERT_TRUE(back);
  EXPECT_TRUE(equal(*back, entry));
  EXPECT_EQ(next.counters().hits, 1u);
  EXPECT_FALSE(next.get(Shelf::tuning, key_of(entry))) << "shelves do not mix";
}

TEST(Store, MakesMissingParentsForTheOwnerAlone) {
  const test::TempFolder temp;
  Store store(at(temp / "a/b/c"));
  ASSERT_TRUE(store.put(Shelf::kernel, entry_named("a")));
  const fs::perms owner = fs::perms::owner_all;
  for (const char* folder : {"a", "a/b", "a/b/c", "a/b/c/v1", "a/b/c/v1/kernels", "a/b/c/v1/tuning"})
    EXPECT_EQ(fs::status(temp / folder).permissions(), owner) << folder;
  const fs::path file = temp.path() / "a/b/c" / path_of(Shelf::kernel, key_of(entry_named("a")));
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(fs::exists(temp / "a/b/c/CACHEDIR.TAG"));
}

TEST(Store, ALaterPutReplacesAnEarlierOne) {
  const test::TempFolder temp;
  Store store(at(temp / "cache"));
  ASSERT_TRUE(store.put(Shelf::tuning, entry_named("a", "old")));
  ASSERT_TRUE(store.put(Shelf::tuning, entry_named("a", "new")));
  EXPECT_TRUE(equal(*store.get(Shelf::tuning, key_of(entry_named("a"))), entry_named("a", "new")));
  EXPECT_EQ(store.list().size(), 1u);
}

TEST(Store, WithoutARootItIsMemoryAndSaysNothing) {
  int messages = 0;
  LogOptions log;
  log.sink = [&](LogLevel, std::string_view, std::string_view) { ++messages; };
  StoreOptions options;
  options.log = Logger("tilejit.cache", log);
  Store store(options);
  EXPECT_FALSE(store.persistent());
  EXPECT_FALSE(store.why_memory_only().empty());
  EXPECT_FALSE(store.put(Shelf::kernel, entry_named("a")));
  EXPECT_TRUE(store.get(Shelf::kernel, key_of(entry_named("a"))));
  EXPECT_EQ(store.list().size(), 1u);
  EXPECT_EQ(store.clear(), 1u);
  EXPECT_FALSE(store.get(Shelf::kernel, key_of(entry_named("a"))));
  EXPECT_EQ(messages, 0);
}

TEST(Store, ListsRemovesAndClears) {
  const test::TempFolder temp;
  Store store(at(temp / "cache"));
  for (const char* name : {"a", "b", "c"}) ASSERT_TRUE(store.put(Shelf::kernel, entry_named(name)));
  ASSERT_TRUE(store.put(Shelf::tuning, entry_named("t")));
  EXPECT_EQ(store.list().size(), 4u);
  for (const Store::Listed& listed : store.list()) {
    EXPECT_GT(listed.bytes, 64u);
    EXPECT_GT(listed.modified, 0);
  }
  EXPECT_TRUE(store.remove(Shelf::kernel, key_of(entry_named("a"))));
  EXPECT_FALSE(store.remove(Shelf::kernel, key_of(entry_named("a"))));
  EXPECT_FALSE(store.get(Shelf::kernel, key_of(entry_named("a"))));
  EXPECT_EQ(store.clear(), 3u);
  EXPECT_TRUE(store.list().empty());
}

TEST(Store, ClearLeavesWhatIsNotItsOwn) {
  const test::TempFolder temp;
  Store store(at(temp / "cache"));
  ASSERT_TRUE(store.put(Shelf::kernel, entry_named("a")));
  const fs::path shard = (temp.path() / "cache" / path_of(Shelf::kernel, key_of(entry_named("a")))).parent_path();
  std::ofstream(shard / "notes.txt") << "mine";
  std::ofstream(shard / ".t.0000000000000001") << "left by a killed process";
  EXPECT_EQ(store.clear(), 1u);
  EXPECT_TRUE(fs::exists(shard / "notes.txt"));
  EXPECT_FALSE(fs::exists(shard / ".t.0000000000000001"));
  ASSERT_EQ(store.verify().size(), 1u);
  EXPECT_NE(store.verify()[0].file.find("notes.txt"), std::string::npos);
}

TEST(Store, ADamagedEntryIsAMissIsNamedByVerifyAndReplacedByTheNextPut) {
  const test::TempFolder temp;
  std::vector<std::string> messages;
  LogOptions log;
  log.sink = [&](LogLevel, std::string_view, std::string_view message) { messages.emplace_back(message); };
  StoreOptions options = at(temp / "cache");
  options.log = Logger("tilejit.cache", log);
  Store store(options);
  const Entry entry = entry_named("a");
  ASSERT_TRUE(store.put(Shelf::kernel, entry));
  const std::string relative = path_of(Shelf::kernel, key_of(entry));
  fs::resize_file(temp.path() / "cache" / relative, 100);
  EXPECT_FALSE(store.get(Shelf::kernel, key_of(entry)));
  EXPECT_FALSE(store.get(Shelf::kernel, key_of(entry)));
  EXPECT_EQ(store.counters().damaged, 2u);
  ASSERT_EQ(messages.size(), 1u) << "once";
  EXPECT_NE(messages[0].find(relative), std::string::npos) << messages[0];
  ASSERT_EQ(store.verify().size(), 1u);
  EXPECT_EQ(store.verify()[0].file, relative);
  EXPECT_FALSE(store.verify()[0].why.empty());
  ASSERT_TRUE(store.put(Shelf::kernel, entry));
  EXPECT_TRUE(store.get(Shelf::kernel, key_of(entry)));
  EXPECT_TRUE(store.verify().empty());
}

TEST(Store, AnEntryUnderAnothersNameIsAMiss) {
  const test::TempFolder temp;
  Store store(at(temp / "cache"));
  const Entry a = entry_named("a"), b = entry_named("b");
  ASSERT_TRUE(store.put(Shelf::kernel, a));
  ASSERT_TRUE(store.put(Shelf::kernel, b));
  const fs::path root = temp / "cache";
  fs::rename(root / path_of(Shelf::kernel, key_of(a)), root / path_of(Shelf::kernel, key_of(b)));
  EXPECT_FALSE(store.get(Shelf::kernel, key_of(b)));
}

TEST(Store, ACacheRemovedInUseIsMadeAnew) {
  const test::TempFolder temp;
  Store store(at(temp / "cache"));
  ASSERT_TRUE(store.put(Shelf::kernel, entry_named("a")));
  fs::remove_all(temp / "cache");
  EXPECT_FALSE(store.get(Shelf::kernel, key_of(entry_named("a"))));
  EXPECT_TRUE(store.put(Shelf::kernel, entry_named("a")));
  EXPECT_TRUE(Store(at(temp / "cache")).get(Shelf::kernel, key_of(entry_named("a"))));
}

TEST(Store, AWaitingBuilderTakesWhatTheOtherPublishes) {
  const test::TempFolder temp;
  Store store(at(temp / "cache"));
  const Entry entry = entry_named("a");
  Store::Turn first = store.wait_turn(Shelf::kernel, key_of(entry));
  ASSERT_FALSE(first.entry);
  ASSERT_EQ(first.lock.state(), Lock::State::held);
  std::optional<Entry> got;
  std::thread second([&] { got = store.wait_turn(Shelf::kernel, key_of(entry)).entry; });
  ASSERT_TRUE(store.put(Shelf::kernel, entry));
  second.join();
  ASSERT_TRUE(got);
  EXPECT_TRUE(equal(*got, entry));
}

TEST(Store, AWaitingBuilderGoesOnAloneWhenItLastsTooLong) {
  const test::TempFolder temp;
  StoreOptions options = at(temp / "cache");
  options.longest_wait = std::chrono::milliseconds(20);
  Store store(options);
  const Store::Turn first = store.wait_turn(Shelf::kernel, digest("x"));
  const Store::Turn second = store.wait_turn(Shelf::kernel, digest("x"));
  EXPECT_FALSE(second.entry);
  EXPECT_EQ(second.lock.state(), Lock::State::busy);
}

TEST(Store, ManyThreadsMayUseOne) {
  const test::TempFolder temp;
  Store store(at(temp / "cache"));
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 40; ++i) {
        const Entry entry = entry_named("entry " + std::to_string((i + 5 * t) % 10));
        store.put(Shelf::kernel, entry);
        const auto back = store.get(Shelf::kernel, key_of(entry));
        if (!back || !equal(*back, entry)) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(store.counters().damaged, 0u);
  EXPECT_EQ(store.list().size(), 10u);
}

}  // namespace
}  // namespace tilejit
