#include <tilejit/cache/tree.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <utility>

#include <tilejit/cache/layout.h>

namespace tilejit {
namespace {

/// Best effort: a missing tag costs a backup some megabytes.
void tag(const Folder& root) {
  struct stat status {};
  if (::fstatat(root.descriptor(), layout::tag_file, &status, AT_SYMLINK_NOFOLLOW) == 0) return;
  std::string ignored;
  root.publish(layout::tag_file, layout::tag_text, false, system_file_calls(), ignored);
}

}  // namespace

std::shared_ptr<const Tree> Tree::open(const std::string& root_path, std::string& why) {
  const std::optional<Folder> root = Folder::open_root(root_path, why);
  if (!root) return nullptr;
  std::string at = root_path;
  const auto enter = [&](const std::optional<Folder>& parent, const std::string& name) -> std::optional<Folder> {
    if (!parent) return std::nullopt;
    std::optional<Folder> opened = parent->open(name, Folder::Missing::create, why);
    if (!opened) why = "'" + at + "/" + name + "' " + why;
    return opened;
  };
  std::optional<Folder> version = enter(root, layout::version_folder);
  at += std::string("/") + layout::version_folder;
  std::optional<Folder> kernels = enter(version, layout::shelf_folder(Shelf::kernel));
  std::optional<Folder> tuning = kernels ? enter(version, layout::shelf_folder(Shelf::tuning)) : std::nullopt;
  if (!tuning) return nullptr;
  tag(*root);
  return std::shared_ptr<const Tree>(new Tree(std::move(*version), std::move(*kernels), std::move(*tuning)));
}

}  // namespace tilejit
