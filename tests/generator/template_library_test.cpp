#include <tilejit/generator/template_library.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include <tilejit/generator/error.h>

#include "tests/generator/template_text.h"
#include "tests/support/temp_folder.h"

namespace tilejit {
namespace {

using test::with;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

std::vector<std::string> header_names(const Template& kernel) {
  std::vector<std::string> names;
  for (const SourceFile& header : kernel.headers) names.push_back(header.name);
  return names;
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

/// A small template `name` of one tensor.
std::string small(const std::string& name, const std::string& keys = "", const std::string& before = "") {
  return "/*---\nsummary = \"" + name + "\"\ngrid = [1]\n" + keys +
         "\n[[arguments]]\nname = \"x\"\nshape = [\"N\"]\naccess = \"write\"\n---*/\n" + before +
         "\ntemplate <class X>\n__device__ void " + name + "(X x) {}\n";
}

template <class Exception>
std::string error_of(const TemplateLibrary& library, const std::string& name) {
  try {
    library.get(name);
    return "no error";
  } catch (const Exception& error) {
    return error.what();
  }
}

TEST(TemplateLibrary, EveryTemplateOfOursIsReadAndReachesItsHeaders) {
  const TemplateLibrary library;
  EXPECT_THAT(library.names(), IsSupersetOf({"copy_2d", "row_sum", "vector_add"}));
  for (const std::string& name : library.names()) {
    const auto kernel = library.get(name);
    EXPECT_EQ(kernel->name, name);
    EXPECT_EQ(kernel->file.name, "/tilejit/templates/kernels/" + name + ".cuh");
    EXPECT_THAT(header_names(*kernel), Contains("block/dtype.cuh")) << name;
    EXPECT_FALSE(kernel->info.arguments.empty());
  }
}

TEST(TemplateLibrary, ATemplateIsParsedOnceAndOutlivesTheLibrary) {
  std::shared_ptr<const Template> kernel;
  {
    const TemplateLibrary library;
    kernel = library.get("copy_2d");
    EXPECT_EQ(library.get("copy_2d"), kernel);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (const std::string& name : library.names()) EXPECT_EQ(library.get(name), library.get(name));
      });
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(kernel->name, "copy_2d");
}

TEST(TemplateLibrary, AnUnknownNameComesWithTheNearestKnownOnes) {
  EXPECT_EQ(error_of<InvalidArgument>(TemplateLibrary(), "vector_ad"),
            "there is no template \"vector_ad\" (did you mean vector_add?)");
}

TEST(TemplateLibrary, EmbeddedTemplatesOfAUserAreAsGoodAsOurs) {
  const std::string mine = small("mine", "use = [\"block/index.cuh\"]", "#include \"parts/scale.cuh\"");
  const EmbeddedFile files[] = {{"/app/templates/kernels/mine.cuh", mine, true},
                                {"/app/templates/parts/scale.cuh", "  #  include \"parts/factor.cuh\" // x", false},
                                {"/app/templates/parts/factor.cuh", "#pragma once", false},
                                {"/app/templates/parts/other.cuh", "#pragma once", false}};
  TemplateLibrary library;
  library.add({files});
  const auto kernel = library.get("mine");
  EXPECT_EQ(kernel->file.name, "/app/templates/kernels/mine.cuh");
  EXPECT_EQ(kernel->file.text, mine);
  EXPECT_THAT(header_names(*kernel),
              ElementsAre("block/dtype.cuh", "block/index.cuh", "parts/factor.cuh", "parts/scale.cuh"));
  EXPECT_THAT(library.names(), IsSupersetOf({"copy_2d", "mine"}));
}

TEST(TemplateLibrary, ALaterSourceWins) {
  const std::string text = small("copy_2d");
  const EmbeddedFile files[] = {{"/app/templates/copy_2d.cuh", text, true}};
  TemplateLibrary library;
  library.add({files});
  EXPECT_EQ(library.get("copy_2d")->info.summary, "copy_2d");
  const test::TempFolder folder;
  write(folder / "copy_2d.cuh", with(text, "summary = \"copy_2d\"", "summary = \"from a file\""));
  library.add_path((folder / "copy_2d.cuh").string());
  EXPECT_EQ(library.get("copy_2d")->info.summary, "from a file");
  EXPECT_EQ(library.get("copy_2d")->file.name, (folder / "copy_2d.cuh").string());
  EXPECT_EQ(library.names(), TemplateLibrary().names());
}

TEST(TemplateLibrary, AFolderGivesItsTemplatesAndTheHeadersBelowIt) {
  const test::TempFolder folder;
  write(folder / "one.cuh",
        small("one", "", "#include \"shared.cuh\"\n#include \"deep/er.cuh\"\n#include \"none.cuh\""));
  write(folder / "two.cuh", small("two", "use = [\"deep/er.cuh\"]"));
  write(folder / "shared.cuh", "#pragma once\n#include \"../outside.cuh\"\n#include \"/etc/passwd\"");
  write(folder / "deep/er.cuh", "// deep");
  write(folder / "notes.txt", small("notes"));
  TemplateLibrary library;
  library.add_path(folder.path().string());
  EXPECT_THAT(library.names(), IsSupersetOf({"one", "two"}));
  EXPECT_THAT(library.names(), Not(Contains("notes")));
  EXPECT_THAT(header_names(*library.get("one")), IsSupersetOf({"block.cuh", "deep/er.cuh", "shared.cuh"}));
  for (const std::string& name : header_names(*library.get("one")))
    EXPECT_TRUE(name[0] != '/' && name[0] != '.' && name != "none.cuh") << name;
  EXPECT_THAT(header_names(*library.get("two")), ElementsAre("block/dtype.cuh", "block/index.cuh", "deep/er.cuh"));
  EXPECT_EQ(library.get("two")->headers[2].text, "#line 1 \"" + (folder / "deep/er.cuh").string() + "\"\n// deep");
}

TEST(TemplateLibrary, AByteOrderMarkBeforeATemplateIsPassedOver) {
  const test::TempFolder folder;
  std::ofstream(folder / "mine.cuh") << "\xef\xbb\xbf" << small("mine");
  TemplateLibrary library;
  library.add_path((folder / "mine.cuh").string());
  EXPECT_EQ(library.get("mine")->file.text, small("mine"));
}

TEST(TemplateLibrary, AMissingHeaderInUseIsAnErrorAtItsPlace) {
  const std::string text = small("mine", "use = [\"block/index.cuh\", \"block/memroy.cuh\"]");
  const EmbeddedFile files[] = {{"/app/templates/mine.cuh", text, true}};
  TemplateLibrary library;
  library.add({files});
  EXPECT_THAT(error_of<TemplateError>(library, "mine"),
              HasSubstr("/app/templates/mine.cuh:4:27: use: there is no header \"block/memroy.cuh\" (did you mean "
                        "block/memory.cuh"));
}

TEST(TemplateLibrary, ABadTemplateIsAnErrorEachTimeItIsAskedFor) {
  const std::string text = small("mine", "gird = [1]");
  const EmbeddedFile files[] = {{"/app/templates/mine.cuh", text, true}};
  TemplateLibrary library;
  library.add({files});
  EXPECT_THAT(library.names(), Contains("mine"));
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(error_of<TemplateError>(library, "mine"),
              "/app/templates/mine.cuh:4:1: \"gird\" is not a key of front matter (did you mean grid?)");
}

TEST(TemplateLibrary, APathWithoutTemplatesIsRefused) {
  const test::TempFolder folder;
  TemplateLibrary library;
  const auto error = [&](const std::filesystem::path& path) -> std::string {
    try {
      library.add_path(path.string());
      return "no error";
    } catch (const InvalidArgument& error) {
      return error.what();
    }
  };
  EXPECT_THAT(error(folder / "nowhere"), HasSubstr("there is no file or folder " + (folder / "nowhere").string()));
  EXPECT_THAT(error(folder.path()), HasSubstr("holds no template"));
  write(folder / "header.cuh", "#pragma once");
  EXPECT_THAT(error(folder.path()), HasSubstr("holds no template"));
  EXPECT_THAT(error(folder / "header.cuh"), HasSubstr("is no template"));
}

}  // namespace
}  // namespace tilejit
