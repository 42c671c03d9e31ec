#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tilejit {

/// Folders in which the dynamic loader looks, as far as they can be told without loading anything: LD_LIBRARY_PATH
/// (unless the process is privileged), then the folders that /etc/ld.so.cache names for files beginning with `prefix`,
/// then the system's own.
std::vector<std::string> loader_folders(std::string_view prefix);

/// The folders for which a glibc loader cache, given as bytes, holds a file beginning with `prefix`, in its order.
std::vector<std::string> folders_in_loader_cache(std::string_view cache, std::string_view prefix);

}  // namespace tilejit
