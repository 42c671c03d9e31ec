#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tilejit/cache/key.h>

namespace tilejit {

/// What one cache file holds: named sections of bytes ("meta", "cubin", "ptx", "source"), and the key material that
/// led to it. The file format is written down in docs/cache_format.md and has golden files.
struct Entry {
  struct Section {
    std::string name;  ///< at most 15 characters
    std::string bytes;
  };
  std::string key_material;
  std::vector<Section> sections;

  const std::string* find(std::string_view name) const;  ///< nullptr: no such section
};

/// The whole file for `entry`; its key is the digest of its key material.
TILEJIT_API std::string encode(const Entry& entry);

/// Verifies everything: magic, version, lengths, checksum, `key` equal to the stored key and to the digest of the
/// stored material. Anything off is a miss: nullopt, with the reason in `why` if given. Never throws, whatever the
/// bytes.
TILEJIT_API std::optional<Entry> decode(std::string_view file, const Key& key, std::string* why = nullptr) noexcept;

}  // namespace tilejit
