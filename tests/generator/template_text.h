#pragma once
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <tilejit/generator/template_library.h>

namespace tilejit::test {

/// A file of tests/fixtures/generator: copy_2d.cuh is the design's example, every_key.cuh has each key once.
inline std::string fixture(const std::string& name) {
  std::ifstream file(TILEJIT_SOURCE_DIR "/tests/fixtures/generator/" + name, std::ios::binary);
  if (!file) throw std::runtime_error("no fixture " + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A template as the library would give it, without headers.
inline Template template_of(const std::string& source, const std::string& file) {
  return {template_name_of(file), {file, source}, parse_front_matter(source, file), {}};
}
inline Template fixture_template(const std::string& name) { return template_of(fixture(name), name); }

/// `text` with its first `from` replaced by `to`.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("the text does not hold: " + from);
  return text.replace(at, from.size(), to);
}

}  // namespace tilejit::test
