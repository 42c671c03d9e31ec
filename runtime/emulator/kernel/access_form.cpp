#include <tilejit/runtime/emulator/kernel/access_form.h>

#include <set>

#include <tilejit/runtime/emulator/ops/table.h>

namespace tilejit::emulator {
namespace {

bool is_cache_hint(std::string_view m) {
  static const std::set<std::string_view> hints = {"ca",   "cg",  "cs",  "lu",  "cv",      "wb",      "wt",
                                                   "weak", "sys", "gpu", "cta", "cluster", "unified", "L2::cache_hint"};
  return hints.contains(m) || m.starts_with("L1::") || m.starts_with("L2::") || m.starts_with("level::");
}

}  // namespace

AccessForm access_form(const std::vector<std::string_view>& modifiers) {
  AccessForm form;
  for (const std::string_view m : modifiers) {
    if (m == "global")
      form.space = Space::global;
    else if (m == "shared" || m == "shared::cta" || m == "shared::cluster")
      form.space = Space::shared;
    else if (m == "local")
      form.space = Space::local;
    else if (m == "const")
      form.space = Space::constant;
    else if (m == "param" || m == "param::entry" || m == "param::func")
      form.space = Space::param;
    else if (m == "nc")
      form.read_only = true;
    else if (m == "v2")
      form.vector = 2;
    else if (m == "v4")
      form.vector = 4;
    else if (m == "v8")
      form.vector = 8;
    else if (m == "volatile" || m == "relaxed" || m == "mmio")
      form.polls = true;
    else if (m == "acquire")
      form.polls = form.acquires = true;
    else if (m == "release")
      form.releases = true;
    else if (m == "acq_rel" || m == "seq_cst" || m == "sc")
      form.polls = form.acquires = form.releases = true;
    else if (is_type(m))
      form.type = m;
    else if (!is_cache_hint(m))
      form.rest.push_back(m);
    if (m == "cv") form.polls = true;
  }
  form.element_bytes = ptx::bytes_of(form.type);
  form.is_signed = !form.type.empty() && form.type[0] == 's';
  return form;
}

}  // namespace tilejit::emulator
