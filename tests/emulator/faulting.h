#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "device.h"

namespace tilejit::testing {

/// How a launch ended, and what the device said of it.
struct Ended {
  CUresult code = CUDA_SUCCESS;
  std::string report;  ///< empty: no fault
};

/// Kernels of one source, with the reports of their faults and the lines these name. Lines of CUDA C++ are marked by a
/// comment: `y[0] = x[9];  // past the end`.
class Faulting {
 public:
  explicit Faulting(std::string source, const std::string& arch = "compute_90")
      : source_(std::move(source)), ptx_(compile(source_, arch)), module_(ptx_) {}

  template <class... Arguments>
  Ended run(const char* name, Shape grid, Shape block, Arguments... arguments) const {
    return run_with(name, grid, block, 0, arguments...);
  }
  /// With dynamic shared memory. The context is sound again afterwards.
  template <class... Arguments>
  Ended run_with(const char* name, Shape grid, Shape block, unsigned shared, Arguments... arguments) const {
    table().reset();
    ::testing::internal::CaptureStderr();
    Ended ended;
    ended.code = module_.run_with(name, grid, block, shared, arguments...);
    const std::string said = ::testing::internal::GetCapturedStderr();
    ended.report.resize(table().report(nullptr, 0));
    table().report(ended.report.data(), ended.report.size() + 1);
    EXPECT_EQ(said, ended.report.empty() ? "" : "emulated device: " + ended.report);
    use_device();
    return ended;
  }

  /// "/test.cu:12", where the marked line is the 12th.
  std::string source_line(const std::string& mark) const {
    const std::size_t at = source_.find("// " + mark + "\n");
    EXPECT_NE(at, std::string::npos) << mark;
    const auto line = 1 + std::count(source_.begin(), source_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return "/test.cu:" + std::to_string(line);
  }
  const std::string& ptx() const { return ptx_; }
  const Module& module() const { return module_; }

 private:
  std::string source_, ptx_;
  Module module_;
};

/// Text of kernels in PTX, loaded as it is.
inline std::string ptx_kernel(const std::string& name, const std::string& parameters, const std::string& body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry " + name + "(" + parameters + ") {\n" + body +
         "}\n";
}

inline std::string hex(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace tilejit::testing
