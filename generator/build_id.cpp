#include <tilejit/generator/build_id.h>

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <string_view>

#include <tilejit/cache/descriptor.h>
#include <tilejit/cache/key.h>

namespace tilejit {
namespace {

/// A file's bytes, mapped for reading; empty if it cannot be.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) return;
    void* bytes = ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (bytes != MAP_FAILED)
      bytes_ = std::string_view(static_cast<const char*>(bytes), static_cast<std::size_t>(status.st_size));
  }
  ~MappedFile() {
    if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

template <class T>
std::optional<T> read_at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const unsigned char byte : bytes) {
    text.push_back("0123456789abcdef"[byte >> 4]);
    text.push_back("0123456789abcdef"[byte & 15]);
  }
  return text;
}

/// Notes are padded to four bytes, or to eight where their segment says so.
std::string build_id_in(std::string_view notes, std::uint64_t alignment) {
  const auto padded = [&](std::uint64_t size) { return (size + alignment - 1) / alignment * alignment; };
  std::uint64_t at = 0;
  while (const auto note = read_at<Elf64_Nhdr>(notes, at)) {
    const std::uint64_t name = at + sizeof(Elf64_Nhdr);
    const std::uint64_t content = at + padded(sizeof(Elf64_Nhdr) + note->n_namesz);
    if (content > notes.size() || notes.size() - content < note->n_descsz) break;
    if (note->n_type == NT_GNU_BUILD_ID && note->n_descsz > 0 &&
        notes.substr(name, note->n_namesz) == std::string_view("GNU\0", 4))
      return hex(notes.substr(content, note->n_descsz));
    at = content + padded(note->n_descsz);
  }
  return {};
}

}  // namespace

std::string identity_of(const std::string& path) {
  const MappedFile file(path);
  const std::string_view bytes = file.bytes();
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    const auto segment = read_at<Elf64_Phdr>(bytes, header->e_phoff + std::uint64_t{i} * header->e_phentsize);
    if (!segment) return {};
    if (segment->p_type != PT_NOTE || segment->p_offset > bytes.size()) continue;
    const std::string id =
        build_id_in(bytes.substr(segment->p_offset, segment->p_filesz), segment->p_align == 8 ? 8 : 4);
    if (!id.empty()) return id;
  }
  return "sha256:" + digest(bytes).hex();
}

}  // namespace tilejit
