#pragma once
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace tilejit::test {

/// A file of tests/fixtures/generator: copy_2d.cuh is the design's example, every_key.cuh has each key once.
inline std::string fixture(const std::string& name) {
  std::ifstream file(TILEJIT_SOURCE_DIR "/tests/fixtures/generator/" + name, std::ios::binary);
  if (!file) throw std::runtime_error("no fixture " + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// `text` with its first `from` replaced by `to`.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("the text does not hold: " + from);
  return text.replace(at, from.size(), to);
}

}  // namespace tilejit::test
