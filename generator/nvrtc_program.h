#pragma once
#include <string>
#include <vector>

#include <tilejit/generator/codegen.h>
#include <tilejit/generator/nvrtc.h>

namespace tilejit {

/// nvrtcResult's values that compile() tells apart.
namespace nvrtc_result {
inline constexpr int success = 0, invalid_option = 5, compilation = 6, builtin_operation = 7;
}

/// One NVRTC program, from creation to destruction. A call that fails where it must not throws ToolchainError with its
/// name and NVRTC's text.
class NvrtcProgram {
 public:
  NvrtcProgram(const NvrtcTable& table, const GeneratedSource& source);
  ~NvrtcProgram();
  NvrtcProgram(const NvrtcProgram&) = delete;
  NvrtcProgram& operator=(const NvrtcProgram&) = delete;

  int compile(const std::vector<std::string>& options);  ///< an nvrtcResult
  std::string log() const;
  std::string ptx() const;
  std::string ptx_if_any() const;  ///< a program that failed in ptxas has one; else empty
  std::string cubin() const;

 private:
  void check(int result, const char* call) const;
  using Size = int (*)(void*, std::size_t*);
  using Get = int (*)(void*, char*);
  std::string bytes(Size size, Get get, const char* call) const;

  const NvrtcTable& table_;
  void* program_ = nullptr;
};

}  // namespace tilejit
