#include "mma_answers.h"

#include <iomanip>
#include <istream>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include "tiles.h"

namespace tilejit::testing {
namespace {

std::size_t words_a_tile(const MmaForm& form) {
  return static_cast<std::size_t>(form.c_registers() * 32 * form.register_bytes() / 4);
}

}  // namespace

Words run_tiles(const Card& card, const MmaForm& form, int first, int count) {
  Words a, b, c;
  const auto append = [](Words& to, const Words& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (int t = first; t < first + count; ++t) {
    const Tile tile = tile_of(form, t);
    append(a, registers_of_a(form, tile.a));
    append(b, registers_of_b(form, tile.b));
    append(c, registers_of_c(form, tile.c));
  }
  if (form.a == Element::tf32) {  // the bits that tf32 does not have are ignored, whatever they are
    for (std::size_t i = 0; i < a.size(); i += 3) a[i] |= i * 2654435761u & 0x1FFF;
    for (std::size_t i = 0; i < b.size(); i += 3) b[i] |= i * 2654435761u & 0x1FFF;
  }
  return card.run(mma_kernel(form), {static_cast<unsigned>(count), 32, 0}, {a, b, c},
                  words_a_tile(form) * static_cast<std::size_t>(count));
}

bool keeps_tiles(const MmaForm& form) {
  return form.k * bits_of(form.a) == 256 && !is_whole(form.a) && form.a == form.b;
}

MmaAnswers summed_up(const MmaForm& form, const Words& all) {
  MmaAnswers answers;
  const std::size_t words = words_a_tile(form);
  const int blocks = golden_tiles / tile_kinds / tiles_a_digest;
  answers.digests.assign(static_cast<std::size_t>(blocks * tile_kinds), 0xCBF29CE484222325u);
  for (int t = 0; t < golden_tiles; ++t) {
    const int kind = t % tile_kinds, block = t / tile_kinds / tiles_a_digest;
    std::uint64_t& digest = answers.digests[static_cast<std::size_t>(block * tile_kinds + kind)];
    for (std::size_t w = 0; w < words; ++w) {  // FNV-1a, a word at a time
      digest = (digest ^ all[static_cast<std::size_t>(t) * words + w]) * 0x100000001B3u;
    }
  }
  for (int t = 0; keeps_tiles(form) && t < tile_kinds; ++t) {
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(t) * words);
    answers.tiles[t] = Words(from, from + static_cast<std::ptrdiff_t>(words));
  }
  return answers;
}

void write(std::ostream& out, const MmaForm& form, const MmaAnswers& answers) {
  out << "form " << form.instruction() << "\n" << std::hex << std::setfill('0');
  out << "digests";
  for (const std::uint64_t digest : answers.digests) out << ' ' << std::setw(16) << digest;
  out << "\n";
  for (const auto& [index, words] : answers.tiles) {
    out << "tile " << std::dec << index << std::hex;
    for (const std::uint32_t word : words) out << ' ' << std::setw(8) << word;
    out << "\n";
  }
  out << std::dec;
}

std::map<std::string, MmaAnswers> read_mma_answers(std::istream& in) {
  std::map<std::string, MmaAnswers> all;
  MmaAnswers* now = nullptr;
  int number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    if (text.empty() || text[0] == '#') continue;
    std::istringstream line(text);
    std::string word;
    line >> word;
    if (word == "form") {
      line >> word;
      now = &all[word];
    } else if (word == "digests" && now != nullptr) {
      for (std::uint64_t digest = 0; line >> std::hex >> digest;) now->digests.push_back(digest);
    } else if (word == "tile" && now != nullptr) {
      int index = 0;
      line >> std::dec >> index;
      for (std::uint32_t value = 0; line >> std::hex >> value;) now->tiles[index].push_back(value);
    } else {
      throw std::runtime_error("line " + std::to_string(number) + ": '" + word + "' is not understood");
    }
  }
  return all;
}

}  // namespace tilejit::testing
