#pragma once
#include <tilejit/runtime/jit.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include <tilejit/tests/support/fake_driver.h>
#include <tilejit/tests/support/probe_template.h>
#include <tilejit/tests/support/temp_folder.h>

namespace tilejit::test {

/// A Jit over a fake driver and the real compiler; launches of the probe copy x to y on the host.
class JitTest : public ::testing::Test {
 protected:
  JitTest() {
    templates_ = folder_.path() / "templates";
    std::filesystem::create_directory(templates_);
    write_template(templates_, "probe", probe_source());
    driver_.run = [this](const FakeLaunch& launch) { play(launch); };
    driver_.kernels["probe_kernel"].parameters = eight_bytes(3);              // x, y, N
    driver_.kernels["count_differences_kernel"].parameters = eight_bytes(6);  // x, expected, count, N, tolerances
  }

  static std::vector<FakeKernel::Place> eight_bytes(std::size_t count) {
    std::vector<FakeKernel::Place> places;
    for (std::size_t i = 0; i < count; ++i) places.push_back({8 * i, 8});
    return places;
  }

  Options options(Tuning tuning = Tuning::off) const {
    Options options;
    options.cache_root = (folder_ / "cache").string();
    options.tuning = tuning;
    options.template_paths = {templates_.string()};
    options.log = [this](LogLevel, std::string_view, std::string_view message) { log_.emplace_back(message); };
    return options;
  }

  void play(const FakeLaunch& launch) {
    if (launch.entry != "probe_kernel") return;
    const auto n = launch.parameter<std::int64_t>(2);
    const auto* x = reinterpret_cast<const float*>(launch.parameter<std::uint64_t>(0));
    auto* y = reinterpret_cast<float*>(launch.parameter<std::uint64_t>(1));
    if (writes_) std::copy_n(x, n, y);
  }

  Tensor ones(std::int64_t n) { return device_.copy_of(std::vector<float>(std::size_t(n), 1.0f), {n}); }
  std::vector<FakeLaunch> probes() const {
    std::vector<FakeLaunch> found = driver_.launches();
    std::erase_if(found, [](const FakeLaunch& launch) { return launch.entry != "probe_kernel"; });
    return found;
  }
  template <class F>
  std::string refused(F f) {
    const std::size_t before = driver_.launches().size();
    try {
      f();
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(driver_.launches().size(), before);
      return error.what();
    }
    ADD_FAILURE() << "not refused";
    return "";
  }

  TempFolder folder_;
  std::filesystem::path templates_;
  FakeDriver driver_;
  Device device_ = driver_.device();
  bool writes_ = true;
  mutable std::vector<std::string> log_;
};

}  // namespace tilejit::test
