#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tilejit {

/// Appends `value` to `bytes`, least significant byte first, on every host.
template <class T>
void append_little_endian(std::string& bytes, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
}

/// Reads fixed-width fields one after the other; past the end it gives zeros and ok() turns false.
class LittleEndianReader {
 public:
  explicit LittleEndianReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T read() {
    const std::string_view field = take(sizeof(T));
    T value = 0;
    for (std::size_t i = 0; i < field.size(); ++i)
      value = static_cast<T>(value | static_cast<T>(static_cast<T>(static_cast<std::uint8_t>(field[i])) << (8 * i)));
    return value;
  }

  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) {
      ok_ = false;
      return {};
    }
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace tilejit
