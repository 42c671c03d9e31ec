#pragma once
#include <filesystem>
#include <fstream>
#include <string>

namespace tilejit::test {

/// A template that compiles in no time and whose effect a fake driver plays: y = x, 1-D, three Configs.
inline std::string probe_source(const std::string& body = "") {
  return R"cuh(/*---
summary = "a probe"
default = { BLOCK = 128, num_warps = 4 }
grid    = ["cdiv(N, BLOCK)"]
use     = ["block/index.cuh", "block/tensor.cuh"]
[[arguments]]
name = "x"
shape = ["N"]
access = "read"
[[arguments]]
name = "y"
shape = ["N"]
access = "write"
dtype = "x"
[config]
BLOCK = [64, 128, 256]
---*/
template <class X, class Y>
__device__ void probe(X x, Y y) {
)cuh" + body +
         "}\n";
}

inline std::string write_template(const std::filesystem::path& folder, const std::string& name,
                                  const std::string& source) {
  const std::filesystem::path file = folder / (name + ".cuh");
  std::ofstream(file) << source;
  return file.string();
}

}  // namespace tilejit::test
