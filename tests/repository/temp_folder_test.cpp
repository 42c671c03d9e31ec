#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <fstream>

namespace {
namespace fs = std::filesystem;
using tilejit::test::TempFolder;

TEST(TempFolder, IsOursAloneAndGoesAwayWithWhatItHolds) {
  fs::path path;
  {
    TempFolder folder;
    path = folder.path();
    EXPECT_EQ(fs::status(path).permissions() & fs::perms::all, fs::perms::owner_all);
    fs::create_directories(folder / "a/b");
    std::ofstream(folder / "a/b/file") << "text";
    fs::permissions(folder / "a/b", fs::perms::none);
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TempFolder, DoesNotFollowLinksOut) {
  TempFolder outside;
  std::ofstream(outside / "kept") << "text";
  {
    TempFolder folder;
    fs::create_directory_symlink(outside.path(), folder / "link");
  }
  EXPECT_TRUE(fs::exists(outside / "kept"));
}

TEST(TempFolder, TwoAreDifferent) { EXPECT_NE(TempFolder().path(), TempFolder().path()); }

}  // namespace
