#include <tilejit/cache/key.h>

#include <nettle/sha2.h>

#include <tilejit/cache/little_endian.h>

namespace tilejit {
namespace {

constexpr std::string_view material_magic = "tilejit key 1\n";

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

std::optional<Key> Key::from_hex(std::string_view hex) {
  std::array<std::uint8_t, 32> bytes{};
  if (hex.size() != 2 * bytes.size()) return std::nullopt;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = hex_digit(hex[2 * i]), low = hex_digit(hex[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return Key(bytes);
}

std::string Key::hex() const {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes_.size());
  for (const std::uint8_t byte : bytes_) {
    text.push_back(digits[byte >> 4]);
    text.push_back(digits[byte & 15]);
  }
  return text;
}

KeyBuilder& KeyBuilder::add(std::string_view label, std::string_view bytes) {
  parts_.push_back({std::string(label), std::string(bytes)});
  return *this;
}

KeyBuilder& KeyBuilder::add(std::string_view label, std::uint64_t value) {
  std::string bytes;
  append_little_endian(bytes, value);
  return add(label, bytes);
}

std::string KeyBuilder::material() const {
  std::string material(material_magic);
  for (const Part& part : parts_) {
    append_little_endian<std::uint64_t>(material, part.label.size());
    material += part.label;
    append_little_endian<std::uint64_t>(material, part.bytes.size());
    material += part.bytes;
  }
  return material;
}

std::optional<std::vector<KeyBuilder::Part>> KeyBuilder::parts_in(std::string_view material) {
  if (!material.starts_with(material_magic)) return std::nullopt;
  LittleEndianReader reader(material.substr(material_magic.size()));
  std::vector<Part> parts;
  while (!reader.at_end()) {
    const std::string_view label = reader.take(reader.read<std::uint64_t>());
    const std::string_view bytes = reader.take(reader.read<std::uint64_t>());
    if (!reader.ok()) return std::nullopt;
    parts.push_back({std::string(label), std::string(bytes)});
  }
  return parts;
}

Key KeyBuilder::key() const { return digest(material()); }

Key digest(std::string_view bytes) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  std::array<std::uint8_t, 32> result{};
  sha256_digest(&context, result.size(), result.data());
  return Key(result);
}

}  // namespace tilejit
