#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include <tilejit/runtime/device.h>
#include <tilejit/runtime/jit.h>

namespace tilejit::test {

/// A device and the templates for it: the library's, the tests' and the examples'.
struct TemplatesOn {
  explicit TemplatesOn(DeviceKind kind) : device(Device::open(kind)), jit(device, options()) {}
  Device device;
  Jit jit;

 private:
  static Options options() {
    Options options;
    options.cache_root = "";
    options.tuning = Tuning::off;
    options.max_variants = 4096;
    options.template_paths = {TILEJIT_SOURCE_DIR "/tests/templates/fixtures", TILEJIT_SOURCE_DIR "/examples/templates"};
    return options;
  }
};

/// A GPU and the emulated device of its compute capability, both open in this process. TILEJIT_TEST_DEVICE=emulated:
/// two handles of the emulated device instead, to try a test out. Skipped where there is no GPU; where the machine has
/// one that cannot be opened, or the emulated device is missing, it fails.
class DevicePair : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    try {
      first_.emplace(both_emulated() ? DeviceKind::emulated : DeviceKind::gpu);
    } catch (const NoDevice& error) {
      why_ = error.what();
      return;
    }
    for (const auto& [arch, capability] : {std::pair{"80", "8.0"}, {"89", "8.9"}, {"100", "10.0"}})
      if (first_->device.target().arch.starts_with(std::string("sm_") + arch))
        ::setenv("TILEJIT_EMULATED_CC", capability, 1);
    second_.emplace(DeviceKind::emulated);
  }
  static void TearDownTestSuite() {
    second_.reset();
    first_.reset();
  }

  void SetUp() override {
    if (second_) return;
    for (const char* node : {"/dev/nvidia0", "/dev/dxg"})
      if (both_emulated() || std::filesystem::exists(node)) FAIL() << node << " is there, and no device: " << why_;
    GTEST_SKIP() << "no device: " << why_;
  }

  static bool available() { return second_.has_value(); }
  static bool both_emulated() {
    const char* named = std::getenv("TILEJIT_TEST_DEVICE");
    return named != nullptr && std::string(named).starts_with("emulated");
  }
  static const TemplatesOn& first() { return *first_; }
  static const TemplatesOn& second() { return *second_; }

 private:
  static inline std::optional<TemplatesOn> first_, second_;
  static inline std::string why_;
};

}  // namespace tilejit::test
