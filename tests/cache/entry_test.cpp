#include <tilejit/cache/entry.h>

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "entries.h"

namespace tilejit {
namespace {

using test::entry_named;
using test::equal;
using test::key_of;

Entry golden_entry() {
  Entry entry;
  entry.key_material = KeyBuilder().add("schema", std::uint64_t{1}).add("arch", "sm_90a").material();
  entry.sections = {{"meta", "{\"format\":1}"},
                    {"cubin", std::string("\x7f"
                                          "ELF\0\1\2",
                                          7)},
                    {"empty", ""}};
  return entry;
}

TEST(Entry, ComesBackAsItWas) {
  const Entry entry = golden_entry();
  const auto back = decode(encode(entry), key_of(entry));
  ASSERT_TRUE(back);
  EXPECT_TRUE(equal(*back, entry));
  EXPECT_EQ(*back->find("empty"), "");
  EXPECT_EQ(back->find("nothing"), nullptr);
}

TEST(Entry, AnEntryWithoutSectionsIsAnEntry) {
  Entry entry;
  entry.key_material = "material";
  EXPECT_TRUE(decode(encode(entry), key_of(entry)));
}

TEST(Entry, TheFileIsTheGoldenFileToTheByte) {
  std::ifstream stream(TILEJIT_SOURCE_DIR "/tests/golden/entry_v1.entry", std::ios::binary);
  ASSERT_TRUE(stream) << "tests/golden/entry_v1.entry is missing";
  std::stringstream golden;
  golden << stream.rdbuf();
  EXPECT_EQ(encode(golden_entry()), golden.str())
      << "the format moved: raise the version in layout.h and entry.cpp and add a golden file of the new one";
  const auto back = decode(golden.str(), key_of(golden_entry()));
  ASSERT_TRUE(back);
  EXPECT_TRUE(equal(*back, golden_entry()));
}

TEST(Entry, EveryBitFlipIsRefused) {
  const Entry entry = entry_named("flipped");
  const std::string file = encode(entry);
  ASSERT_TRUE(decode(file, key_of(entry)));
  for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
    std::string broken = file;
    broken[bit / 8] = static_cast<char>(broken[bit / 8] ^ (1 << bit % 8));
    std::string why;
    ASSERT_FALSE(decode(broken, key_of(entry), &why)) << "bit " << bit;
    ASSERT_FALSE(why.empty()) << "bit " << bit;
  }
}

TEST(Entry, EveryTruncationInsertionAndDeletionIsRefused) {
  const Entry entry = entry_named("cut");
  const std::string file = encode(entry);
  for (std::size_t at = 0; at < file.size(); ++at) {
    ASSERT_FALSE(decode(file.substr(0, at), key_of(entry))) << at;
    ASSERT_FALSE(decode(file.substr(at + 1), key_of(entry))) << at;
    std::string changed = file;
    ASSERT_FALSE(decode(changed.erase(at, 1), key_of(entry))) << at;
    changed = file;
    ASSERT_FALSE(decode(changed.insert(at, 1, '\0'), key_of(entry))) << at;
  }
  EXPECT_FALSE(decode(file + '\0', key_of(entry)));
}

TEST(Entry, TheHeadOfOneAndTheTailOfAnotherAreRefused) {
  const Entry a = entry_named("aaaa", "one body"), b = entry_named("bbbb", "two body");
  const std::string first = encode(a), second = encode(b);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t at = 1; at < first.size(); ++at) {
    const std::string spliced = first.substr(0, at) + second.substr(at);
    if (spliced == first || spliced == second) continue;
    ASSERT_FALSE(decode(spliced, key_of(a))) << at;
    ASSERT_FALSE(decode(spliced, key_of(b))) << at;
  }
}

TEST(Entry, AWholeEntryOfAnotherKeyIsRefused) {
  const Entry entry = entry_named("mine");
  std::string why;
  EXPECT_FALSE(decode(encode(entry), digest("another"), &why));
  EXPECT_EQ(why, "it belongs to another key");
}

TEST(Entry, TheReasonIsNotNeeded) { EXPECT_FALSE(decode("garbage", Key(), nullptr)); }

TEST(Entry, NamesThatDoNotFitAreAnErrorWhereTheyAreWritten) {
  const auto with = [](std::vector<Entry::Section> sections) {
    Entry entry;
    entry.sections = std::move(sections);
    return entry;
  };
  EXPECT_NO_THROW(encode(with({{"fifteen_letters", ""}})));
  EXPECT_THROW(encode(with({{"sixteen_letters_", ""}})), std::invalid_argument);
  EXPECT_THROW(encode(with({{"", ""}})), std::invalid_argument);
  EXPECT_THROW(encode(with({{"key", ""}})), std::invalid_argument);
  EXPECT_THROW(encode(with({{"meta", "a"}, {"meta", "b"}})), std::invalid_argument);
}

}  // namespace
}  // namespace tilejit
