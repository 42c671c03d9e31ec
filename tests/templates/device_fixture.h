#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include <tilejit/runtime/device.h>
#include <tilejit/runtime/jit.h>

namespace tilejit::test {

/// What templates compute, on the device that TILEJIT_TEST_DEVICE names: gpu (the default), emulated, or emulated:8.0
/// of that compute capability. Skipped where there is no GPU; where the machine has one that cannot be opened, or the
/// emulated device is missing, it fails. Where the program was built with TILEJIT_TEST_CACHE, a folder, kernels are
/// kept there by their content, so that what one test or an earlier run compiled is not compiled again.
class DeviceTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (const std::size_t colon = named().find(':'); colon != std::string::npos)
      ::setenv("TILEJIT_EMULATED_CC", named().substr(colon + 1).c_str(), 1);
    try {
      device_.emplace(Device::open(emulated() ? DeviceKind::emulated : DeviceKind::gpu));
    } catch (const NoDevice& error) {
      why_ = error.what();
      return;
    }
    Options options;
#ifdef TILEJIT_TEST_CACHE
    options.cache_root = TILEJIT_TEST_CACHE;
#else
    options.cache_root = "";
#endif
    options.tuning = Tuning::off;
    options.max_variants = 4096;
    options.template_paths = {TILEJIT_SOURCE_DIR "/tests/templates/fixtures", TILEJIT_SOURCE_DIR "/examples/templates"};
    jit_.emplace(*device_, options);
  }
  static void TearDownTestSuite() {
    jit_.reset();
    device_.reset();
  }

  void SetUp() override {
    if (device_) return;
    if (emulated()) FAIL() << why_;
    for (const char* node : {"/dev/nvidia0", "/dev/dxg"})
      if (std::filesystem::exists(node)) FAIL() << node << " is there, and no device: " << why_;
    GTEST_SKIP() << "no device: " << why_;
  }

  static std::string named() {
    const char* device = std::getenv("TILEJIT_TEST_DEVICE");
    return device == nullptr ? "" : device;
  }
  static bool emulated() { return named().starts_with("emulated"); }
  static const Device& device() { return *device_; }
  static const Jit& jit() { return *jit_; }

 private:
  static inline std::optional<Device> device_;
  static inline std::optional<Jit> jit_;
  static inline std::string why_;
};

}  // namespace tilejit::test
