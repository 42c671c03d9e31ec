#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tilejit::test {

/// How a program ended, its exit status (128 + signal where a signal ended it), and all that it wrote.
struct Ending {
  int status = -1;
  std::string text;
};

/// Runs a program, args[0] its file, with these variables in its environment beside this program's own; an empty value
/// takes one out.
inline Ending run_file(std::vector<std::string> args,
                       const std::vector<std::pair<std::string, std::string>>& environment) {
  std::vector<char*> argv;
  for (std::string& arg : args) argv.push_back(arg.data());
  argv.push_back(nullptr);
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    for (const auto& [name, value] : environment) {
      if (value.empty()) {
        ::unsetenv(name.c_str());
      } else {
        ::setenv(name.c_str(), value.c_str(), 1);
      }
    }
    ::dup2(ends[1], 1);
    ::dup2(ends[1], 2);
    ::close(ends[0]);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  Ending ending;
  std::array<char, 4096> buffer;
  for (ssize_t count = 0; (count = ::read(ends[0], buffer.data(), buffer.size())) > 0;)
    ending.text.append(buffer.data(), std::size_t(count));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  ending.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ending;
}

}  // namespace tilejit::test
