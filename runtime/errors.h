#pragma once
#include <string>

#include <tilejit/generator/error.h>

namespace tilejit {

/// No GPU (or emulated device) that can be used: what was looked for, where, and what each place answered.
class TILEJIT_API NoDevice : public Error {
 public:
  using Error::Error;
  ~NoDevice() override;
};

/// A call that would compile, load or tune on a stream that is capturing. Nothing was called on the driver; the capture
/// is intact. prepare() the function with the same arguments before the capture.
class TILEJIT_API NotPrepared : public Error {
 public:
  using Error::Error;
  ~NotPrepared() override;
};

/// A Driver API call that failed.
class TILEJIT_API CudaError : public Error {
 public:
  CudaError(int code, const std::string& call, const std::string& name, const std::string& text);
  ~CudaError() override;
  int code() const { return code_; }                 ///< a CUresult
  const std::string& call() const { return call_; }  ///< "cuLaunchKernelEx"
  const std::string& name() const { return name_; }  ///< "CUDA_ERROR_ILLEGAL_ADDRESS"
  bool is_sticky() const;                            ///< the context is lost; every later call on it fails

 private:
  int code_;
  std::string call_, name_;
};

}  // namespace tilejit
