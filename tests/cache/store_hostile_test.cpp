#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <tests/support/temp_folder.h>
#include <tilejit/cache/store.h>

#include "entries.h"
#include "other_user.h"

// Folders and files that somebody else may have put in our way.

namespace tilejit {
namespace {

namespace fs = std::filesystem;
using test::entry_named;
using test::key_of;
using test::path_of;

class HostileStore : public testing::Test {
 protected:
  test::TempFolder temp;
  std::vector<std::string> warnings;
  const Entry entry = entry_named("a");

  StoreOptions at(const fs::path& root) {
    LogOptions log;
    log.sink = [this](LogLevel, std::string_view, std::string_view message) { warnings.emplace_back(message); };
    StoreOptions options;
    options.root = root;
    options.log = Logger("tilejit.cache", log);
    return options;
  }

  /// The root is refused: memory only, one warning that names the place and the reason, and a cache that still works.
  void expect_memory_only(const fs::path& root, const std::string& reason) {
    Store store(at(root));
    EXPECT_FALSE(store.persistent());
    EXPECT_NE(store.why_memory_only().find(reason), std::string::npos) << store.why_memory_only();
    EXPECT_FALSE(store.put(Shelf::kernel, entry));
    EXPECT_TRUE(store.get(Shelf::kernel, key_of(entry)));
    EXPECT_FALSE(store.put(Shelf::kernel, entry_named("b")));
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find(reason), std::string::npos) << warnings[0];
  }
};

TEST_F(HostileStore, ARootThatOthersMayWriteIsRefused) {
  fs::create_directory(temp / "cache");
  fs::permissions(temp / "cache", fs::perms::all);
  expect_memory_only(temp / "cache", "is writable by others");
  EXPECT_TRUE(fs::is_empty(temp / "cache"));
  EXPECT_EQ(fs::status(temp / "cache").permissions(), fs::perms::all) << "no silent chmod";
}

TEST_F(HostileStore, AStickyRootThatOthersMayWriteIsRefusedToo) {
  fs::create_directory(temp / "cache");
  fs::permissions(temp / "cache", fs::perms::all | fs::perms::sticky_bit);
  expect_memory_only(temp / "cache", "is writable by others");
}

TEST_F(HostileStore, AGroupWritableRootIsRefused) {
  fs::create_directory(temp / "cache");
  fs::permissions(temp / "cache", fs::perms::owner_all | fs::perms::group_all);
  expect_memory_only(temp / "cache", "is writable by others");
}

TEST_F(HostileStore, AReadableRootOfOurOwnIsTaken) {
  fs::create_directory(temp / "cache");
  fs::permissions(temp / "cache", fs::perms::owner_all | fs::perms::group_read | fs::perms::others_read);
  EXPECT_TRUE(Store(at(temp / "cache")).persistent());
}

TEST_F(HostileStore, ARootThatIsALinkIsRefused) {
  fs::create_directory(temp / "elsewhere");
  fs::permissions(temp / "elsewhere", fs::perms::owner_all);
  fs::create_directory_symlink(temp / "elsewhere", temp / "cache");
  expect_memory_only(temp / "cache", "symbolic link");
  EXPECT_TRUE(fs::is_empty(temp / "elsewhere"));
}

TEST_F(HostileStore, OurOwnLinkOnTheWayIsFollowed) {
  fs::create_directory(temp / "scratch");
  fs::create_directory_symlink("scratch", temp / "link");
  Store store(at(temp / "link/cache"));
  EXPECT_TRUE(store.put(Shelf::kernel, entry)) << store.why_memory_only();
  EXPECT_TRUE(fs::exists(temp.path() / "scratch/cache" / path_of(Shelf::kernel, key_of(entry))));
}

TEST_F(HostileStore, LinksThatTurnInACircleEnd) {
  fs::create_directory_symlink("b", temp / "a");
  fs::create_directory_symlink("a", temp / "b");
  expect_memory_only(temp / "a/cache", "cannot be followed");
}

TEST_F(HostileStore, AParentThatEverybodyMayWriteIsRefusedUnlessSticky) {
  fs::create_directory(temp / "open");
  fs::permissions(temp / "open", fs::perms::all);
  expect_memory_only(temp / "open/cache", "is writable by everybody");
  fs::permissions(temp / "open", fs::perms::all | fs::perms::sticky_bit);
  EXPECT_TRUE(Store(at(temp / "open/cache")).persistent());
}

TEST_F(HostileStore, AFileInAFoldersPlaceIsRefused) {
  std::ofstream(temp / "cache") << "a file";
  expect_memory_only(temp / "cache", "is not a folder");
  warnings.clear();
  expect_memory_only(temp / "cache/below", "is not a folder");
}

TEST_F(HostileStore, ARelativeRootIsRefused) { expect_memory_only("cache", "not an absolute path"); }
TEST_F(HostileStore, TheRootOfEverythingIsRefused) { expect_memory_only("/", "cannot be a cache"); }

TEST_F(HostileStore, AVersionOrShelfFolderThatIsALinkIsRefused) {
  fs::create_directories(temp / "cache");
  fs::permissions(temp / "cache", fs::perms::owner_all);
  fs::create_directory_symlink(temp.path(), temp / "cache/v1");
  expect_memory_only(temp / "cache", "symbolic link");
  fs::remove(temp / "cache/v1");
  fs::create_directory(temp / "cache/v1");
  fs::permissions(temp / "cache/v1", fs::perms::owner_all);
  fs::create_directory_symlink(temp.path(), temp / "cache/v1/kernels");
  warnings.clear();
  expect_memory_only(temp / "cache", "symbolic link");
}

TEST_F(HostileStore, AForeignRootIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  fs::create_directory(temp / "cache");
  fs::permissions(temp / "cache", fs::perms::owner_all);
  ASSERT_EQ(::chown((temp / "cache").c_str(), test::nobody, test::nobody), 0);
  expect_memory_only(temp / "cache", "belongs to another user");
}

TEST_F(HostileStore, AForeignParentIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  fs::create_directories(temp / "theirs");
  ASSERT_EQ(::chown((temp / "theirs").c_str(), test::nobody, test::nobody), 0);
  expect_memory_only(temp / "theirs/cache", "belongs to another user");
  EXPECT_TRUE(fs::is_empty(temp / "theirs"));
}

TEST_F(HostileStore, AForeignLinkOnTheWayIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a link away";
  fs::create_directory(temp / "elsewhere");
  fs::create_directory_symlink("elsewhere", temp / "link");
  ASSERT_EQ(::lchown((temp / "link").c_str(), test::nobody, test::nobody), 0);
  expect_memory_only(temp / "link/cache", "belongs to another user");
}

TEST_F(HostileStore, RootsFoldersAreNoCacheOfAnOrdinaryUsers) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs two users";
  fs::permissions(temp.path(), fs::perms::owner_all | fs::perms::others_exec | fs::perms::others_read);
  fs::create_directory(temp / "cache");
  fs::permissions(temp / "cache", fs::perms::owner_all | fs::perms::others_exec | fs::perms::others_read);
  test::expect_as_ordinary_user([&] {
    StoreOptions options;
    options.root = temp / "cache";
    const Store store(options);
    return !store.persistent() && store.why_memory_only().find("another user") != std::string::npos;
  });
}

/// Something else stands where the entry should: `plant` gets its path and the path of a good copy.
class HostileEntry : public HostileStore {
 protected:
  void expect_refused(const std::function<void(const fs::path& place, const fs::path& copy)>& plant,
                      const std::string& reason) {
    Store store(at(temp / "cache"));
    ASSERT_TRUE(store.put(Shelf::kernel, entry));
    const fs::path place = temp.path() / "cache" / path_of(Shelf::kernel, key_of(entry));
    const fs::path copy = temp / "copy";
    fs::rename(place, copy);
    plant(place, copy);
    EXPECT_FALSE(store.get(Shelf::kernel, key_of(entry)));
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find(reason), std::string::npos) << warnings[0];
    ASSERT_EQ(store.verify().size(), 1u);
    EXPECT_NE(store.verify()[0].why.find(reason), std::string::npos) << store.verify()[0].why;
    // A put publishes over it and writes nowhere else.
    if (!fs::is_directory(fs::symlink_status(place))) {
      const auto untouched = fs::exists(copy) ? fs::file_size(copy) : 0;
      EXPECT_TRUE(store.put(Shelf::kernel, entry));
      EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(place)));
      EXPECT_TRUE(store.get(Shelf::kernel, key_of(entry)));
      if (fs::exists(copy)) {
        EXPECT_EQ(fs::file_size(copy), untouched);
      }
    }
  }
};

TEST_F(HostileEntry, ALinkToAGoodEntryIsRefused) {
  expect_refused([](const fs::path& place, const fs::path& copy) { fs::create_symlink(copy, place); }, "symbolic link");
}

TEST_F(HostileEntry, AFifoIsRefusedWithoutWaiting) {
  expect_refused([](const fs::path& place, const fs::path&) { ASSERT_EQ(::mkfifo(place.c_str(), 0600), 0); },
                 "is not a regular file");
}

TEST_F(HostileEntry, AFolderIsRefused) {
  expect_refused([](const fs::path& place, const fs::path&) { fs::create_directory(place); }, "is not a regular file");
}

TEST_F(HostileEntry, AGoodEntryWithASecondNameIsRefused) {
  expect_refused([](const fs::path& place, const fs::path& copy) { fs::create_hard_link(copy, place); },
                 "has several names");
}

TEST_F(HostileEntry, AGoodEntryThatOthersMayWriteIsRefused) {
  expect_refused(
      [](const fs::path& place, const fs::path& copy) {
        fs::copy_file(copy, place);
        fs::permissions(place, fs::perms::owner_all | fs::perms::others_write);
      },
      "is writable by others");
}

TEST_F(HostileEntry, AGoodEntryOfAnotherUsersIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  expect_refused(
      [](const fs::path& place, const fs::path& copy) {
        fs::copy_file(copy, place);
        ASSERT_EQ(::chown(place.c_str(), test::nobody, test::nobody), 0);
      },
      "belongs to another user");
}

TEST_F(HostileEntry, AHugeSparseFileIsRefusedUnread) {
  expect_refused(
      [](const fs::path& place, const fs::path&) {
        std::ofstream(place).put('x');
        fs::resize_file(place, std::uintmax_t{10} << 30);
      },
      "is too large");
}

TEST_F(HostileEntry, AnEmptyFileIsRefused) {
  expect_refused([](const fs::path& place, const fs::path&) { std::ofstream{place}; }, "too short");
}

TEST_F(HostileStore, AShardThatIsALinkIsPassedOver) {
  Store store(at(temp / "cache"));
  ASSERT_TRUE(store.put(Shelf::kernel, entry));
  const fs::path shard = (temp.path() / "cache" / path_of(Shelf::kernel, key_of(entry))).parent_path();
  fs::rename(shard, temp / "moved");
  fs::create_directory_symlink(temp / "moved", shard);
  EXPECT_FALSE(store.get(Shelf::kernel, key_of(entry)));
  EXPECT_FALSE(store.put(Shelf::kernel, entry_named("a", "new")));
  EXPECT_TRUE(store.get(Shelf::kernel, key_of(entry))) << "from memory";
  EXPECT_EQ(warnings.size(), 1u);
  ASSERT_EQ(store.verify().size(), 1u);
}

}  // namespace
}  // namespace tilejit
