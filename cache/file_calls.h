#pragma once
#include <sys/types.h>

#include <cstddef>

namespace tilejit {

/// The calls by which an entry is written, as a table, so that a test can let each of them fail. As in POSIX: -1 and
/// errno.
struct FileCalls {
  ssize_t (*write)(int descriptor, const void* bytes, std::size_t count);
  int (*sync)(int descriptor);
  int (*close)(int descriptor);
  int (*rename)(int folder, const char* from, const char* to);  ///< both names in the one folder
};

const FileCalls& system_file_calls();

}  // namespace tilejit
