#include <tilejit/generator/loader_path.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace tilejit {
namespace {

void add(std::vector<std::string>& folders, std::string_view folder) {
  if (!folder.empty() && folder.front() == '/' && std::find(folders.begin(), folders.end(), folder) == folders.end())
    folders.emplace_back(folder);
}

std::uint32_t word_at(std::string_view bytes, std::size_t offset) {
  std::uint32_t value = 0;
  if (offset <= bytes.size() && bytes.size() - offset >= sizeof value)
    std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string_view text_at(std::string_view bytes, std::size_t offset) {
  if (offset >= bytes.size()) return {};
  const std::string_view rest = bytes.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

}  // namespace

// glibc's cache: a magic, the count of libraries at 20, and from 48 on 24 bytes a library, of which the second and
// third word are where its name and its path stand.
std::vector<std::string> folders_in_loader_cache(std::string_view cache, std::string_view prefix) {
  constexpr std::string_view magic = "glibc-ld.so.cache1.1";
  constexpr std::size_t header = 48, row = 24;
  std::vector<std::string> folders;
  const std::size_t start = cache.find(magic);  // an older cache may stand in front of it
  if (start == std::string_view::npos) return folders;
  cache.remove_prefix(start);
  const std::uint32_t count = word_at(cache, magic.size());
  for (std::size_t i = 0; i < count && header + (i + 1) * row <= cache.size(); ++i) {
    const std::string_view name = text_at(cache, word_at(cache, header + i * row + 4));
    const std::string_view path = text_at(cache, word_at(cache, header + i * row + 8));
    const std::size_t slash = path.rfind('/');
    if (name.starts_with(prefix) && slash != std::string_view::npos) add(folders, path.substr(0, slash));
  }
  return folders;
}

std::vector<std::string> loader_folders(std::string_view prefix) {
  std::vector<std::string> folders;
  if (const char* paths = ::secure_getenv("LD_LIBRARY_PATH")) {
    std::istringstream stream(paths);
    for (std::string folder; std::getline(stream, folder, ':');) add(folders, folder);
  }
  std::ifstream file("/etc/ld.so.cache", std::ios::binary);
  std::stringstream cache;
  cache << file.rdbuf();
  for (const std::string& folder : folders_in_loader_cache(cache.str(), prefix)) add(folders, folder);
  for (const char* folder : {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu",
                             "/usr/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"})
    add(folders, folder);
  return folders;
}

}  // namespace tilejit
