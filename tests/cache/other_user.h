#pragma once
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace tilejit::test {

inline constexpr unsigned nobody = 65534;  ///< uid and gid of an ordinary user

/// Runs `body` in a child process as an ordinary user (of root's tests; else as who we are), and expects it to be true.
inline void expect_as_ordinary_user(const std::function<bool()>& body) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (::geteuid() == 0 && (::setgroups(0, nullptr) != 0 || ::setresgid(nobody, nobody, nobody) != 0 ||
                             ::setresuid(nobody, nobody, nobody) != 0))
      ::_exit(3);
    bool good = false;
    try {
      good = body();
    } catch (...) {
      ::_exit(2);
    }
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0) << "1: not as claimed, 2: an exception, 3: could not become another user";
}

}  // namespace tilejit::test
