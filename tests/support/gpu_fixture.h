#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

#include <tilejit/runtime/device.h>

namespace tilejit::test {

/// A test that needs a GPU. Skipped where there is none; where the machine has one that cannot be opened, it fails.
class GpuTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    try {
      device_.emplace(Device::open());
    } catch (const NoDevice& error) {
      why_ = error.what();
    }
  }
  static void TearDownTestSuite() { device_.reset(); }

  void SetUp() override {
    if (device_) return;
    for (const char* node : {"/dev/nvidia0", "/dev/dxg"}) {
      if (std::filesystem::exists(node)) FAIL() << node << " is there, and no device: " << why_;
    }
    GTEST_SKIP() << "no device: " << why_;
  }

  static const Device& device() { return *device_; }

 private:
  static inline std::optional<Device> device_;
  static inline std::string why_;
};

}  // namespace tilejit::test
