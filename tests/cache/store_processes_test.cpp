#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include <tests/support/temp_folder.h>
#include <tilejit/cache/store.h>

#include "entries.h"

// Several processes on one cache.

namespace tilejit {
namespace {

namespace fs = std::filesystem;
using test::entry_named;
using test::equal;
using test::key_of;

StoreOptions at(const fs::path& root) {
  StoreOptions options;
  options.root = root;
  return options;
}

/// Forks `count` children that start together; each ends with what `body` returns.
std::vector<int> run_together(int count, const std::function<int(int)>& body) {
  int start[2];
  if (::pipe(start) != 0) return {};
  std::vector<pid_t> children;
  for (int i = 0; i < count; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(start[1]);
      char go;
      if (::read(start[0], &go, 1) != 0) ::_exit(100);
      ::_exit(body(i));
    }
    children.push_back(child);
  }
  ::close(start[0]);
  ::close(start[1]);
  std::vector<int> results;
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    results.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : 200);
  }
  return results;
}

TEST(StoreProcesses, WritersOfOneKeyNeverShowAReaderAMixture) {
  const test::TempFolder temp;
  const std::string bodies[2] = {std::string(40000, '0'), std::string(50000, '1')};
  const Key key = key_of(entry_named("shared"));
  const std::vector<int> results = run_together(4, [&](int me) {
    Store store(at(temp / "cache"));
    for (int i = 0; i < 150; ++i) {
      if (me < 2 && !store.put(Shelf::kernel, entry_named("shared", bodies[me]))) return 1;
      const auto entry = store.get(Shelf::kernel, key);
      if (entry && !equal(*entry, entry_named("shared", bodies[0])) && !equal(*entry, entry_named("shared", bodies[1])))
        return 2;
    }
    return store.counters().damaged == 0 ? 0 : 3;
  });
  EXPECT_EQ(results, std::vector<int>(4, 0));
  EXPECT_EQ(Store(at(temp / "cache")).list().size(), 1u);
}

TEST(StoreProcesses, OneOfManyBuildsAKey) {
  const test::TempFolder temp;
  constexpr int processes = 8, keys = 10;
  const std::vector<int> builds = run_together(processes, [&](int) {
    Store store(at(temp / "cache"));
    int built = 0;
    for (int k = 0; k < keys; ++k) {
      const Entry entry = entry_named("key " + std::to_string(k));
      if (store.get(Shelf::kernel, key_of(entry))) continue;
      const Store::Turn turn = store.wait_turn(Shelf::kernel, key_of(entry));
      if (turn.entry) continue;
      ::usleep(2000);
      ++built;
      if (!store.put(Shelf::kernel, entry)) return 100;
    }
    return built;
  });
  int total = 0;
  for (const int built : builds) total += built;
  EXPECT_EQ(total, keys);
}

TEST(StoreProcesses, AWriterKilledAtAnyMomentLeavesAUsableCache) {
  const test::TempFolder temp;
  const std::string body(200000, 'x');
  for (int round = 0; round < 40; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      Store store(at(temp / "cache"));
      for (int i = 0;; ++i) {
        const Entry entry = entry_named("key " + std::to_string(i % 4), body);
        const Store::Turn turn = store.wait_turn(Shelf::kernel, key_of(entry));
        store.put(Shelf::kernel, entry);
      }
    }
    ::usleep(static_cast<useconds_t>(1000 + 397 * round % 7000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  StoreOptions options = at(temp / "cache");
  options.longest_wait = std::chrono::milliseconds(0);
  Store store(options);
  EXPECT_TRUE(store.verify().empty());
  EXPECT_EQ(store.wait_turn(Shelf::kernel, digest("new")).lock.state(), Lock::State::held);
  EXPECT_TRUE(store.put(Shelf::kernel, entry_named("key 0", body)));
  EXPECT_TRUE(store.get(Shelf::kernel, key_of(entry_named("key 0"))));
}

}  // namespace
}  // namespace tilejit
