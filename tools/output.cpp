#include <tilejit/tools/output.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include <tilejit/generator/error.h>

namespace tilejit::tool {
namespace {

bool is_number(const std::string& cell) {
  return cell.empty() || cell.find_first_not_of("0123456789.+-%") == std::string::npos;
}

}  // namespace

Table::Table(std::vector<std::string> head) { rows_.push_back(std::move(head)); }

void Table::add(std::vector<std::string> row) {
  row.resize(rows_.front().size());
  rows_.push_back(std::move(row));
}

std::string Table::text() const {
  const std::size_t columns = rows_.front().size();
  std::vector<std::size_t> width(columns, 0);
  std::vector<bool> right(columns, rows_.size() > 1);
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      width[column] = std::max(width[column], rows_[row][column].size());
      if (row > 0 && !is_number(rows_[row][column])) right[column] = false;
    }
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t column = 0; column < columns; ++column) {
      line += right[column] ? fmt::format("{:>{}}", row[column], width[column])
                            : fmt::format("{:<{}}", row[column], width[column]);
      if (column + 1 < columns) line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Error(fmt::format("standard output: {}", std::strerror(errno)));
  }
}

void write_file(const std::string& path, std::string_view bytes) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), std::streamsize(bytes.size()));
  file.close();
  if (!file) throw Error(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

std::string read_file(const std::string& path) {
  errno = 0;
  if (std::filesystem::is_directory(path)) throw InvalidArgument(fmt::format("{}: a folder, not a file", path));
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) {
    throw InvalidArgument(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  }
  return bytes;
}

}  // namespace tilejit::tool
