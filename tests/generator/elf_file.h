#pragma once
#include <elf.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace tilejit::test {

/// The least that is an ELF library with a GNU build-id (any bytes; empty: a note of another kind). It cannot be
/// loaded.
inline void write_elf(const std::filesystem::path& file, const std::string& build_id, const std::string& rest = {}) {
  const std::string owner("GNU\0", 4);
  Elf64_Nhdr note{};
  note.n_namesz = static_cast<Elf64_Word>(owner.size());
  note.n_descsz = static_cast<Elf64_Word>(build_id.size());
  note.n_type = build_id.empty() ? NT_GNU_ABI_TAG : NT_GNU_BUILD_ID;
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_type = ET_DYN;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 1;
  Elf64_Phdr segment{};
  segment.p_type = PT_NOTE;
  segment.p_offset = sizeof header + sizeof segment;
  segment.p_filesz = sizeof note + owner.size() + build_id.size();
  segment.p_align = 4;
  const auto bytes = [](const auto& value) { return std::string(reinterpret_cast<const char*>(&value), sizeof value); };
  std::ofstream(file, std::ios::binary) << bytes(header) << bytes(segment) << bytes(note) << owner << build_id << rest;
}

}  // namespace tilejit::test
