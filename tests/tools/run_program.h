#pragma once
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tilejit/tests/support/temp_folder.h>

namespace tilejit::test {

/// How the program ended: its exit status (128 + signal where a signal ended it) and what it wrote.
struct Finished {
  int status = -1;
  std::string out, err;
};

/// The built `tilejit` with a cache folder of its own and no TILEJIT_* from outside.
class Program {
 public:
  void set(const std::string& name, const std::string& value) { environment_.emplace_back(name, value); }
  std::filesystem::path cache() const { return folder_ / "cache"; }
  std::filesystem::path folder() const { return folder_.path(); }

  /// A file in this program's folder; its path.
  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_ / name;
    std::ofstream(path) << text;
    return path.string();
  }

  Finished operator()(std::vector<std::string> args) const {
    const std::string out = (folder_ / "stdout").string(), err = (folder_ / "stderr").string();
    args.insert(args.begin(), TILEJIT_PROGRAM);
    std::vector<char*> argv;
    for (std::string& arg : args) argv.push_back(arg.data());
    argv.push_back(nullptr);
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) {
      for (const char* name : {"TILEJIT_CACHE_DIR", "TILEJIT_NVRTC", "TILEJIT_TUNING", "TILEJIT_LOG", "TILEJIT_DEVICE",
                               "TILEJIT_TEMPLATES", "TILEJIT_EMULATED_CC", "TILEJIT_EMULATED_CHECK",
                               "TILEJIT_EMULATED_MEMORY", "TILEJIT_EMULATED_WORKERS", "TILEJIT_EMULATED_DETERMINISTIC",
                               "TILEJIT_EMULATED_SHUFFLE", "TILEJIT_EMULATED_MMA", "TILEJIT_EMULATED_SET"}) {
        ::unsetenv(name);
      }
      ::setenv("TILEJIT_CACHE_DIR", cache().c_str(), 1);
      for (const auto& [name, value] : environment_) ::setenv(name.c_str(), value.c_str(), 1);
      const int to_out = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      const int to_err = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      ::dup2(to_out, 1);
      ::dup2(to_err, 2);
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(out), text_of(err)};
  }

  static std::string text_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  TempFolder folder_;
  std::vector<std::pair<std::string, std::string>> environment_;
};

/// A template of a user's own: y = factor * x, one row of BLOCK elements a program.
inline const char* const scale_template = R"cuh(/*---
summary = "y = factor * x"
default = { BLOCK = 256, num_warps = 4 }
grid    = ["cdiv(N, BLOCK)"]
[[arguments]]
name = "x"
shape = ["N"]
access = "read"
dtypes = ["f32"]
[[arguments]]
name = "factor"
dtype = "f32"
default = 2.0
[[arguments]]
name = "y"
shape = ["N"]
access = "write"
dtype = "x"
[config]
BLOCK     = [128, 256, 512]
num_warps = [4]
[cost]
bytes = "N * (size(x) + size(y))"
---*/
template <class X, class Y>
__device__ void scale(X x, float factor, Y y) {
  auto at = program_id<0>() * BLOCK + arange<BLOCK>();
  store(y, at, load(x, at) * factor);
}
)cuh";

}  // namespace tilejit::test
