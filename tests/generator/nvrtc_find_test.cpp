#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <tests/support/temp_folder.h>
#include <tilejit/generator/build_id.h>
#include <tilejit/generator/error.h>
#include <tilejit/generator/loader_path.h>
#include <tilejit/generator/nvrtc.h>

#include "elf_file.h"
#include "host_compiler.h"

namespace tilejit {
namespace {

namespace fs = std::filesystem;
using test::make_library;
using test::write_elf;

std::string error_of(const std::string& path) {
  try {
    find_nvrtc(path);
  } catch (const ToolchainError& error) {
    return error.what();
  }
  return "found";
}

TEST(Identity, IsTheBuildIdInTheFile) {
  const test::TempFolder temp;
  make_library(temp / "a.so", "int f;", "-Wl,--build-id=0x00112233445566778899aabbccddeeff00112233");
  EXPECT_EQ(identity_of(temp / "a.so"), "00112233445566778899aabbccddeeff00112233");
}

TEST(Identity, OfAFileWithoutBuildIdIsItsDigest) {
  const test::TempFolder temp;
  write_elf(temp / "a.so", "", "one");
  write_elf(temp / "b.so", "", "two");
  EXPECT_TRUE(identity_of(temp / "a.so").starts_with("sha256:"));
  EXPECT_NE(identity_of(temp / "a.so"), identity_of(temp / "b.so"));
}

TEST(Identity, OfWhatIsNoLibraryIsEmpty) {
  const test::TempFolder temp;
  std::ofstream(temp / "text") << "text";
  std::ofstream{temp / "empty"};
  EXPECT_EQ(identity_of(temp / "text"), "");
  EXPECT_EQ(identity_of(temp / "empty"), "");
  EXPECT_EQ(identity_of(temp / "none"), "");
  EXPECT_EQ(identity_of(temp.path()), "");
}

TEST(Identity, OfACutLibraryNeverReadsPastItsEnd) {
  const test::TempFolder temp;
  write_elf(temp / "a.so", std::string("\x00\x11", 2));
  std::ifstream file(temp / "a.so", std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t size = 1; size <= whole.size(); ++size) {
    std::ofstream(temp / "cut.so", std::ios::binary) << whole.substr(0, size);
    const std::string id = identity_of(temp / "cut.so");
    EXPECT_TRUE(id.empty() || id == "0011" || id.starts_with("sha256:")) << size << " " << id;
  }
}

TEST(LoaderCache, NamesTheFoldersOfALibrary) {
  // glibc's format by hand: header of 48 bytes, rows of 24, texts.
  std::string cache = "ld.so-1.7.0\0 an older cache in front";
  std::string texts, rows;
  const std::vector<std::pair<std::string, std::string>> libraries = {{"libother.so", "/other/libother.so"},
                                                                      {"libnvrtc.so.13", "/b/libnvrtc.so.13"},
                                                                      {"libnvrtc.so.12", "/a/libnvrtc.so.12"}};
  const auto word = [](std::uint32_t value) { return std::string(reinterpret_cast<const char*>(&value), 4); };
  const std::size_t base = 48 + 24 * libraries.size();
  for (const auto& [name, path] : libraries) {
    rows += word(0x303) + word(static_cast<std::uint32_t>(base + texts.size()));
    texts += name + '\0';
    rows += word(static_cast<std::uint32_t>(base + texts.size())) + std::string(12, '\0');
    texts += path + '\0';
  }
  std::string head = "glibc-ld.so.cache1.1" + word(static_cast<std::uint32_t>(libraries.size()));
  head.resize(48);
  cache += head + rows + texts;
  EXPECT_EQ(folders_in_loader_cache(cache, "libnvrtc.so"), (std::vector<std::string>{"/b", "/a"}));
  for (std::size_t size = 0; size < cache.size(); ++size) folders_in_loader_cache(cache.substr(0, size), "libnvrtc.so");
  EXPECT_TRUE(folders_in_loader_cache("", "libnvrtc.so").empty());
}

TEST(FindNvrtc, TakesAFileOrTheNewestInAFolder) {
  const test::TempFolder temp;
  write_elf(temp / "libnvrtc.so.12.9.86", "\x01\x29");
  write_elf(temp / "libnvrtc.so.13.0.88", "\x01\x30");
  write_elf(temp / "libnvrtc-builtins.so.13.0", "\xb1\x30");
  write_elf(temp / "libnvrtc-builtins.so.12.9", "\xb1\x29");
  write_elf(temp / "libnvrtc.alt.so.14", "\x01\x40");
  EXPECT_EQ(find_nvrtc(temp.path()).build_id, "0130");
  EXPECT_EQ(find_nvrtc(temp.path()).builtins_build_id, "b130");
  EXPECT_EQ(find_nvrtc(temp / "libnvrtc.so.12.9.86").build_id, "0129");
  EXPECT_EQ(find_nvrtc(temp / "libnvrtc.so.12.9.86").builtins_build_id, "b129");
}

TEST(FindNvrtc, FindsBuiltinsBesideTheFileThatALinkNames) {
  const test::TempFolder temp;
  fs::create_directories(temp / "toolkit");
  fs::create_directories(temp / "elsewhere");
  write_elf(temp / "toolkit/libnvrtc.so.13.0.88", "\x01\x30");
  write_elf(temp / "toolkit/libnvrtc-builtins.so.13.0", "\xb1\x30");
  fs::create_symlink(temp / "toolkit/libnvrtc.so.13.0.88", temp / "elsewhere/libnvrtc.so");
  EXPECT_EQ(find_nvrtc(temp / "elsewhere/libnvrtc.so").builtins_build_id, "b130");
}

TEST(FindNvrtc, AGivenPathThatDoesNotServeIsAnErrorAndNothingElseIsTaken) {
  const test::TempFolder temp;
  std::ofstream(temp / "text") << "text";
  EXPECT_NE(error_of(temp / "none").find("does not exist"), std::string::npos) << error_of(temp / "none");
  EXPECT_NE(error_of(temp / "text").find("is not a shared library"), std::string::npos);
  EXPECT_NE(error_of(temp.path()).find("holds no libnvrtc.so"), std::string::npos);
  for (const char* name : {"none", "text"}) EXPECT_NE(error_of(temp / name).find(temp / name), std::string::npos);
}

TEST(Nvrtc, KeepsTheErrorUntilItIsAskedFor) {
  const Nvrtc nvrtc("/no/such/libnvrtc.so");
  EXPECT_FALSE(nvrtc.loaded());
  EXPECT_THROW(nvrtc.file(), ToolchainError);
  EXPECT_THROW(nvrtc.table(), ToolchainError);
  EXPECT_EQ(nvrtc.compiles(), 0u);
}

TEST(Nvrtc, ALibraryWithoutItsFunctionsIsNamedWithTheMissingOne) {
  const test::TempFolder temp;
  make_library(temp / "libnvrtc.so.13", "int f;", "-Wl,--build-id=0x01");
  const Nvrtc nvrtc(temp / "libnvrtc.so.13");
  EXPECT_EQ(nvrtc.file().build_id, "01");
  EXPECT_FALSE(nvrtc.loaded()) << "found, not loaded";
  try {
    nvrtc.table();
    FAIL();
  } catch (const ToolchainError& error) {
    EXPECT_NE(std::string(error.what()).find("has no function nvrtcVersion"), std::string::npos) << error.what();
  }
}

TEST(Nvrtc, ALibraryThatCannotBeLoadedGivesTheLoadersText) {
  const test::TempFolder temp;
  make_library(temp / "libnvrtc.so.13", "void missing_function(); void g() { missing_function(); }",
               "-Wl,--build-id=0x01 -Wl,-z,now");
  try {
    Nvrtc(temp / "libnvrtc.so.13").table();
    FAIL();
  } catch (const ToolchainError& error) {
    EXPECT_NE(std::string(error.what()).find("missing_function"), std::string::npos) << error.what();
  }
}

TEST(Nvrtc, AFileReplacedSinceItWasFoundIsNotLoaded) {
  const test::TempFolder temp;
  write_elf(temp / "libnvrtc.so.13", "\x01");
  const Nvrtc nvrtc(temp / "libnvrtc.so.13");
  write_elf(temp / "libnvrtc.so.13", "\x02");
  try {
    nvrtc.table();
    FAIL();
  } catch (const ToolchainError& error) {
    EXPECT_NE(std::string(error.what()).find("was replaced"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tilejit
