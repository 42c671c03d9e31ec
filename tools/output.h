#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tilejit::tool {

/// Columns as wide as their widest cell, two blanks between, no trailing blanks. Columns whose cells below the head are
/// all numbers are set flush right.
class Table {
 public:
  explicit Table(std::vector<std::string> head);
  void add(std::vector<std::string> row);  ///< as many cells as the head
  std::string text() const;                ///< ends in a newline

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// To standard output, at once. Throws Error where it cannot be written.
void print(std::string_view text);

/// Writes a whole file. Throws Error naming the file and the system's reason.
void write_file(const std::string& path, std::string_view bytes);
/// InvalidArgument naming the file where it cannot be read.
std::string read_file(const std::string& path);

}  // namespace tilejit::tool
