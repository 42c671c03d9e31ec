#include <tilejit/cache/layout.h>

#include <gtest/gtest.h>

#include <tilejit/cache/store.h>

namespace tilejit {
namespace {

TEST(Layout, AnEntrysNameGivesItsKeyBack) {
  const Key key = digest("x");
  EXPECT_EQ(layout::key_of(layout::shard_folder(key), layout::entry_file(key)), key);
}

TEST(Layout, NamesThatAreNoEntrysAreTold) {
  const Key key = digest("x");
  const std::string file = layout::entry_file(key);
  EXPECT_FALSE(layout::key_of("zz", file));
  EXPECT_FALSE(layout::key_of("a", file));
  EXPECT_FALSE(layout::key_of("ab", file + "x"));
  EXPECT_FALSE(layout::key_of("ab", file.substr(1)));
  EXPECT_FALSE(layout::key_of("ab", layout::temporary_file(7)));
  EXPECT_FALSE(layout::key_of("ab", ""));
}

TEST(Layout, ThePathOfAnEntryNeverMovesWithinAVersion) {
  const Key key = digest("abc");
  EXPECT_EQ(layout::relative_path(Shelf::kernel, layout::shard_folder(key), layout::entry_file(key)),
            "v1/kernels/ba/7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad.entry");
  EXPECT_EQ(std::string(layout::shelf_folder(Shelf::tuning)), "tuning");
  EXPECT_EQ(layout::temporary_file(0x1234), ".t.0000000000001234");
  EXPECT_TRUE(layout::is_temporary(layout::temporary_file(0)));
}

}  // namespace
}  // namespace tilejit
