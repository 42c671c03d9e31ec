#pragma once
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tilejit/generator/compiler.h>
#include <tilejit/generator/ptx/facts.h>
#include <tilejit/generator/ptx/module.h>
#include <tilejit/generator/specialization.h>
#include <tilejit/generator/template_library.h>

namespace tilejit::test {

/// A template for one Problem and Config, through NVRTC.
struct Compiled {
  ObjectCode object;
  ptx::Facts facts;
  int accesses(std::string_view space, bool store, int bytes) const {
    int sites = 0;
    for (const ptx::AccessCount& access : facts.accesses)
      if (access.space == space && access.store == store && (bytes == 0 || access.bytes == bytes))
        sites += access.sites;
    return sites;
  }
};

inline const Nvrtc& nvrtc() {
  static const Nvrtc library;
  return library;
}
inline const TemplateLibrary& library() {
  static const TemplateLibrary templates;
  return templates;
}

inline Compiled compiled(const std::string& name, const Problem& problem, std::string_view arch = "sm_90a",
                         const std::vector<std::pair<std::string, std::int64_t>>& settings = {}, bool folded = false) {
  const auto kernel = library().get(name);
  const Target target = target_of(arch);
  const Config config = config_with(kernel->info, settings);
  Compiled result;
  result.object = compile(nvrtc(), generate(*kernel, specialize(*kernel, problem, config, folded), target), target);
  const auto module = ptx::read(result.object.ptx);
  result.facts = ptx::facts_of(*module, module->functions.back());
  return result;
}

/// No spills, no local memory, nothing for the compiler to complain about.
inline void expect_clean(const Compiled& kernel, const std::string& what) {
  EXPECT_EQ(kernel.object.resources.spill_stores, 0) << what;
  EXPECT_EQ(kernel.object.resources.stack, 0) << what;
  EXPECT_EQ(kernel.facts.local_accesses, 0) << what;
  EXPECT_EQ(kernel.facts.calls, 0) << what;
  EXPECT_EQ(kernel.object.log.find("warning"), std::string::npos) << what << "\n" << kernel.object.log;
}

/// `edge` x `edge`, aligned to 256 bytes.
inline TensorProblem matrix_problem(DType dtype, std::int64_t edge, std::int64_t row_stride,
                                    std::int64_t column_stride) {
  TensorProblem tensor;
  tensor.dtype = dtype;
  tensor.rank = 2;
  tensor.shape[0] = tensor.shape[1] = edge;
  tensor.strides[0] = row_stride, tensor.strides[1] = column_stride;
  tensor.address_align = 256;
  return tensor;
}

}  // namespace tilejit::test
