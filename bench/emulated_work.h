#pragma once
#include <functional>
#include <string>
#include <vector>

#include <tilejit/runtime/jit.h>

namespace tilejit::bench {

/// Something that the emulated device runs: one launch, and a look at what it wrote.
struct EmulatedWork {
  std::string name;
  std::function<void()> launch;
  std::function<void()> verify;  ///< throws Error where an output is wrong; empty: the tests of the template do that
};

/// Every template at its default Config, some on several views or dtypes.
std::vector<EmulatedWork> template_works(const Jit& jit);
/// What the templates do not have: shared-memory matmul, softmax, norms, halves, fp8, atomics, divergence; the kernels
/// of bench/kernels, which `folder` holds.
std::vector<EmulatedWork> kernel_works(const Device& device, const std::string& folder);

}  // namespace tilejit::bench
