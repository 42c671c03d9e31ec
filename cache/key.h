#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tilejit/cache/export.h>

namespace tilejit {

/// SHA-256 of everything that decides an entry's content. A value.
class TILEJIT_API Key {
 public:
  Key() = default;
  explicit Key(const std::array<std::uint8_t, 32>& bytes) : bytes_(bytes) {}
  static std::optional<Key> from_hex(std::string_view hex);
  const std::array<std::uint8_t, 32>& bytes() const { return bytes_; }
  std::string hex() const;  ///< 64 lower-case digits
  auto operator<=>(const Key&) const = default;

 private:
  std::array<std::uint8_t, 32> bytes_{};
};

/// Builds a Key from labelled parts. Each part enters as label length, label, byte length, bytes, so that no two part
/// lists share an encoding. The order of parts counts.
class TILEJIT_API KeyBuilder {
 public:
  struct Part {
    std::string label;
    std::string bytes;
  };
  KeyBuilder& add(std::string_view label, std::string_view bytes);
  KeyBuilder& add(std::string_view label, std::uint64_t value);  ///< as 8 little-endian bytes
  const std::vector<Part>& parts() const { return parts_; }
  std::string material() const;  ///< the hashed bytes; an entry keeps them, so that a reader derives the key anew
  /// The parts that `material` was made of; nullopt: not a material of this format.
  static std::optional<std::vector<Part>> parts_in(std::string_view material);
  Key key() const;

 private:
  std::vector<Part> parts_;
};

/// SHA-256 of `bytes`.
TILEJIT_API Key digest(std::string_view bytes);

}  // namespace tilejit
