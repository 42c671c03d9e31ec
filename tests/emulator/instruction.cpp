#include "instruction.h"

#include <stdexcept>

namespace tilejit::testing {
namespace {

std::string register_type(const std::string& type) {
  if (type == "pred") return ".pred";
  const std::string bits = type.find("x2") != std::string::npos
                               ? (type.find('8') == std::string::npos && type[0] != 'e' ? "32" : "16")
                           : type == "bf16" ? "16"
                           : type == "tf32" ? "32"
                                            : type.substr(1);
  return ".b" + (bits == "8" ? "16" : bits);
}

}  // namespace

std::string ptx_of(const Instruction& in) {
  std::string text =
      ".version 8.4\n.target " + in.target + "\n.address_size 64\n.visible .entry k(.param .u64 d, .param .u32 n";
  const char* names[] = {"a", "b", "c"};
  for (std::size_t k = 0; k < in.sources.size(); ++k) text += std::string(", .param .u64 p") + names[k];
  text += ")\n{\n.reg .pred %out;\n.reg .b32 %i, %n, %t, %u;\n.reg .b64 %at, %o, %w;\n.reg " +
          register_type(in.result) + " %d;\n";
  for (std::size_t k = 0; k < in.sources.size(); ++k)
    text += ".reg " + register_type(in.sources[k]) + " %" + names[k] + ";\n";
  text +=
      "mov.u32 %i, %ctaid.x;\nmov.u32 %t, %ntid.x;\nmov.u32 %u, %tid.x;\nmad.lo.u32 %i, %i, %t, %u;\n"
      "ld.param.u32 %n, [n];\nsetp.ge.u32 %out, %i, %n;\n@%out bra END;\nmul.wide.u32 %o, %i, 8;\n";
  for (std::size_t k = 0; k < in.sources.size(); ++k) {
    text += std::string("ld.param.u64 %at, [p") + names[k] + "];\nadd.u64 %at, %at, %o;\nld.global.u64 %w, [%at];\n";
    const std::string reg = register_type(in.sources[k]), to = std::string("%") + names[k];
    if (reg == ".pred")
      text += "setp.ne.u64 " + to + ", %w, 0;\n";
    else if (reg == ".b64")
      text += "mov.b64 " + to + ", %w;\n";
    else
      text += "cvt.u" + reg.substr(2) + ".u64 " + to + ", %w;\n";
  }
  if (!in.text.empty()) {
    text += in.text + "\n";
  } else {
    text += in.name + " %d";
    for (std::size_t k = 0; k < in.sources.size(); ++k) text += std::string(", %") + names[k];
    text += ";\n";
  }
  const std::string reg = register_type(in.result);
  if (reg == ".pred")
    text += "selp.u64 %w, 1, 0, %d;\n";
  else if (reg == ".b64")
    text += "mov.b64 %w, %d;\n";
  else
    text += "cvt.u64.u" + reg.substr(2) + " %w, %d;\n";
  return text + "ld.param.u64 %at, [d];\nadd.u64 %at, %at, %o;\nst.global.u64 [%at], %w;\nEND:\nret;\n}\n";
}

std::vector<std::uint64_t> run(const Instruction& in, const std::vector<std::vector<std::uint64_t>>& sources) {
  const Module module(ptx_of(in));
  const std::size_t n = sources.at(0).size();
  const auto blocks = static_cast<unsigned>((n + 255) / 256);
  const Buffer<std::uint64_t> d(n), a(sources[0]);
  CUresult code = CUDA_SUCCESS;
  const auto count = static_cast<unsigned>(n);
  if (sources.size() == 1) {
    code = module.run("k", {blocks}, {256}, d.pointer(), count, a.pointer());
  } else if (sources.size() == 2) {
    const Buffer<std::uint64_t> b(sources[1]);
    code = module.run("k", {blocks}, {256}, d.pointer(), count, a.pointer(), b.pointer());
  } else {
    const Buffer<std::uint64_t> b(sources[1]), c(sources[2]);
    code = module.run("k", {blocks}, {256}, d.pointer(), count, a.pointer(), b.pointer(), c.pointer());
  }
  if (code != CUDA_SUCCESS) throw std::runtime_error(in.name + ": " + std::to_string(code));
  return d.read();
}

}  // namespace tilejit::testing
