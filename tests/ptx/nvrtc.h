#pragma once
#include <memory>
#include <string>
#include <vector>

namespace tilejit::ptx {

/// NVRTC opened by dlopen, for tests alone. Sought in TILEJIT_NVRTC, CUDA_PATH, beside the headers the build uses, and
/// on the loader path.
class TestNvrtc {
 public:
  TestNvrtc();  ///< throws std::runtime_error with what was tried
  ~TestNvrtc();
  std::vector<int> archs() const;  ///< 75, 80, ...
  /// The PTX. Throws std::runtime_error with the log.
  std::string compile(const std::string& source, const std::string& name,
                      const std::vector<std::string>& options) const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace tilejit::ptx
