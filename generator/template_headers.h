#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tilejit/generator/template_library.h>

namespace tilejit {

/// Where a template's headers may lie. Safe from all threads.
class HeaderPlace {
 public:
  virtual ~HeaderPlace() = default;
  /// The text of the header that an #include spells `name`; nullopt: none here.
  virtual std::optional<std::string> find(const std::string& name) const = 0;
  /// The absolute name that diagnostics and line tables give it.
  virtual std::string shown(const std::string& name) const = 0;
  virtual std::vector<std::string> names() const = 0;  ///< for suggestions
};
using HeaderPlaces = std::vector<std::shared_ptr<const HeaderPlace>>;

/// Files below /PREFIX/templates/, by their path below it.
std::shared_ptr<const HeaderPlace> embedded_headers(const EmbeddedTemplates& templates);
/// Files below a folder, by their path below it; read when asked for.
std::shared_ptr<const HeaderPlace> folder_headers(const std::string& folder);

/// A #line that names `file`'s text from `line` on: NVRTC would put the current folder before a relative name.
std::string line_directive(int line, const std::string& file);

/// What the template reaches: the headers of `use` (none: block.cuh), those that it includes, and so on; sorted by
/// name, each text behind a #line of its absolute name. The first place that has a name gives it. An #include that no
/// place has is left to the compiler, which knows whether the line counts; a name in `use` that no place has is a
/// TemplateError.
std::vector<SourceFile> reachable_headers(const SourceFile& file, const FrontMatter& info, const HeaderPlaces& places);

/// A regular file's bytes; nullopt: not there, or not readable.
std::optional<std::string> read_file(const std::string& path);

}  // namespace tilejit
