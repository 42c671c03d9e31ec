#include <tilejit/generator/build.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace tilejit {
namespace {

constexpr const char* builtins_section = "builtins";

std::string digest_bytes(std::string_view text) {
  const Key key = digest(text);
  return std::string(key.bytes().begin(), key.bytes().end());
}

/// nullopt: the entry is of another format, or was made with other builtins. Builtins that cannot be seen, on either
/// side, do not count: NVRTC takes them from beside itself or from the loader path.
std::optional<ObjectCode> object_for(const std::optional<Entry>& entry, const GeneratedSource& source,
                                     const Nvrtc& nvrtc) {
  if (!entry) return std::nullopt;
  const std::string* made_with = entry->find(builtins_section);
  const std::string& present = nvrtc.file().builtins_build_id;
  if (made_with != nullptr && !present.empty() && *made_with != present) return std::nullopt;
  std::optional<ObjectCode> object = object_in(*entry);
  if (object &&
      (object->entry != source.entry || object->parameters != source.parameters || object->threads != source.threads))
    return std::nullopt;
  return object;
}

}  // namespace

KeyBuilder key_of(const GeneratedSource& source, const Target& target, const Nvrtc& nvrtc) {
  KeyBuilder key;
  key.add("schema", std::uint64_t{meta_format});
  key.add("output", target.ptx_only ? "ptx" : "cubin");
  key.add("arch", target.arch);
  key.add("source", digest_bytes(source.text));
  key.add("name", source.name);
  std::vector<const SourceFile*> headers;
  for (const SourceFile& header : source.headers) headers.push_back(&header);
  std::sort(headers.begin(), headers.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
  for (const SourceFile* header : headers) key.add("header", header->name + '\0' + digest_bytes(header->text));
  for (const std::string& option : nvrtc_options(source, target)) key.add("option", option);
  key.add("nvrtc", nvrtc.file().build_id);
  return key;
}

BuildResult build(const Template& kernel, const Specialization& specialization, const Target& target,
                  const Nvrtc& nvrtc, Store& store) {
  return build(generate(kernel, specialization, target), target, nvrtc, store);
}

BuildResult build(const GeneratedSource& source, const Target& target, const Nvrtc& nvrtc, Store& store) {
  const std::string material = key_of(source, target, nvrtc).material();
  const Key key = digest(material);
  if (auto object = object_for(store.get(Shelf::kernel, key), source, nvrtc)) return {std::move(*object), true, key};
  const Store::Turn turn = store.wait_turn(Shelf::kernel, key);
  if (auto object = object_for(turn.entry, source, nvrtc)) return {std::move(*object), true, key};

  ObjectCode object = compile(nvrtc, source, target);
  Entry entry = to_entry(object, material);
  if (!nvrtc.file().builtins_build_id.empty())
    entry.sections.push_back({builtins_section, nvrtc.file().builtins_build_id});
  store.put(Shelf::kernel, entry);
  return {std::move(object), false, key};
}

}  // namespace tilejit
