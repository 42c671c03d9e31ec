#include <tilejit/cache/memory_shelf.h>

#include <gtest/gtest.h>

#include "entries.h"

namespace tilejit {
namespace {

using test::entry_named;
using test::key_of;

TEST(MemoryShelf, TheOldestGoFirstWhenItIsFull) {
  const Entry a = entry_named("a", std::string(400, 'x')), b = entry_named("b", std::string(400, 'x')),
              c = entry_named("c", std::string(400, 'x'));
  MemoryShelf shelf(1100);
  for (const Entry& entry : {a, b, c}) shelf.put(Shelf::kernel, key_of(entry), entry);
  EXPECT_FALSE(shelf.get(Shelf::kernel, key_of(a)));
  EXPECT_TRUE(shelf.get(Shelf::kernel, key_of(b)));
  EXPECT_TRUE(shelf.get(Shelf::kernel, key_of(c)));
  EXPECT_EQ(shelf.list().size(), 2u);
}

TEST(MemoryShelf, AnEntryLargerThanTheShelfIsNotKeptAndPushesNobodyOut) {
  MemoryShelf shelf(1000);
  const Entry small = entry_named("small"), large = entry_named("large", std::string(2000, 'x'));
  shelf.put(Shelf::kernel, key_of(small), small);
  shelf.put(Shelf::kernel, key_of(large), large);
  EXPECT_TRUE(shelf.get(Shelf::kernel, key_of(small)));
  EXPECT_FALSE(shelf.get(Shelf::kernel, key_of(large)));
}

TEST(MemoryShelf, AReplacedEntryCountsOnce) {
  MemoryShelf shelf(1000);
  for (int i = 0; i < 100; ++i) shelf.put(Shelf::tuning, digest("k"), entry_named("k", std::string(500, 'x')));
  EXPECT_EQ(shelf.list().size(), 1u);
  EXPECT_EQ(shelf.clear(), 1u);
  EXPECT_FALSE(shelf.get(Shelf::tuning, digest("k")));
}

}  // namespace
}  // namespace tilejit
