#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tilejit/cache/key.h>

namespace tilejit {

enum class Shelf;

/// Every name under the cache root is made here; docs/cache_format.md draws the tree.
namespace layout {

/// Of the tree and of what its files hold. A change of either makes a new tree; old trees are left alone.
inline constexpr int format_version = 1;

inline constexpr const char* version_folder = "v1";
inline constexpr const char* lock_file = "lock";         ///< in the version folder; never deleted
inline constexpr const char* tag_file = "CACHEDIR.TAG";  ///< in the root; tells backup programs to pass it by
/// What bford.info/cachedir asks for, first line to the byte.
inline constexpr std::string_view tag_text =
    "Signature: 8a477f597d28d172789f06886806bc55\n# A cache of TileJIT's compiled kernels and tuning results.\n";

const char* shelf_folder(Shelf shelf);     ///< "kernels", "tuning"
std::string shard_folder(const Key& key);  ///< first two hex digits
std::string entry_file(const Key& key);    ///< the other 62 and ".entry"
std::string temporary_file(std::uint64_t random);
bool is_shard(std::string_view folder);
bool is_temporary(std::string_view file);
std::optional<Key> key_of(std::string_view shard, std::string_view file);  ///< nullopt: not an entry's name
std::string relative_path(Shelf shelf, std::string_view shard, std::string_view file);

}  // namespace layout
}  // namespace tilejit
