#include <tilejit/cache/key.h>

#include <gtest/gtest.h>

namespace tilejit {
namespace {

TEST(Key, IsSha256) {
  // FIPS 180-2, appendix B.
  EXPECT_EQ(digest("abc").hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(digest("").hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Key, HexGoesThereAndBack) {
  const Key key = digest("there and back");
  EXPECT_EQ(Key::from_hex(key.hex()), key);
  EXPECT_FALSE(Key::from_hex(key.hex().substr(1)));
  EXPECT_FALSE(Key::from_hex(key.hex() + "0"));
  EXPECT_FALSE(Key::from_hex(std::string(63, '0') + "g"));
  EXPECT_FALSE(Key::from_hex(std::string(63, '0') + "A")) << "one spelling a key";
}

TEST(KeyBuilder, NoTwoPartListsShareAnEncoding) {
  const auto key = [](std::initializer_list<std::pair<const char*, const char*>> parts) {
    KeyBuilder builder;
    for (const auto& [label, bytes] : parts) builder.add(label, bytes);
    return builder.key();
  };
  const Key one = key({{"option", "-I -O2"}});
  EXPECT_NE(one, key({{"option", "-I"}, {"option", "-O2"}}));
  EXPECT_NE(one, key({{"option-I", " -O2"}}));
  EXPECT_NE(one, key({{"option", "-I -O2"}, {"", ""}}));
  EXPECT_NE(key({{"a", "1"}, {"b", "2"}}), key({{"b", "2"}, {"a", "1"}})) << "order counts";
  EXPECT_EQ(one, key({{"option", "-I -O2"}}));
}

TEST(KeyBuilder, NumbersEnterAsEightBytesLeastSignificantFirst) {
  EXPECT_EQ(KeyBuilder().add("n", std::uint64_t{0x0102}).key(),
            KeyBuilder().add("n", std::string_view("\2\1\0\0\0\0\0\0", 8)).key());
}

TEST(KeyBuilder, MaterialIsWhatIsHashedAndCanBeTakenApart) {
  KeyBuilder builder;
  builder.add("source", std::string_view("a\0b", 3)).add("arch", "sm_90a").add("schema", std::uint64_t{1});
  EXPECT_EQ(digest(builder.material()), builder.key());
  const auto parts = KeyBuilder::parts_in(builder.material());
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->size(), 3u);
  EXPECT_EQ((*parts)[0].bytes, std::string("a\0b", 3));
  EXPECT_EQ((*parts)[1].label, "arch");
  EXPECT_EQ((*parts)[2].bytes.size(), 8u);
}

TEST(KeyBuilder, CutOrForeignMaterialHasNoParts) {
  const std::string material = KeyBuilder().add("source", "text").material();
  const std::size_t whole = KeyBuilder().material().size();
  for (std::size_t length = 0; length < material.size(); ++length)
    EXPECT_EQ(KeyBuilder::parts_in(material.substr(0, length)).has_value(), length == whole) << length;
  EXPECT_FALSE(KeyBuilder::parts_in("something else"));
}

TEST(KeyBuilder, TheEncodingOfAKeyNeverMoves) {
  // A change here makes every cache on every disk cold; see docs/cache_format.md.
  EXPECT_EQ(KeyBuilder().add("schema", std::uint64_t{1}).add("arch", "sm_90a").key().hex(),
            "545c8e1316584cb65cb92200b75ee9b84c257071f8dc847b3ceb57f7182e0247");
}

}  // namespace
}  // namespace tilejit
