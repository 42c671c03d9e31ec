// What docs/emulator.md shows is what the program does: its templates are written to files, its commands are run, and
// what stands below each must come out. A line "..." stands for any lines.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/tools/run_program.h"

namespace tilejit::test {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct Shown {
  std::string command;
  std::vector<std::string> output;
};

struct Document {
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<Shown> commands;
};

/// Fenced blocks behind a line <!-- name --> are files; those that begin with "$ " are commands with their output.
Document read(const std::string& path) {
  Document document;
  std::string file, before;
  bool inside = false, console = false;
  for (const std::string& line : lines_of(Program::text_of(path))) {
    if (line.starts_with("```")) {
      inside = !inside;
      console = false;
      file = inside && before.starts_with("<!-- ") ? before.substr(5, before.find(' ', 5) - 5) : "";
      if (!file.empty()) document.files.emplace_back(file, "");
    } else if (inside && !file.empty()) {
      document.files.back().second += line + "\n";
    } else if (inside && line.starts_with("$ ")) {
      document.commands.push_back({line.substr(2), {}});
      console = true;
    } else if (inside && console) {
      document.commands.back().output.push_back(line);
    }
    before = line;
  }
  return document;
}

/// The first of the shown lines that did not come out in its place; empty: all did.
std::string missing(const std::vector<std::string>& shown, const std::vector<std::string>& out) {
  std::size_t at = 0;
  bool skips = false;
  for (const std::string& line : shown) {
    if (line == "...") {
      skips = true;
      continue;
    }
    while (skips && at < out.size() && out[at] != line) ++at;
    if (at >= out.size() || out[at] != line) return line;
    ++at;
    skips = false;
  }
  return at == out.size() || skips ? "" : out[at] + " (not shown)";
}

TEST(Documents, EmulatorShowsWhatTheProgramSays) {
  Program tilejit;
  tilejit.set("TILEJIT_TUNING", "off");
  const Document document = read(TILEJIT_SOURCE_DIR "/docs/emulator.md");
  std::vector<std::pair<std::string, std::string>> written;
  for (const auto& [name, text] : document.files) written.emplace_back(name, tilejit.write(name, text));
  EXPECT_EQ(written.size(), 2u);
  EXPECT_GE(document.commands.size(), 9u);
  for (const Shown& shown : document.commands) {
    std::istringstream words(shown.command);
    std::string word;
    ASSERT_TRUE(words >> word && word == "tilejit") << shown.command;
    std::vector<std::string> args;
    while (words >> word) {
      for (const auto& [name, path] : written)
        if (word == name) word = path;
      args.push_back(word);
    }
    const Finished run = tilejit(args);
    std::string out = run.out + run.err;
    for (const auto& [name, path] : written)  // as if the files lay where the program runs
      for (std::size_t at; (at = out.find(path)) != std::string::npos;) out.replace(at, path.size(), name);
    EXPECT_EQ(missing(shown.output, lines_of(out)), "") << shown.command << "\n" << out;
  }
}

}  // namespace
}  // namespace tilejit::test
