#pragma once
#include <string>

#include <tilejit/cache/entry.h>
#include <tilejit/cache/key.h>
#include <tilejit/cache/layout.h>
#include <tilejit/cache/store.h>

namespace tilejit::test {

/// A small entry; equal names give equal entries.
inline Entry entry_named(const std::string& name, const std::string& body = "body") {
  Entry entry;
  entry.key_material = KeyBuilder().add("name", name).material();
  entry.sections = {{"meta", "{}"}, {"cubin", body + " of " + name}};
  return entry;
}

inline Key key_of(const Entry& entry) { return digest(entry.key_material); }

inline std::string path_of(Shelf shelf, const Key& key) {
  return layout::relative_path(shelf, layout::shard_folder(key), layout::entry_file(key));
}

inline bool equal(const Entry& a, const Entry& b) {
  if (a.key_material != b.key_material || a.sections.size() != b.sections.size()) return false;
  for (std::size_t i = 0; i < a.sections.size(); ++i)
    if (a.sections[i].name != b.sections[i].name || a.sections[i].bytes != b.sections[i].bytes) return false;
  return true;
}

}  // namespace tilejit::test
