#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include <tilejit/tests/fuzz/ptx_property.h>
#include <tilejit/tests/support/effort.h>

namespace tilejit::ptx {
namespace {

std::vector<std::string> seeds() {
  std::vector<std::string> result;
  for (const auto& entry : std::filesystem::directory_iterator(TILEJIT_SOURCE_DIR "/tests/fuzz/seeds/ptx")) {
    std::ifstream file(entry.path(), std::ios::binary);
    result.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  std::sort(result.begin(), result.end());
  return result;
}

class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::string mutated(std::string text, const std::string& other) {
    for (std::size_t rounds = 1 + below(4); rounds > 0; --rounds) {
      const std::size_t at = below(text.size() + 1);
      const std::size_t length = std::min(below(below(2) == 0 ? 4 : 200), text.size() - at);
      switch (below(6)) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, 1, static_cast<char>(below(256)));
          break;
        case 2:
          text.insert(at, 1, ".;,:{}[]()<>@!|+-*/=%_\"0a \n"[below(27)]);
          break;
        case 3:
          text.insert(at, text.substr(at, length));
          break;
        case 4:
          text.replace(at, length, other.substr(below(other.size()), length));
          break;
        default:
          text.resize(at);
          break;
      }
    }
    return text;
  }

  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }

 private:
  std::mt19937 random_;
};

TEST(PtxFuzz, TheSeedsAreSoundAndReadable) {
  ASSERT_GE(seeds().size(), 3u);
  for (const std::string& seed : seeds()) {
    EXPECT_EQ(broken_property(seed), "") << seed;
  }
}

TEST(PtxFuzz, EveryTruncationEndsInAModuleOrAnError) {
  for (const std::string& seed : seeds()) {
    for (std::size_t length = 0; length < seed.size(); ++length) {
      ASSERT_EQ(broken_property(seed.substr(0, length)), "") << length;
    }
  }
}

TEST(PtxFuzz, EveryMissingByteEndsInAModuleOrAnError) {
  for (const std::string& seed : seeds()) {
    for (std::size_t at = 0; at < seed.size(); ++at) {
      std::string text = seed;
      text.erase(at, 1);
      ASSERT_EQ(broken_property(text), "") << at;
    }
  }
}

TEST(PtxFuzz, RandomChangesEndInAModuleOrAnError) {
  const std::vector<std::string> all = seeds();
  const long rounds = test::rounds(3000);
  for (long round = 0; round < rounds; ++round) {
    Mutator mutator(static_cast<std::uint32_t>(round));
    const std::string& seed = all[mutator.below(all.size())];
    const std::string text = mutator.mutated(seed, all[mutator.below(all.size())]);
    ASSERT_EQ(broken_property(text), "") << "round " << round << ":\n" << text;
  }
}

}  // namespace
}  // namespace tilejit::ptx
