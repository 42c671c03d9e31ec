#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <exception>
#include <functional>

#include <tilejit/cache/layout.h>
#include <tilejit/cache/store_impl.h>

namespace tilejit {
namespace {

constexpr std::array shelves = {Shelf::kernel, Shelf::tuning};

struct Place {
  Shelf shelf;
  const Folder& shard;
  const std::string& shard_name;
  const std::string& file;

  std::optional<Key> key() const { return layout::key_of(shard_name, file); }
  std::string relative() const { return layout::relative_path(shelf, shard_name, file); }
};

/// Calls `visit` for every file in every shard, and `refused` for every shard that cannot be entered.
void for_each_file(const Tree& tree, const std::function<void(const Place&)>& visit,
                   const std::function<void(std::string file, std::string why)>& refused) {
  for (const Shelf shelf : shelves) {
    for (const std::string& shard_name : tree.shelf(shelf).names()) {
      std::string why;
      const std::optional<Folder> shard = tree.shelf(shelf).open(shard_name, Folder::Missing::refuse, why);
      if (!shard || !layout::is_shard(shard_name)) {
        std::string place = std::string(layout::version_folder) + "/" + layout::shelf_folder(shelf) + "/" + shard_name;
        refused(std::move(place), shard ? "is none of the cache's folders" : why);
        continue;
      }
      for (const std::string& file : shard->names()) visit({shelf, *shard, shard_name, file});
    }
  }
}

}  // namespace

std::vector<Store::Listed> Store::list() const {
  try {
    std::vector<Listed> listed = impl_->memory.list();
    const std::shared_ptr<const Tree> disk = impl_->tree();
    if (disk == nullptr) return listed;
    for_each_file(
        *disk,
        [&](const Place& place) {
          const std::optional<Key> key = place.key();
          struct stat status {};
          if (!key || ::fstatat(place.shard.descriptor(), place.file.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
              !S_ISREG(status.st_mode))
            return;
          listed.push_back({place.shelf, *key, static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec});
        },
        [](std::string, std::string) {});
    return listed;
  } catch (const std::exception& error) {
    impl_->options.log.warn(error.what());
  }
  return {};
}

std::vector<Store::Damaged> Store::verify() const {
  std::vector<Damaged> damaged;
  try {
    const std::shared_ptr<const Tree> disk = impl_->tree();
    if (disk == nullptr) return damaged;
    for_each_file(
        *disk,
        [&](const Place& place) {
          if (layout::is_temporary(place.file)) return;
          const std::optional<Key> key = place.key();
          if (!key) return damaged.push_back({place.relative(), "is not an entry's name"});
          const Folder::Bytes file = place.shard.read(place.file, largest_entry);
          std::string why = file.why;
          if (file.outcome == Folder::Bytes::Outcome::refused ||
              (file.outcome == Folder::Bytes::Outcome::read && !decode(file.bytes, *key, &why)))
            damaged.push_back({place.relative(), why});
        },
        [&](std::string file, std::string why) {
          damaged.push_back({std::move(file), std::move(why)});
        });
  } catch (const std::exception& error) {
    impl_->options.log.warn(error.what());
  }
  return damaged;
}

std::uint64_t Store::clear() {
  std::uint64_t count = 0;
  try {
    count += impl_->memory.clear();
    const std::shared_ptr<const Tree> disk = impl_->tree();
    if (disk == nullptr) return count;
    for_each_file(
        *disk,
        [&](const Place& place) {
          const bool entry = place.key().has_value();
          if ((entry || layout::is_temporary(place.file)) && place.shard.remove(place.file) && entry) ++count;
        },
        [](std::string, std::string) {});
  } catch (const std::exception& error) {
    impl_->options.log.warn(error.what());
  }
  return count;
}

}  // namespace tilejit
