#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tilejit/cache/folder.h>

namespace tilejit {
namespace {

constexpr int max_links = 40;

std::deque<std::string> components_of(std::string_view path) {
  std::deque<std::string> components;
  while (!path.empty()) {
    const std::size_t end = path.find('/');
    const std::string_view component = path.substr(0, end);
    if (!component.empty() && component != ".") components.emplace_back(component);
    path.remove_prefix(end == std::string_view::npos ? path.size() : end + 1);
  }
  return components;
}

/// Who may exchange what stands in a folder (or replace a link) could lead us elsewhere. Group members are let pass:
/// the cache's own folders are checked for owner and mode themselves, so that all that a member could do is hide them,
/// and group-writable parents are the rule on shared project disks.
std::string untrusted(const struct stat& status) {
  if (status.st_uid != 0 && status.st_uid != ::geteuid())
    return "belongs to another user (uid " + std::to_string(status.st_uid) + ")";
  if (S_ISDIR(status.st_mode) && (status.st_mode & 0002) != 0 && (status.st_mode & S_ISVTX) == 0)
    return "is writable by everybody";
  return {};
}

/// One step of the walk: the folder so far, its path for messages, what is still to come.
struct Walk {
  Descriptor at;
  std::string path;
  std::deque<std::string> rest;
  int links = 0;

  std::string here(const std::string& name) const { return path + "/" + name; }
};

/// Follows the link `name` by putting what it says in front of the rest.
bool follow(Walk& walk, const Descriptor& link, std::string& why) {
  char target[4096];
  const ssize_t length = ::readlinkat(link.get(), "", target, sizeof target);
  if (length <= 0 || length == sizeof target || ++walk.links > max_links) {
    why = "is a symbolic link that cannot be followed";
    return false;
  }
  const std::string_view text(target, static_cast<std::size_t>(length));
  std::deque<std::string> first = components_of(text);
  walk.rest.insert(walk.rest.begin(), first.begin(), first.end());
  if (text.front() == '/') {
    walk.at = Descriptor(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
    walk.path.clear();
  }
  return true;
}

/// Goes from walk.at into `name`, a folder on the way.
bool step(Walk& walk, const std::string& name, std::string& why) {
  constexpr int flags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
  Descriptor next(::openat(walk.at.get(), name.c_str(), flags));
  if (!next && errno == ENOENT) {
    if (::mkdirat(walk.at.get(), name.c_str(), 0700) != 0 && errno != EEXIST) {
      why = "cannot be made: " + error_text(errno);
      return false;
    }
    next = Descriptor(::openat(walk.at.get(), name.c_str(), flags));
  }
  struct stat status {};
  if (!next || ::fstat(next.get(), &status) != 0) {
    why = error_text(errno);
    return false;
  }
  why = untrusted(status);
  if (!why.empty()) return false;
  if (S_ISLNK(status.st_mode)) return follow(walk, next, why);
  if (!S_ISDIR(status.st_mode)) {
    why = "is not a folder";
    return false;
  }
  walk.at = std::move(next);
  walk.path = walk.here(name);
  return true;
}

}  // namespace

std::optional<Folder> Folder::open_root(const std::string& path, std::string& why) {
  if (path.empty() || path.front() != '/') {
    why = "'" + path + "' is not an absolute path";
    return std::nullopt;
  }
  Walk walk{Descriptor(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)), {}, components_of(path)};
  if (walk.rest.empty()) {
    why = "'/' cannot be a cache";
    return std::nullopt;
  }
  const std::string last = walk.rest.back();
  walk.rest.pop_back();
  while (!walk.rest.empty()) {
    const std::string name = std::move(walk.rest.front());
    walk.rest.pop_front();
    if (!step(walk, name, why)) {
      why = "'" + walk.here(name) + "' " + why;
      return std::nullopt;
    }
  }
  const Folder parent(std::move(walk.at));
  std::optional<Folder> root = parent.open(last, Missing::create, why);
  if (!root) why = "'" + walk.here(last) + "' " + why;
  return root;
}

}  // namespace tilejit
