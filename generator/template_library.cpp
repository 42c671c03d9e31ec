#include <tilejit/generator/template_library.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <system_error>

#include <tilejit/generator/error.h>
#include <tilejit/generator/nearest.h>
#include <tilejit/generator/template_headers.h>

/// Written by tilejit_embed_templates() from templates/.
extern const tilejit::EmbeddedTemplates tilejit_templates;

namespace tilejit {

namespace {

std::shared_ptr<const Template> parsed_template(const SourceFile& file, const HeaderPlaces& places) {
  FrontMatter info = parse_front_matter(file.text, file.name);
  std::vector<SourceFile> headers = reachable_headers(file, info, places);
  return std::make_shared<const Template>(
      Template{template_name_of(file.name), file, std::move(info), std::move(headers)});
}

}  // namespace

struct TemplateLibrary::Source {
  Source(SourceFile file, HeaderPlaces places, bool own) : file(std::move(file)), places(std::move(places)), own(own) {}

  std::shared_ptr<const Template> get() const {
    const std::lock_guard lock(mutex);
    if (parsed == nullptr) parsed = parsed_template(file, places);
    return parsed;
  }

  const SourceFile file;
  const HeaderPlaces places;
  const bool own;
  mutable std::mutex mutex;
  mutable std::shared_ptr<const Template> parsed;
};

TemplateLibrary::TemplateLibrary() { add(tilejit_templates); }

void TemplateLibrary::add(const EmbeddedTemplates& templates) {
  HeaderPlaces places{embedded_headers(templates)};
  if (&templates != &tilejit_templates) places.push_back(embedded_headers(tilejit_templates));
  for (const EmbeddedFile& file : templates.files)
    if (file.is_template)
      sources_[template_name_of(file.name)] = std::make_shared<Source>(
          SourceFile{std::string(file.name), std::string(file.text)}, places, &templates == &tilejit_templates);
}

void TemplateLibrary::add_path(const std::string& file_or_folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path path = fs::absolute(file_or_folder, error).lexically_normal();
  const bool folder = fs::is_directory(path, error);
  std::vector<fs::path> files{path};
  if (folder) {
    files.clear();
    for (const auto& entry : fs::directory_iterator(path, error))
      if (entry.path().extension() == ".cuh") files.push_back(entry.path());
    if (error) throw InvalidArgument(fmt::format("templates: {} cannot be read: {}", path.string(), error.message()));
    std::sort(files.begin(), files.end());
  } else if (!fs::exists(path, error)) {
    throw InvalidArgument(fmt::format("templates: there is no file or folder {}", path.string()));
  }
  const HeaderPlaces places{folder_headers((folder ? path : path.parent_path()).string()),
                            embedded_headers(tilejit_templates)};
  bool found = false;
  for (const fs::path& file : files) {
    std::optional<std::string> text = read_file(file.string());
    if (!text) throw InvalidArgument(fmt::format("templates: {} cannot be read", file.string()));
    if (text->starts_with("\xef\xbb\xbf")) text->erase(0, 3);  // the mark that some editors put before UTF-8
    if (!has_front_matter(*text)) continue;
    found = true;
    sources_[template_name_of(file.string())] =
        std::make_shared<Source>(SourceFile{file.string(), std::move(*text)}, places, false);
  }
  if (!found)
    throw InvalidArgument(fmt::format("templates: {} {}: a template's first comment starts with /*---", path.string(),
                                      folder ? "holds no template" : "is no template"));
}

bool TemplateLibrary::has(std::string_view name) const { return sources_.find(name) != sources_.end(); }

bool TemplateLibrary::is_own(std::string_view name) const {
  const auto found = sources_.find(name);
  return found != sources_.end() && found->second->own;
}

std::shared_ptr<const Template> TemplateLibrary::read(SourceFile file) {
  return parsed_template(file, {embedded_headers(tilejit_templates)});
}

std::vector<std::string> TemplateLibrary::names() const {
  std::vector<std::string> names;
  for (const auto& [name, source] : sources_) names.push_back(name);
  return names;
}

std::shared_ptr<const Template> TemplateLibrary::get(std::string_view name) const {
  const auto found = sources_.find(name);
  if (found == sources_.end())
    throw InvalidArgument(fmt::format("there is no template \"{}\"{}", name, suggestion(name, names())));
  return found->second->get();
}

}  // namespace tilejit
