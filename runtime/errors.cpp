#include <tilejit/runtime/errors.h>

#include <algorithm>
#include <array>

namespace tilejit {

NoDevice::~NoDevice() = default;
NotPrepared::~NotPrepared() = default;
CudaError::~CudaError() = default;

CudaError::CudaError(int code, const std::string& call, const std::string& name, const std::string& text)
    : Error(call + ": " + name + " (" + std::to_string(code) + "): " + text), code_(code), call_(call), name_(name) {}

bool CudaError::is_sticky() const {
  // By number: the oldest cuda.h that we build with does not name them all. ECC and NVLink errors, a contained error,
  // then everything a kernel can do to its context (700 to 721 without those that only refuse a launch), MPS and
  // external devices, and the error of which nobody knows what it left behind.
  static constexpr std::array sticky{214, 220, 226, 700, 702, 709, 710, 714, 715,
                                     716, 717, 718, 719, 721, 810, 911, 999};
  return std::ranges::binary_search(sticky, code_);
}

}  // namespace tilejit
