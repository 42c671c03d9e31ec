// In place of tilejit_templates, for test programs: the library's templates as they are, or with the fault that
// TILEJIT_TEST_FAULT names. A fault that does not fit ends the program.
#define tilejit_templates embedded_templates
#include "tilejit_templates.cpp"
#undef tilejit_templates

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <tilejit/tests/faults/patch.h>

extern const tilejit::EmbeddedTemplates tilejit_templates;

namespace tilejit::test {
namespace {

/// What lives as long as the program.
struct Copy {
  std::vector<std::string> texts;
  std::vector<EmbeddedFile> files;
};

EmbeddedTemplates templates_under_test() {
  const char* const fault = std::getenv("TILEJIT_TEST_FAULT");
  if (fault == nullptr || *fault == 0) return embedded_templates;
  try {
    const Patch patch = read_patch(fault);
    auto* const copy = new Copy{{}, {embedded_templates.files.begin(), embedded_templates.files.end()}};
    copy->texts.reserve(patch.files.size());
    for (const Patch::File& file : patch.files) {
      bool found = false;
      for (EmbeddedFile& embedded : copy->files) {
        if (embedded.name != "/tilejit/" + file.name) continue;
        found = true;
        embedded.text = copy->texts.emplace_back(patched(patch, file, std::string(embedded.text)));
      }
      if (!found) throw PatchError(patch.name + ": the library has no " + file.name);
    }
    return {copy->files};
  } catch (const PatchError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::_Exit(3);
  }
}

}  // namespace
}  // namespace tilejit::test

const tilejit::EmbeddedTemplates tilejit_templates = tilejit::test::templates_under_test();
