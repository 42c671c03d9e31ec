#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <tilejit/cache/export.h>

namespace tilejit {

/// Where NVRTC was found, without loading it.
struct NvrtcFile {
  std::string path;
  std::string build_id;           ///< hex of the GNU build-id; where there is none, "sha256:" and the file's digest
  std::string builtins_build_id;  ///< of libnvrtc-builtins beside it (several: joined by '+'); empty: none found
};

/// `path` (Options, TILEJIT_NVRTC), a file or a folder, if given, and nothing else then. Otherwise looks in this order:
/// an NVRTC already loaded in the process, CUDA_PATH, /usr/local/cuda, wheels in the build folder, the loader path.
/// ToolchainError lists every place that was tried. Reads files, loads nothing.
TILEJIT_API NvrtcFile find_nvrtc(const std::string& path);

/// NVRTC's functions as a table, so that tests can hand in a fake. Opaque handles are void*. Results are nvrtcResult
/// values.
struct NvrtcTable {
  int (*version)(int* major, int* minor);
  const char* (*error_string)(int result);
  int (*num_supported_archs)(int* count);
  int (*supported_archs)(int* archs);
  int (*create_program)(void** program, const char* source, const char* name, int headers,
                        const char* const* header_texts, const char* const* header_names);
  int (*destroy_program)(void** program);
  int (*compile_program)(void* program, int options, const char* const* option_texts);
  int (*log_size)(void* program, std::size_t* size);
  int (*log)(void* program, char* text);
  int (*ptx_size)(void* program, std::size_t* size);
  int (*ptx)(void* program, char* text);
  int (*cubin_size)(void* program, std::size_t* size);
  int (*cubin)(void* program, char* bytes);
};

/// NVRTC itself: found at once, loaded on the first compile only. Safe from all threads.
class TILEJIT_API Nvrtc {
 public:
  explicit Nvrtc(const std::string& path = {});    ///< ToolchainError is kept and thrown by file() and table()
  Nvrtc(NvrtcFile file, const NvrtcTable& table);  ///< a fake, or a host's own
  const NvrtcFile& file() const;                   ///< ToolchainError: none found
  const NvrtcTable& table() const;                 ///< loads; ToolchainError names the file and dlerror's text
  bool loaded() const;
  std::string version() const;     ///< "13.0"; loads
  std::vector<int> archs() const;  ///< 75, 80, ...; loads
  unsigned long compiles() const;  ///< how many programs this object has compiled
  void count_compile() const;      ///< compile()'s

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace tilejit
