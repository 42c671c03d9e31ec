#include <tilejit/generator/template_headers.h>

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>

#include <tilejit/generator/error.h>
#include <tilejit/generator/nearest.h>

namespace tilejit {
namespace {

std::string include_name(std::string_view virtual_name) {
  constexpr std::string_view folder = "/templates/";
  const std::size_t found = virtual_name.find(folder);
  if (found != virtual_name.npos) return std::string(virtual_name.substr(found + folder.size()));
  return std::string(virtual_name.substr(virtual_name.find_first_not_of('/')));
}

class EmbeddedHeaders : public HeaderPlace {
 public:
  explicit EmbeddedHeaders(const EmbeddedTemplates& templates) {
    for (const EmbeddedFile& file : templates.files) files_.emplace(include_name(file.name), file);
  }
  std::optional<std::string> find(const std::string& name) const override {
    const auto found = files_.find(name);
    return found == files_.end() ? std::nullopt : std::optional(std::string(found->second.text));
  }
  std::string shown(const std::string& name) const override { return std::string(files_.at(name).name); }
  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const auto& [name, file] : files_) names.push_back(name);
    return names;
  }

 private:
  std::map<std::string, EmbeddedFile> files_;
};

class FolderHeaders : public HeaderPlace {
 public:
  explicit FolderHeaders(std::string folder) : folder_(std::move(folder)) {}
  std::optional<std::string> find(const std::string& name) const override {
    const std::filesystem::path path(name);
    if (path.is_absolute()) return std::nullopt;
    for (const auto& part : path)
      if (part == "..") return std::nullopt;
    return read_file((std::filesystem::path(folder_) / path).string());
  }
  std::string shown(const std::string& name) const override { return (std::filesystem::path(folder_) / name).string(); }
  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored))
      if (entry.is_regular_file(ignored)) names.push_back(entry.path().filename().string());
    return names;
  }

 private:
  std::string folder_;
};

std::optional<SourceFile> find(const HeaderPlaces& places, const std::string& name) {
  for (const auto& place : places)
    if (std::optional<std::string> text = place->find(name)) return SourceFile{place->shown(name), std::move(*text)};
  return std::nullopt;
}

/// Names in the lines #include "name", comments and conditions not looked at: a header too many does no harm.
std::vector<std::string> includes_in(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    const auto skip = [&](std::string_view expected) {
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      const bool there = line.substr(0, expected.size()) == expected;
      if (there) line.remove_prefix(expected.size());
      return there;
    };
    if (!skip("#") || !skip("include") || !skip("\"")) continue;
    if (const std::size_t quote = line.find('"'); quote != line.npos) names.emplace_back(line.substr(0, quote));
  }
  return names;
}

}  // namespace

std::string line_directive(int line, const std::string& file) {
  std::string text = fmt::format("#line {} \"", line);
  for (const char c : file) {
    if (c == '"' || c == '\\') text += '\\';
    text += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  }
  return text + "\"\n";
}

std::optional<std::string> read_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  return file.bad() || !file.is_open() ? std::nullopt : std::optional(std::move(text));
}

std::shared_ptr<const HeaderPlace> embedded_headers(const EmbeddedTemplates& templates) {
  return std::make_shared<EmbeddedHeaders>(templates);
}

std::shared_ptr<const HeaderPlace> folder_headers(const std::string& folder) {
  return std::make_shared<FolderHeaders>(folder);
}

std::vector<SourceFile> reachable_headers(const SourceFile& file, const FrontMatter& info, const HeaderPlaces& places) {
  std::vector<std::string> waiting{"block/index.cuh"};
  if (info.use.empty()) waiting.push_back("block.cuh");
  waiting.insert(waiting.end(), info.use.begin(), info.use.end());
  for (std::size_t i = 0; i < info.use.size(); ++i) {
    if (find(places, info.use[i])) continue;
    std::vector<std::string> known;
    for (const auto& place : places)
      for (std::string& name : place->names()) known.push_back(std::move(name));
    throw TemplateError(file.name, info.use_at[i].line, info.use_at[i].column,
                        fmt::format("use: there is no header \"{}\"{}", info.use[i], suggestion(info.use[i], known)));
  }
  for (std::string& name : includes_in(file.text)) waiting.push_back(std::move(name));
  std::map<std::string, std::string> found;
  while (!waiting.empty()) {
    const std::string name = std::move(waiting.back());
    waiting.pop_back();
    if (found.count(name) != 0) continue;
    const std::optional<SourceFile> header = find(places, name);
    if (!header) continue;
    for (std::string& next : includes_in(header->text)) waiting.push_back(std::move(next));
    found.emplace(name, line_directive(1, header->name) + header->text);
  }
  std::vector<SourceFile> headers;
  for (auto& [name, text] : found) headers.push_back({name, std::move(text)});
  return headers;
}

}  // namespace tilejit
