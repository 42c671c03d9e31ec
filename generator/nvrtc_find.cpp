#include <link.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

#include <tilejit/generator/build_id.h>
#include <tilejit/generator/error.h>
#include <tilejit/generator/loader_path.h>
#include <tilejit/generator/nvrtc.h>

namespace tilejit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view library = "libnvrtc.so", builtins_library = "libnvrtc-builtins.so";

/// "libnvrtc.so.13.0.88" -> {13, 0, 88}; nullopt: another name.
std::optional<std::vector<int>> version_in(std::string_view file, std::string_view stem) {
  if (!file.starts_with(stem)) return std::nullopt;
  file.remove_prefix(stem.size());
  std::vector<int> version;
  while (!file.empty()) {
    int part = 0;
    const auto [end, error] = std::from_chars(file.data() + 1, file.data() + file.size(), part);
    if (file.front() != '.' || error != std::errc()) return std::nullopt;
    version.push_back(part);
    file.remove_prefix(static_cast<std::size_t>(end - file.data()));
  }
  return version;
}

/// The newest libnvrtc in a folder; empty: none.
std::string newest_in(const fs::path& folder) {
  std::vector<int> best_version;
  std::string best;
  std::error_code none;
  for (fs::directory_iterator item(folder, none), end; !none && item != end; item.increment(none)) {
    const std::string name = item->path().filename();
    const auto version = version_in(name, library);
    if (version && (best.empty() || *version > best_version) && fs::is_regular_file(item->path(), none)) {
      best_version = *version;
      best = item->path();
    }
    none.clear();
  }
  return best;
}

std::string already_loaded() {
  std::string path;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        const fs::path loaded = info->dlpi_name;
        if (!version_in(loaded.filename().string(), library)) return 0;
        *static_cast<std::string*>(result) = loaded;
        return 1;
      },
      &path);
  return path;
}

std::string builtins_beside(const fs::path& file) {
  std::error_code none;
  const fs::path real = fs::canonical(file, none);
  const auto version = version_in((none ? file : real).filename().string(), library);
  std::vector<std::string> ids;
  for (const fs::path& folder : {file.parent_path(), real.parent_path()}) {
    for (fs::directory_iterator item(folder, none), end; !none && item != end; item.increment(none)) {
      const auto its = version_in(item->path().filename().string(), builtins_library);
      if (!its || its->empty()) continue;
      // Their name ends in major.minor, libnvrtc's in as much as it has.
      const std::size_t common = version ? std::min(version->size(), its->size()) : 0;
      if (version && !std::equal(its->begin(), its->begin() + static_cast<std::ptrdiff_t>(common), version->begin()))
        continue;
      std::string id = identity_of(item->path());
      if (!id.empty()) ids.push_back(std::move(id));
    }
    if (!ids.empty()) break;
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::string joined;
  for (const std::string& id : ids) joined += (joined.empty() ? "" : "+") + id;
  return joined;
}

/// nullopt: not a library that could be loaded here.
std::optional<NvrtcFile> nvrtc_at(const std::string& path) {
  std::string id = path.empty() ? "" : identity_of(path);
  if (id.empty()) return std::nullopt;
  return NvrtcFile{path, std::move(id), builtins_beside(path)};
}

std::vector<std::string> folders_of_toolkit(const std::string& root) {
  return {root + "/lib64", root + "/lib", root + "/targets/x86_64-linux/lib", root + "/targets/sbsa-linux/lib"};
}

}  // namespace

NvrtcFile find_nvrtc(const std::string& path) {
  if (!path.empty()) {
    std::error_code none;
    const std::string file = fs::is_directory(path, none) ? newest_in(path) : path;
    if (auto found = nvrtc_at(file)) return *found;
    const char* wrong = file.empty()             ? "holds no libnvrtc.so"
                        : fs::exists(file, none) ? "is not a shared library of this machine's"
                                                 : "does not exist";
    throw ToolchainError("the NVRTC that was asked for, '" + path + "', " + wrong);
  }
  if (auto found = nvrtc_at(already_loaded())) return *found;

  std::vector<std::string> folders;
  const auto append = [&](const std::vector<std::string>& more) {
    folders.insert(folders.end(), more.begin(), more.end());
  };
  if (const char* toolkit = ::secure_getenv("CUDA_PATH"); toolkit != nullptr && *toolkit == '/')
    append(folders_of_toolkit(toolkit));
  append(folders_of_toolkit("/usr/local/cuda"));
#ifdef TILEJIT_NVRTC_FOLDER
  append({TILEJIT_NVRTC_FOLDER});
#endif
  append(loader_folders(library));
  std::string tried;
  for (const std::string& folder : folders) {
    if (auto found = nvrtc_at(newest_in(folder))) return *found;
    tried += "\n  " + folder;
  }
  throw ToolchainError(
      "no NVRTC was found. Install the CUDA toolkit (12.4 or newer) or NVIDIA's NVRTC wheel, or name the file in "
      "Options::nvrtc or TILEJIT_NVRTC. No libnvrtc.so is loaded in this process, CUDA_PATH is " +
      std::string(::secure_getenv("CUDA_PATH") != nullptr ? "set" : "not set") + ", and there is none in" + tried);
}

}  // namespace tilejit
