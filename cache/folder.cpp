#include <tilejit/cache/folder.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

#include <tilejit/cache/layout.h>

namespace tilejit {
namespace {

std::string refused_file(const struct stat& status, std::uint64_t limit) {
  if (!S_ISREG(status.st_mode)) return "is not a regular file";
  if (status.st_uid != ::geteuid()) return "belongs to another user";
  if ((status.st_mode & 022) != 0) return "is writable by others";
  if (status.st_nlink > 1) return "has several names";  // none: replaced since it was opened, and still whole
  if (static_cast<std::uint64_t>(status.st_size) > limit) return "is too large";
  return {};
}

bool read_all(int descriptor, std::string& bytes) {
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = ::read(descriptor, bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return true;
}

bool write_all(int descriptor, std::string_view bytes, const FileCalls& calls) {
  while (!bytes.empty()) {
    const ssize_t count = calls.write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) {
      errno = ENOSPC;
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// The file must not outlive a failure on its way to being published.
class PrivateFile {
 public:
  explicit PrivateFile(int folder) : folder_(folder) {
    for (int attempt = 0; attempt < 8 && !exists_; ++attempt) {
      std::uint64_t random = 0;
      if (::getrandom(&random, sizeof random, 0) != sizeof random) return;
      name_ = layout::temporary_file(random);
      descriptor_ =
          Descriptor(::openat(folder, name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
      exists_ = static_cast<bool>(descriptor_);
      if (!exists_ && errno != EEXIST) return;
    }
  }
  ~PrivateFile() {
    if (exists_) ::unlinkat(folder_, name_.c_str(), 0);
  }
  PrivateFile(const PrivateFile&) = delete;
  PrivateFile& operator=(const PrivateFile&) = delete;

  explicit operator bool() const { return exists_; }
  int descriptor() const { return descriptor_.get(); }
  /// Network file systems report a full disk here.
  bool close(const FileCalls& calls) { return calls.close(descriptor_.release()) == 0; }
  bool rename_to(const std::string& name, const FileCalls& calls) {
    if (calls.rename(folder_, name_.c_str(), name.c_str()) != 0) return false;
    exists_ = false;
    return true;
  }

 private:
  int folder_;
  std::string name_;
  Descriptor descriptor_;
  bool exists_ = false;
};

}  // namespace

std::string error_text(int error) { return std::generic_category().message(error); }

std::optional<Folder> Folder::checked(Descriptor descriptor, std::string& why) {
  struct stat status {};
  if (::fstat(descriptor.get(), &status) != 0) {
    why = error_text(errno);
    return std::nullopt;
  }
  if (status.st_uid != ::geteuid()) {
    why = "belongs to another user (uid " + std::to_string(status.st_uid) + ")";
    return std::nullopt;
  }
  if ((status.st_mode & 022) != 0) {
    why = "is writable by others";
    return std::nullopt;
  }
  return Folder(std::move(descriptor));
}

std::optional<Folder> Folder::open(const std::string& name, Missing missing, std::string& why) const {
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  Descriptor opened(::openat(descriptor_.get(), name.c_str(), flags));
  if (!opened && errno == ENOENT && missing == Missing::create) {
    if (::mkdirat(descriptor_.get(), name.c_str(), 0700) != 0 && errno != EEXIST) {
      why = "cannot be made: " + error_text(errno);
      return std::nullopt;
    }
    opened = Descriptor(::openat(descriptor_.get(), name.c_str(), flags));
  }
  if (!opened) {
    why = errno == ENOTDIR || errno == ELOOP ? "is not a folder, or a symbolic link" : error_text(errno);
    return std::nullopt;
  }
  return checked(std::move(opened), why);
}

bool Folder::gone() const {
  struct stat status {};
  return ::fstat(descriptor_.get(), &status) != 0 || status.st_nlink == 0;
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> names;
  // A descriptor of its own: a directory stream moves the one that it is given.
  Descriptor own(::openat(descriptor_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!own) return names;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(own.get()), ::closedir);
  if (stream == nullptr) return names;
  own.release();
  while (const dirent* item = ::readdir(stream.get())) {
    const std::string_view name = item->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  return names;
}

Folder::Bytes Folder::read(const std::string& name, std::uint64_t limit) const {
  using Outcome = Bytes::Outcome;
  // ESTALE: a network file system whose file was replaced meanwhile; asking again finds the new one.
  for (int attempt = 0;; ++attempt) {
    const Descriptor file(::openat(descriptor_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file && errno == ENOENT) return {Outcome::absent, {}, {}};
    if (!file && errno == ELOOP) return {Outcome::refused, {}, "is a symbolic link"};
    struct stat status {};
    if (file && ::fstat(file.get(), &status) == 0) {
      std::string why = refused_file(status, limit);
      if (!why.empty()) return {Outcome::refused, {}, std::move(why)};
      std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
      if (read_all(file.get(), bytes)) return {Outcome::read, std::move(bytes), {}};
    }
    if (errno != ESTALE || attempt > 0) return {Outcome::refused, {}, "cannot be read: " + error_text(errno)};
  }
}

bool Folder::publish(const std::string& name, std::string_view bytes, bool durable, const FileCalls& calls,
                     std::string& why) const {
  PrivateFile file(descriptor_.get());
  const bool published = file && write_all(file.descriptor(), bytes, calls) &&
                         (!durable || calls.sync(file.descriptor()) == 0) && file.close(calls) &&
                         file.rename_to(name, calls) && (!durable || calls.sync(descriptor_.get()) == 0);
  if (!published) why = error_text(errno);
  return published;
}

bool Folder::remove(const std::string& name) const { return ::unlinkat(descriptor_.get(), name.c_str(), 0) == 0; }

}  // namespace tilejit
