#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tilejit/cache/descriptor.h>
#include <tilejit/cache/file_calls.h>

namespace tilejit {

/// A directory held by descriptor and proven, by that descriptor, to be this user's and writable by nobody else. Names
/// given to it are single components, resolved against the descriptor without following links. No call throws but for
/// memory; `why` says what was refused ("is a symbolic link") or what the system answered.
class Folder {
 public:
  /// Walks from "/" to `path`, which must be absolute. Missing folders are made (0700). Every folder on the way must
  /// belong to root or this user, and be closed to others' writes or sticky; links on the way are followed if they do,
  /// a link in the last place is not.
  static std::optional<Folder> open_root(const std::string& path, std::string& why);

  enum class Missing { refuse, create };
  std::optional<Folder> open(const std::string& name, Missing missing, std::string& why) const;

  bool gone() const;  ///< removed from the disk while held
  int descriptor() const { return descriptor_.get(); }
  std::vector<std::string> names() const;  ///< of everything in it, unsorted, without "." and ".."

  struct Bytes {
    enum class Outcome { read, absent, refused } outcome = Outcome::absent;
    std::string bytes;
    std::string why;  ///< where refused
  };
  /// The whole file, if it is a regular file of this user's, with one name, closed to others' writes, and not larger
  /// than `limit`. Waits for nothing: a FIFO or a device is refused unread.
  Bytes read(const std::string& name, std::uint64_t limit) const;

  /// Writes a private file beside `name` and renames it there: readers see the old file or the whole new one. On
  /// failure nothing is left behind. `durable`: on the disk when this returns.
  bool publish(const std::string& name, std::string_view bytes, bool durable, const FileCalls& calls,
               std::string& why) const;

  bool remove(const std::string& name) const;

 private:
  explicit Folder(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}
  static std::optional<Folder> checked(Descriptor descriptor, std::string& why);

  Descriptor descriptor_;
};

std::string error_text(int error);  ///< strerror's, without its shared buffer

}  // namespace tilejit
