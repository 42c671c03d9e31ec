#include "mma_check.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include "../mma_model.h"
#include "mma_answers.h"
#include "tiles.h"

namespace tilejit::testing {
namespace {

constexpr int tiles_a_launch = 4000, tiles_of_model = 160;

struct Differences {
  int tiles = 0, elements = 0, by_kind[tile_kinds] = {};
  std::vector<std::string> examples;
};

Elements tile_at(const MmaForm& form, const Words& all, int index) {
  const int words = form.c_registers() * 32 * form.register_bytes() / 4;
  return elements_of_d(form, all.data() + index * words);
}

std::string described(const MmaForm& form, int index, std::size_t at, std::uint64_t theirs, std::uint64_t ours) {
  const Tile tile = tile_of(form, index);
  const auto row = at / static_cast<std::size_t>(form.n), column = at % static_cast<std::size_t>(form.n);
  char text[128];
  std::snprintf(text, sizeof(text),
                "    tile %d (%s) row %zu column %zu: GPU %08" PRIx64 ", else %08" PRIx64 ", C %08" PRIx64, index,
                name_of_kind(index % tile_kinds), row, column, theirs, ours, tile.c[at]);
  std::string all = text;
  all += "\n      A x B:";
  for (int k = 0; k < form.k; ++k) {
    std::snprintf(text, sizeof(text), " %" PRIx64 "x%" PRIx64,
                  tile.a[row * static_cast<std::size_t>(form.k) + static_cast<std::size_t>(k)],
                  tile.b[static_cast<std::size_t>(k * form.n) + column]);
    all += text;
  }
  return all;
}

void compare(const MmaForm& form, int index, const Elements& theirs, const Elements& ours, Differences& out) {
  bool differs = false;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const bool both_nan = form.a == Element::f64 && is_nan(f64, theirs[i]) && is_nan(f64, ours[i]);
    if (theirs[i] == ours[i] || both_nan) continue;
    if (!differs && out.examples.size() < 4) out.examples.push_back(described(form, index, i, theirs[i], ours[i]));
    differs = true;
    ++out.elements;
  }
  if (!differs) return;
  ++out.tiles;
  ++out.by_kind[index % tile_kinds];
}

void print(const Differences& d) {
  for (int kind = 0; kind < tile_kinds; ++kind) {
    if (d.by_kind[kind] > 0) std::printf("    %d tiles of kind '%s'\n", d.by_kind[kind], name_of_kind(kind));
  }
  for (const std::string& text : d.examples) std::printf("%s\n", text.c_str());
}

Differences of_model(const MmaForm& form, const MmaRule& rule, const Words& theirs) {
  Differences d;
  for (int t = 0; t < tiles_of_model; ++t) {
    const Tile tile = tile_of(form, t);
    compare(form, t, tile_at(form, theirs, t), mma(form, rule, tile.a, tile.b, tile.c), d);
  }
  return d;
}

void try_rules(const MmaForm& form, const Words& theirs) {
  struct Tried {
    MmaRule rule;
    Differences d;
  };
  std::vector<Tried> tried;
  for (const int fraction : {13, 23, 24, 25, 26, 27}) {
    for (const int steps : {1, 2, 4}) {
      for (const int result : {13, 23}) {
        for (const bool by_halves : {false, true}) {
          if (form.k / steps < 4 || (result == 13 && form.a != Element::e4m3 && form.a != Element::e5m2)) continue;
          const MmaRule rule{fraction, steps, result, by_halves};
          tried.push_back({rule, of_model(form, rule, theirs)});
        }
      }
    }
  }
  std::sort(tried.begin(), tried.end(), [](const Tried& a, const Tried& b) { return a.d.elements < b.d.elements; });
  for (std::size_t i = 0; i < tried.size() && i < 3; ++i) {
    const MmaRule& r = tried[i].rule;
    std::printf("    rule: %d fraction bits, %d steps, results of %d bits, %s: %d elements of %d tiles differ\n",
                r.fraction, r.steps, r.result_fraction, r.by_halves ? "by halves" : "in order", tried[i].d.elements,
                tiles_of_model);
  }
  print(tried.front().d);
}

}  // namespace

int check_mma(const Card& gpu, const Card* emulated, int tiles, std::ostream* golden) {
  int bad = 0;
  for (const MmaForm& form : mma_forms()) {
    const std::string name = form.instruction();
    if (std::stoi(form.target().substr(3)) > gpu.compute_capability()) continue;
    Differences all;
    std::string silent;
    bool emulates = emulated != nullptr;
    Words first;
    int done = 0;
    for (; done < std::max(tiles, golden_tiles); done += tiles_a_launch) {
      const Words theirs = run_tiles(gpu, form, done, tiles_a_launch);
      if (done == 0) first = theirs;
      if (!emulates) continue;
      try {
        const Words ours = run_tiles(*emulated, form, done, tiles_a_launch);
        for (int t = 0; t < tiles_a_launch; ++t)
          compare(form, done + t, tile_at(form, theirs, t), tile_at(form, ours, t), all);
      } catch (const std::runtime_error& error) {
        silent = error.what();
        emulates = false;
      }
    }
    if (golden != nullptr) write(*golden, form, summed_up(form, first));
    const bool differs = !emulates || all.tiles > 0;
    bad += differs;
    std::printf("%-72s %d tiles, %s\n", name.c_str(), done,
                !emulates        ? ("the emulated device gave no answer: " + silent).c_str()
                : all.tiles == 0 ? "all equal"
                                 : (std::to_string(all.tiles) + " differ").c_str());
    if (!differs) continue;
    print(all);
    const Differences model = of_model(form, mma_rule(form, gpu.compute_capability()), first);
    std::printf("    the model differs in %d of %d tiles\n", model.tiles, tiles_of_model);
    if (model.tiles > 0 && !is_whole(form.a) && form.a != Element::f64) try_rules(form, first);
    if (model.tiles > 0 && (is_whole(form.a) || form.a == Element::f64)) print(model);
  }
  return bad;
}

}  // namespace tilejit::testing
