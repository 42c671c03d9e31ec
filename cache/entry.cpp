#include <tilejit/cache/entry.h>

#include <xxhash.h>

#include <stdexcept>
#include <utility>

#include <tilejit/cache/little_endian.h>

// file    = header, section table, section bytes one after the other, footer; docs/cache_format.md has every field
// header  = magic, major, minor, header size, file size, flags, section count, key
// table   = per section: name, codec, reserved, offset, stored size, raw size; the first is the key's material
// footer  = XXH3-128 of all before it, file size, end magic

namespace tilejit {
namespace {

constexpr std::string_view magic("\x89TJC\r\n\x1a\n", 8);
constexpr std::string_view end_magic("\nTJCend\n", 8);
constexpr std::uint16_t major_version = 1, minor_version = 0;
constexpr std::size_t header_size = 64, section_size = 48, name_size = 16, hash_size = 16, footer_size = 32;
constexpr std::size_t max_sections = 64;
constexpr std::string_view material_name = "key";

std::string checksum(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  return std::string(reinterpret_cast<const char*>(canonical.digest), hash_size);
}

void append_section(std::string& table, std::string_view name, std::uint64_t offset, std::uint64_t size) {
  table += name;
  table.append(name_size - name.size(), '\0');
  append_little_endian<std::uint32_t>(table, 0);  // codec: raw
  append_little_endian<std::uint32_t>(table, 0);
  append_little_endian(table, offset);
  append_little_endian(table, size);
  append_little_endian(table, size);
}

struct Refusal {
  const char* why;
};

void require(bool holds, const char* why) {
  if (!holds) throw Refusal{why};
}

std::string_view read_name(LittleEndianReader& reader) {
  const std::string_view field = reader.take(name_size);
  const std::size_t length = field.find('\0');
  require(length != std::string_view::npos && length > 0, "a section without a name");
  require(field.find_first_not_of('\0', length) == std::string_view::npos, "bytes behind a section's name");
  return field.substr(0, length);
}

Entry read_entry(std::string_view file, const Key& key) {
  require(file.size() >= header_size + section_size + footer_size, "too short");
  LittleEndianReader header(file);
  require(header.take(magic.size()) == magic, "not an entry: no magic");
  require(header.read<std::uint16_t>() == major_version, "another format version");
  require(header.read<std::uint16_t>() == minor_version, "another format version");
  require(header.read<std::uint32_t>() == header_size, "another header size");
  require(header.read<std::uint64_t>() == file.size(), "its length is not the one it states");

  const std::size_t hashed = file.size() - footer_size;
  LittleEndianReader footer(file.substr(hashed));
  require(footer.take(hash_size) == checksum(file.substr(0, hashed)), "the checksum does not match");
  require(footer.read<std::uint64_t>() == file.size(), "its length is not the one it states at the end");
  require(footer.take(end_magic.size()) == end_magic, "no end magic");

  require(header.read<std::uint32_t>() == 0, "unknown flags");
  const std::uint32_t count = header.read<std::uint32_t>();
  require(count >= 1 && count <= max_sections, "an impossible count of sections");
  const std::string_view stored_key = header.take(key.bytes().size());
  require(stored_key == std::string_view(reinterpret_cast<const char*>(key.bytes().data()), key.bytes().size()),
          "it belongs to another key");

  std::uint64_t offset = header_size + count * section_size;
  require(offset <= hashed, "the section table does not fit");
  Entry entry;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string_view name = read_name(header);
    require(header.read<std::uint32_t>() == 0, "an unknown codec");
    require(header.read<std::uint32_t>() == 0, "a reserved field is set");
    require(header.read<std::uint64_t>() == offset, "sections do not follow one another");
    const std::uint64_t size = header.read<std::uint64_t>();
    require(header.read<std::uint64_t>() == size, "a raw section of two sizes");
    require(size <= hashed - offset, "a section does not fit");
    const std::string_view bytes = file.substr(offset, size);
    offset += size;
    if (i == 0) {
      require(name == material_name, "the first section is not the key's material");
      require(digest(bytes) == key, "its material does not give its key");
      entry.key_material = bytes;
    } else {
      require(name != material_name && entry.find(name) == nullptr, "two sections of one name");
      entry.sections.push_back({std::string(name), std::string(bytes)});
    }
  }
  require(offset == hashed, "bytes behind the last section");
  return entry;
}

}  // namespace

const std::string* Entry::find(std::string_view name) const {
  for (const Section& section : sections)
    if (section.name == name) return &section.bytes;
  return nullptr;
}

std::string encode(const Entry& entry) {
  std::uint64_t size = header_size + (entry.sections.size() + 1) * section_size;
  std::string table;
  append_section(table, material_name, size, entry.key_material.size());
  size += entry.key_material.size();
  for (const Entry::Section& section : entry.sections) {
    if (section.name.empty() || section.name.size() >= name_size || section.name.find('\0') != std::string::npos ||
        section.name == material_name || entry.find(section.name) != &section.bytes)
      throw std::invalid_argument("an entry cannot have a section named '" + section.name + "' here");
    append_section(table, section.name, size, section.bytes.size());
    size += section.bytes.size();
  }
  if (entry.sections.size() + 1 > max_sections) throw std::invalid_argument("too many sections in an entry");
  size += footer_size;

  const Key key = digest(entry.key_material);
  std::string file;
  file.reserve(size);
  file += magic;
  append_little_endian(file, major_version);
  append_little_endian(file, minor_version);
  append_little_endian<std::uint32_t>(file, header_size);
  append_little_endian(file, size);
  append_little_endian<std::uint32_t>(file, 0);  // flags
  append_little_endian(file, static_cast<std::uint32_t>(entry.sections.size() + 1));
  file.append(reinterpret_cast<const char*>(key.bytes().data()), key.bytes().size());
  file += table;
  file += entry.key_material;
  for (const Entry::Section& section : entry.sections) file += section.bytes;
  file += checksum(file);
  append_little_endian(file, size);
  file += end_magic;
  return file;
}

std::optional<Entry> decode(std::string_view file, const Key& key, std::string* why) noexcept {
  try {
    try {
      return read_entry(file, key);
    } catch (const Refusal& refusal) {
      if (why != nullptr) *why = refusal.why;
    }
  } catch (...) {
    // No memory for the entry or for the reason: a miss all the same.
  }
  return std::nullopt;
}

}  // namespace tilejit
