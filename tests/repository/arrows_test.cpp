#include "tests/repository/arrows.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temp_folder.h"

namespace {
namespace fs = std::filesystem;
using namespace tilejit::test;
using Lines = std::vector<std::string>;

// A tree with one header a room, and tilejit.h reaching cache/key.h and runtime/jit.h.
class Arrows : public testing::Test {
 protected:
  Arrows() {
    for (std::string_view room : rooms()) write(std::string(room) + "/own.h", "#pragma once\n");
    write("cache/key.h", "#include <string>\n");
    write("runtime/jit.h", "#include <tilejit/cache/key.h>\n");
    write("tilejit.h", "#include <tilejit/runtime/jit.h>\n");
    EXPECT_EQ(planted(), Lines{});
  }
  void write(const std::string& file, const std::string& text) {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
  }
  Lines planted() { return forbidden_includes(folder_.path()); }
  Lines planted(const std::string& file, const std::string& text) {
    write(file, text);
    Lines found = planted();
    fs::remove(folder_ / file);
    return found;
  }

 private:
  TempFolder folder_;
};

TEST(Repository, HoldsNoForbiddenArrow) { EXPECT_EQ(forbidden_includes(TILEJIT_SOURCE_DIR), Lines{}); }

TEST_F(Arrows, PointLeftOnly) {
  for (std::string_view room : {"cache", "generator", "runtime"}) EXPECT_EQ(arrow(room, room), Arrow::allowed);
  EXPECT_EQ(arrow("generator", "cache"), Arrow::allowed);
  EXPECT_EQ(arrow("runtime", "generator"), Arrow::allowed);
  EXPECT_EQ(arrow("cache", "generator"), Arrow::forbidden);
  EXPECT_EQ(arrow("generator", "runtime"), Arrow::forbidden);
  EXPECT_EQ(arrow("runtime", "runtime/emulator"), Arrow::forbidden);
}

TEST_F(Arrows, PtxIncludesItselfAndTheEmulatorOnlyPtx) {
  for (std::string_view room : rooms()) {
    EXPECT_EQ(arrow("generator/ptx", room) != Arrow::forbidden, room == "generator/ptx") << room;
    EXPECT_EQ(arrow("runtime/emulator", room) != Arrow::forbidden,
              room == "generator/ptx" || room == "runtime/emulator")
        << room;
  }
}

TEST_F(Arrows, NoLibraryRoomIncludesTemplatesToolsOrTests) {
  for (std::string_view from : {"cache", "generator/ptx", "generator", "runtime", "runtime/emulator"})
    for (std::string_view to : {"templates", "tools", "tests", "bench", "examples"})
      EXPECT_EQ(arrow(from, to), Arrow::forbidden) << from << " -> " << to;
}

TEST_F(Arrows, EveryForbiddenPairIsFoundWhenPlanted) {
  for (std::string_view from : rooms()) {
    if (from == "templates") continue;  // has rules of its own
    for (std::string_view to : rooms()) {
      const std::string include = "<tilejit/" + std::string(to) + "/own.h>";
      const Lines found =
          planted(std::string(from) + "/planted.cpp", "#include <vector>\n#  include " + include + "\n");
      if (arrow(from, to) == Arrow::allowed) {
        EXPECT_EQ(found, Lines{}) << from << " -> " << to;
      } else {
        ASSERT_EQ(found.size(), 1U) << from << " -> " << to;
        EXPECT_TRUE(found[0].starts_with(std::string(from) + "/planted.cpp:2: " + include + ": ")) << found[0];
      }
    }
  }
}

TEST_F(Arrows, AreFoundInNestedFolders) {
  EXPECT_EQ(planted("runtime/tuning/deep.cpp", "#include <tilejit/tools/own.h>\n"),
            Lines{"runtime/tuning/deep.cpp:1: <tilejit/tools/own.h>: runtime may not include tools"});
}

TEST_F(Arrows, ExamplesSeePublicHeaders) {
  EXPECT_EQ(planted("examples/a.cpp", "#include <tilejit/tilejit.h>\n#include <tilejit/cache/key.h>\n"), Lines{});
  EXPECT_EQ(planted("examples/a.cpp", "#include <tilejit/cache/own.h>\n"),
            Lines{"examples/a.cpp:1: <tilejit/cache/own.h>: examples may not include cache but what is public"});
}

TEST_F(Arrows, HaveOneSpelling) {
  EXPECT_EQ(planted("runtime/a.cpp", "#include \"own.h\"\n"), Lines{"runtime/a.cpp:1: \"own.h\": spelt <tilejit/...>"});
  EXPECT_EQ(planted("runtime/a.cpp", "#include <tilejit/cache/gone.h>\n"),
            Lines{"runtime/a.cpp:1: <tilejit/cache/gone.h>: no such header"});
}

TEST_F(Arrows, PublicHeadersSeeTheStandardLibraryAndEachOther) {
  const std::string rule = "public headers include the C++ standard library and public headers alone";
  EXPECT_EQ(planted("runtime/inner.h", "#include <unistd.h>\n"), Lines{});
  for (std::string header : {"cuda.h", "stdint.h", "nlohmann/json.hpp", "unistd.h"}) {
    write("runtime/jit.h", "#include <" + header + ">\n");
    EXPECT_EQ(planted(), Lines{"runtime/jit.h:1: <" + header + ">: " + rule});
  }
}

TEST_F(Arrows, LargeLibrariesStayInCppFiles) {
  for (std::string library : {"spdlog/spdlog.h", "fmt/format.h", "toml++/toml.h", "nlohmann/json.hpp"}) {
    EXPECT_EQ(planted("generator/a.cpp", "#include <" + library + ">\n"), Lines{});
    EXPECT_EQ(planted("generator/a.h", "#include <" + library + ">\n"),
              Lines{"generator/a.h:1: <" + library + ">: for .cpp files only"});
  }
}

TEST_F(Arrows, CudaHeadersAreForTheRoomsThatTalkToThem) {
  EXPECT_EQ(planted("generator/a.cpp", "#include <nvrtc.h>\n"), Lines{});
  EXPECT_EQ(planted("runtime/a.cpp", "#include <cuda.h>\n"), Lines{});
  EXPECT_EQ(planted("generator/a.cpp", "#include <cuda.h>\n").size(), 1U);
  EXPECT_EQ(planted("runtime/a.cpp", "#include <cuda_runtime.h>\n").size(), 1U);
  EXPECT_EQ(planted("cache/a.cpp", "#include <nvrtc.h>\n").size(), 1U);
}

TEST_F(Arrows, TemplatesIncludeTemplates) {
  write("templates/block/index.cuh", "");
  EXPECT_EQ(planted("templates/kernels/a.cuh", "#include \"block/index.cuh\"\n"), Lines{});
  EXPECT_EQ(planted("templates/kernels/a.cuh", "#include \"../runtime/own.h\"\n").size(), 1U);
  EXPECT_EQ(planted("templates/kernels/a.cuh", "#include <cuda_fp16.h>\n"),
            Lines{"templates/kernels/a.cuh:1: <cuda_fp16.h>: templates include no header from outside"});
}

}  // namespace
