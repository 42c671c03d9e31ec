#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tilejit/generator/front_matter.h>

namespace tilejit {

/// A file known by its virtual absolute name ("/tilejit/templates/kernels/copy_2d.cuh"); a user's file keeps its real
/// one.
struct SourceFile {
  std::string name;
  std::string text;
};

/// Files put into a program at build time by tilejit_embed_templates(): plain data, nothing registers itself.
/// The generated header declares `extern const tilejit::EmbeddedTemplates PREFIX_templates;`.
struct EmbeddedFile {
  std::string_view name;  ///< virtual absolute
  std::string_view text;
  bool is_template;  ///< false: a header
};
struct EmbeddedTemplates {
  std::span<const EmbeddedFile> files;
};

/// One kernel template: its front matter and its source.
struct Template {
  std::string name;  ///< the function's name, and the file's without suffix
  SourceFile file;
  FrontMatter info;
  /// Headers it reaches, as NVRTC is given them: name in the #include ("block/index.cuh", "my.cuh") and text.
  std::vector<SourceFile> headers;
};

/// Templates by name: ours, embedded ones of a user's own target, and files from user paths (a folder's *.cuh with
/// front matter, or one file). A later source wins over an earlier one of the same name. A template includes headers by
/// their path below its own folder (embedded: below the call's BASE), and ours ("block/memory.cuh"). Immutable once
/// built, safe from all threads. Reading a bad template throws TemplateError when it is asked for, each time; names()
/// does not parse. A user's template is read when its path is added, its headers when it is first asked for.
class TILEJIT_API TemplateLibrary {
 public:
  TemplateLibrary();  ///< TileJIT's own
  void add(const EmbeddedTemplates& templates);
  void add_path(const std::string& file_or_folder);  ///< InvalidArgument: not there, or holds no template

  std::vector<std::string> names() const;  ///< sorted
  /// Throws InvalidArgument for an unknown name (with the nearest known ones), TemplateError for a bad file.
  std::shared_ptr<const Template> get(std::string_view name) const;
  /// Whether get(name) would give one of TileJIT's own; false for an unknown name.
  bool is_own(std::string_view name) const;
  bool has(std::string_view name) const;

  /// A template of a text that stands in no library. It reaches TileJIT's own headers.
  static std::shared_ptr<const Template> read(SourceFile file);

 private:
  struct Source;
  std::map<std::string, std::shared_ptr<const Source>, std::less<>> sources_;
};

}  // namespace tilejit
