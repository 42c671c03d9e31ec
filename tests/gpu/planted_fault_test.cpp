#include <gtest/gtest.h>

#include <tilejit/runtime/jit.h>
#include <tilejit/tests/support/gpu_fixture.h>

namespace tilejit {
namespace {

/// Not part of the suite: scripts/sanitize runs it under compute-sanitizer, which must report the fault.
class PlantedFault : public test::GpuTest {};

TEST_F(PlantedFault, DISABLED_IsReportedByTheMemoryChecker) {
  Options options;
  options.cache_root = "";
  options.templates = {};
  const char* folder = std::getenv("TILEJIT_TEST_TEMPLATES");
  options.template_paths = {folder != nullptr ? folder : TILEJIT_SOURCE_DIR "/tests/fixtures/templates"};
  const Jit jit(device(), options);
  const Tensor y = device().empty(f32, {64});
  jit.function("writes_past_the_end")(device().stream(), y);
  EXPECT_THROW(device().synchronize(), CudaError);
}

}  // namespace
}  // namespace tilejit
