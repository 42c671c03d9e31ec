#pragma once
#include <string>
#include <vector>

#include <tilejit/generator/nvrtc.h>

namespace tilejit::test {

/// An NVRTC of plain functions that compiles nothing and records what it is asked. Only one at a time.
class FakeNvrtc {
 public:
  FakeNvrtc();
  ~FakeNvrtc();
  FakeNvrtc(const FakeNvrtc&) = delete;
  FakeNvrtc& operator=(const FakeNvrtc&) = delete;
  Nvrtc nvrtc(const std::string& build_id = "0123", const std::string& builtins = {}) const;

  // What it answers.
  int major = 13, minor = 0;
  std::vector<int> archs = {75, 80, 90, 100};
  int compile_result = 0;
  std::string log = "\0";
  std::string ptx = ".visible .entry scale_kernel(\n// tilejit.scratch 4096\n";
  std::string cubin =
      "\x7f"
      "ELF and more";

  // What it was asked.
  std::vector<std::vector<std::string>> options;             // one list a compile
  std::vector<std::pair<std::string, std::string>> headers;  // of the last program
  int alive = 0;                                             // programs created and not destroyed
};

}  // namespace tilejit::test
