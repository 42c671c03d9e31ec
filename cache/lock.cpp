#include <tilejit/cache/lock.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include <tilejit/cache/folder.h>
#include <tilejit/cache/layout.h>

namespace tilejit {
namespace {

/// There a lock is a request to a server that may not answer.
bool on_network(int descriptor) {
  struct statfs status {};
  if (::fstatfs(descriptor, &status) != 0) return true;
  static constexpr std::array<std::uint32_t, 10> network = {0x6969 /* nfs */,        0x517B /* smb */,
                                                            0xFE534D42 /* smb2 */,   0xFF534D42 /* cifs */,
                                                            0x0BD00BD0 /* lustre */, 0x00C36400 /* ceph */,
                                                            0x5346414F /* afs */,    0x01021997 /* 9p */,
                                                            0x47504653 /* gpfs */,   0x19830326 /* beegfs */};
  return std::find(network.begin(), network.end(), static_cast<std::uint32_t>(status.f_type)) != network.end();
}

off_t byte_of(const Key& key) {
  std::uint64_t place = 0;
  for (std::size_t i = 0; i < 8; ++i) place = place << 8 | key.bytes()[i];
  return static_cast<off_t>(place & 0x3fff'ffff'ffff'ffff);
}

}  // namespace

Lock Lock::try_take(const Folder& folder, const Key& key) {
  Descriptor file(
      ::openat(folder.descriptor(), layout::lock_file, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || on_network(file.get())) return {};
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = byte_of(key);
  range.l_len = 1;
  if (::fcntl(file.get(), F_OFD_SETLK, &range) == 0) return {State::held, std::move(file)};
  if (errno == EAGAIN || errno == EACCES) return {State::busy, Descriptor()};
  return {};
}

}  // namespace tilejit
