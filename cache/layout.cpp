#include <tilejit/cache/layout.h>

#include <tilejit/cache/store.h>

namespace tilejit::layout {
namespace {

constexpr std::string_view entry_suffix = ".entry";
constexpr std::string_view temporary_prefix = ".t.";

}  // namespace

const char* shelf_folder(Shelf shelf) { return shelf == Shelf::kernel ? "kernels" : "tuning"; }

std::string shard_folder(const Key& key) { return key.hex().substr(0, 2); }

std::string entry_file(const Key& key) { return key.hex().substr(2) + std::string(entry_suffix); }

std::string temporary_file(std::uint64_t random) {
  std::string name(temporary_prefix);
  for (int shift = 60; shift >= 0; shift -= 4) name.push_back("0123456789abcdef"[(random >> shift) & 15]);
  return name;
}

bool is_shard(std::string_view folder) {
  return folder.size() == 2 && folder.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_temporary(std::string_view file) { return file.starts_with(temporary_prefix); }

std::optional<Key> key_of(std::string_view shard, std::string_view file) {
  if (!is_shard(shard) || !file.ends_with(entry_suffix)) return std::nullopt;
  return Key::from_hex(std::string(shard) + std::string(file.substr(0, file.size() - entry_suffix.size())));
}

std::string relative_path(Shelf shelf, std::string_view shard, std::string_view file) {
  return std::string(version_folder) + "/" + shelf_folder(shelf) + "/" + std::string(shard) + "/" + std::string(file);
}

}  // namespace tilejit::layout
