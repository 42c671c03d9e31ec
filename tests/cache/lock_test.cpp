#include <tilejit/cache/lock.h>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include <tests/support/temp_folder.h>
#include <tilejit/cache/folder.h>

namespace tilejit {
namespace {

class LockTest : public testing::Test {
 protected:
  test::TempFolder temp;
  std::string why;
  std::optional<Folder> folder = Folder::open_root(temp.path(), why);
  Key key = digest("k"), other = digest("o");
  void SetUp() override { ASSERT_TRUE(folder) << why; }
};

TEST_F(LockTest, OneHolderAKey) {
  Lock first = Lock::try_take(*folder, key);
  ASSERT_EQ(first.state(), Lock::State::held);
  EXPECT_EQ(Lock::try_take(*folder, key).state(), Lock::State::busy);
  EXPECT_EQ(Lock::try_take(*folder, other).state(), Lock::State::held);
  first = Lock();
  EXPECT_EQ(Lock::try_take(*folder, key).state(), Lock::State::held);
}

TEST_F(LockTest, TheKernelFreesTheLockOfAKilledHolder) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const Lock held = Lock::try_take(*folder, key);
    const char state = held.state() == Lock::State::held ? 'h' : 'n';
    if (::write(ready[1], &state, 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }
  char state = 0;
  ASSERT_EQ(::read(ready[0], &state, 1), 1);
  ASSERT_EQ(state, 'h');
  EXPECT_EQ(Lock::try_take(*folder, key).state(), Lock::State::busy);
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_EQ(Lock::try_take(*folder, key).state(), Lock::State::held);
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(LockTest, WhatIsNoPlainFileIsNotLockedAndNotWaitedFor) {
  std::filesystem::create_symlink("/dev/null", temp / "lock");
  EXPECT_EQ(Lock::try_take(*folder, key).state(), Lock::State::none);
  std::filesystem::remove(temp / "lock");
  std::filesystem::create_directory(temp / "lock");
  EXPECT_EQ(Lock::try_take(*folder, key).state(), Lock::State::none);
}

}  // namespace
}  // namespace tilejit
