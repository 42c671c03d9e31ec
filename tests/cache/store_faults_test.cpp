#include <gtest/gtest.h>
#include <unistd.h>

#include <sys/resource.h>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include <tests/support/temp_folder.h>
#include <tilejit/cache/file_calls.h>
#include <tilejit/cache/store.h>

#include "entries.h"
#include "other_user.h"

// Disks that are full, read-only or broken.

namespace tilejit {
namespace {

namespace fs = std::filesystem;
using test::entry_named;
using test::equal;
using test::key_of;

// A table of plain functions has nowhere else to keep what a test asks of it.
struct Faults {
  long bytes_left = -1;  // -1: no limit
  long step = 1 << 20;   // the most one write takes
  int sync_error = 0, close_error = 0, rename_error = 0;
  int syncs = 0;
} faults;

ssize_t faulty_write(int descriptor, const void* bytes, std::size_t count) {
  if (faults.bytes_left == 0) {
    errno = ENOSPC;
    return -1;
  }
  count = std::min(count, static_cast<std::size_t>(faults.step));
  if (faults.bytes_left > 0) count = std::min(count, static_cast<std::size_t>(faults.bytes_left));
  const ssize_t written = ::write(descriptor, bytes, count);
  if (faults.bytes_left > 0 && written > 0) faults.bytes_left -= written;
  return written;
}

int faulty_sync(int descriptor) {
  ++faults.syncs;
  errno = faults.sync_error;
  return faults.sync_error != 0 ? -1 : ::fsync(descriptor);
}

int faulty_close(int descriptor) {
  const int result = ::close(descriptor);
  errno = faults.close_error;
  return faults.close_error != 0 ? -1 : result;
}

int faulty_rename(int folder, const char* from, const char* to) {
  errno = faults.rename_error;
  return faults.rename_error != 0 ? -1 : ::renameat(folder, from, folder, to);
}

constexpr FileCalls faulty_calls{faulty_write, faulty_sync, faulty_close, faulty_rename};

class FaultyStore : public testing::Test {
 protected:
  test::TempFolder temp;
  int warnings = 0;
  std::string warning;

  StoreOptions options() {
    LogOptions log;
    log.sink = [this](LogLevel, std::string_view, std::string_view message) {
      ++warnings;
      warning = message;
    };
    StoreOptions options;
    options.root = temp / "cache";
    options.log = Logger("tilejit.cache", log);
    options.file_calls = &faulty_calls;
    return options;
  }
  void SetUp() override { faults = Faults(); }
  void TearDown() override { faults = Faults(); }

  int files_on_disk() const {
    int count = 0;
    for (const auto& item : fs::recursive_directory_iterator(temp / "cache/v1")) count += item.is_regular_file();
    return count;
  }

  /// Nothing is published, nothing is left lying about, the entry is there from memory, one warning names the cause.
  void expect_unpublished(const std::string& cause) {
    Store store(options());
    const Entry entry = entry_named("a");
    ASSERT_TRUE(store.persistent());
    EXPECT_FALSE(store.put(Shelf::kernel, entry));
    EXPECT_FALSE(store.put(Shelf::kernel, entry));
    const auto back = store.get(Shelf::kernel, key_of(entry));
    ASSERT_TRUE(back);
    EXPECT_TRUE(equal(*back, entry));
    EXPECT_EQ(files_on_disk(), 0);
    EXPECT_EQ(store.counters().failed, 2u);
    EXPECT_EQ(warnings, 1);
    EXPECT_NE(warning.find(cause), std::string::npos) << warning;
    faults = Faults();
    EXPECT_TRUE(store.put(Shelf::kernel, entry)) << "the disk has room again";
  }
};

TEST_F(FaultyStore, AFullDiskAtAnyByteLeavesNothingBehind) {
  const std::size_t size = encode(entry_named("a")).size();
  Store store(options());
  for (std::size_t room = 0; room < size; ++room) {
    faults.bytes_left = static_cast<long>(room);
    ASSERT_FALSE(store.put(Shelf::kernel, entry_named("a"))) << room;
    ASSERT_EQ(files_on_disk(), 0) << room;
  }
  faults.bytes_left = -1;
  EXPECT_TRUE(store.put(Shelf::kernel, entry_named("a")));
  EXPECT_EQ(files_on_disk(), 1);
  EXPECT_EQ(warnings, 1);
}

TEST_F(FaultyStore, AFullDiskKeepsTheEntryInMemory) {
  faults.bytes_left = 0;
  expect_unpublished("No space left");
}

TEST_F(FaultyStore, AnErrorThatOnlyCloseReportsIsNotMissed) {
  faults.close_error = EDQUOT;
  expect_unpublished("quota");
}

TEST_F(FaultyStore, ARenameThatFailsKeepsTheEntryInMemory) {
  faults.rename_error = EIO;
  expect_unpublished("Input/output error");
}

TEST_F(FaultyStore, WritesInSmallPiecesAreWholeEntries) {
  faults.step = 7;
  Store store(options());
  ASSERT_TRUE(store.put(Shelf::kernel, entry_named("a")));
  EXPECT_TRUE(Store(options()).get(Shelf::kernel, key_of(entry_named("a"))));
}

TEST_F(FaultyStore, TuningResultsAreOnTheDiskWhenPutReturnsAndKernelsNeedNotBe) {
  Store store(options());
  ASSERT_TRUE(store.put(Shelf::kernel, entry_named("a")));
  EXPECT_EQ(faults.syncs, 0);
  ASSERT_TRUE(store.put(Shelf::tuning, entry_named("a")));
  EXPECT_EQ(faults.syncs, 2) << "file and folder";
  StoreOptions durable = options();
  durable.durable = true;
  ASSERT_TRUE(Store(durable).put(Shelf::kernel, entry_named("a")));
  EXPECT_EQ(faults.syncs, 4);
}

TEST_F(FaultyStore, ASyncThatFailsPublishesNothing) {
  faults.sync_error = EIO;
  Store store(options());
  EXPECT_FALSE(store.put(Shelf::tuning, entry_named("a")));
  EXPECT_EQ(files_on_disk(), 0);
}

TEST_F(FaultyStore, ARealFileSizeLimitIsAFailedPut) {
  test::TempFolder temp;
  fs::permissions(temp.path(), fs::perms::all | fs::perms::sticky_bit);
  test::expect_as_ordinary_user([&] {
    StoreOptions options;
    options.root = temp / "cache";
    options.log = Logger();
    Store store(options);
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{2000, 2000};
    if (!store.persistent() || ::setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
    const Entry large = entry_named("a", std::string(5000, 'x'));
    return !store.put(Shelf::kernel, large) && store.get(Shelf::kernel, key_of(large)) &&
           store.put(Shelf::kernel, entry_named("small"));
  });
}

TEST_F(FaultyStore, AReadOnlyCacheIsReadAndNotWritten) {
  test::TempFolder temp;
  fs::permissions(temp.path(), fs::perms::all | fs::perms::sticky_bit);
  test::expect_as_ordinary_user([&] {
    StoreOptions options;
    options.root = temp / "cache";
    int warnings = 0;
    LogOptions log;
    log.sink = [&](LogLevel, std::string_view, std::string_view) { ++warnings; };
    options.log = Logger("tilejit.cache", log);
    const Entry entry = entry_named("a");
    if (!Store(options).put(Shelf::kernel, entry)) return false;
    for (const auto& item : fs::recursive_directory_iterator(options.root))
      if (item.is_directory()) fs::permissions(item, fs::perms::owner_read | fs::perms::owner_exec);
    fs::permissions(options.root, fs::perms::owner_read | fs::perms::owner_exec);
    Store store(options);
    return store.persistent() && store.get(Shelf::kernel, key_of(entry)) && warnings == 0 &&
           !store.put(Shelf::kernel, entry_named("b")) && !store.put(Shelf::kernel, entry_named("c")) &&
           warnings == 1 && store.get(Shelf::kernel, key_of(entry_named("b"))) &&
           store.wait_turn(Shelf::kernel, digest("x")).entry == std::nullopt;
  });
}

TEST_F(FaultyStore, ARootThatCannotBeMadeIsMemoryOnly) {
  test::TempFolder temp;
  fs::create_directory(temp / "closed");
  fs::permissions(temp.path(), fs::perms::all | fs::perms::sticky_bit);
  fs::permissions(temp / "closed", fs::perms::owner_all | fs::perms::others_read | fs::perms::others_exec);
  if (::geteuid() != 0) fs::permissions(temp / "closed", fs::perms::owner_read | fs::perms::owner_exec);
  test::expect_as_ordinary_user([&] {
    StoreOptions options;
    options.root = temp / "closed/cache";
    Store store(options);
    return !store.persistent() && store.why_memory_only().find("cannot be made") != std::string::npos &&
           !store.put(Shelf::kernel, entry_named("a")) && store.get(Shelf::kernel, key_of(entry_named("a")));
  });
}

}  // namespace
}  // namespace tilejit
