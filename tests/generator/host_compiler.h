#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace tilejit::test {

/// A shared library of `source`, made by the compiler that built the test.
inline void make_library(const std::filesystem::path& file, const std::string& source, const std::string& flags) {
  const std::filesystem::path text = file.string() + ".cpp";
  std::ofstream(text) << source << "\n";
  const std::string command =
      std::string(TILEJIT_TEST_CXX) + " -shared -fPIC " + flags + " -o '" + file.string() + "' '" + text.string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  std::filesystem::remove(text);
}

}  // namespace tilejit::test
