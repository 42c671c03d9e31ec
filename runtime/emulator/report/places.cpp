#include <tilejit/runtime/emulator/report/places.h>

#include <fmt/format.h>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/worker.h>

namespace tilejit::emulator {

std::string describe_thread(const Warp& w, int lane) {
  const Launch& launch = *w.worker->launch;
  const std::uint32_t linear = static_cast<std::uint32_t>(w.index * 32 + lane);
  const std::uint32_t x = linear % launch.block[0], y = linear / launch.block[0] % launch.block[1],
                      z = linear / launch.block[0] / launch.block[1];
  const std::uint32_t* c = w.block->ctaid;
  return fmt::format("block ({}, {}, {}), thread ({}, {}, {})", c[0], c[1], c[2], x, y, z);
}

std::string line_of(const ptx::Module& module, int line) {
  std::size_t from = 0;
  for (int k = 1; k < line && from != std::string::npos; ++k) {
    from = module.text.find('\n', from);
    if (from != std::string::npos) ++from;
  }
  if (from == std::string::npos || line < 1) return {};
  const std::size_t to = module.text.find('\n', from);
  std::string text = module.text.substr(from, to == std::string::npos ? std::string::npos : to - from);
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  text = text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
  for (char& c : text) {
    if (c == '\t') c = ' ';
  }
  return text;
}

namespace {

std::string location(const ptx::Module& module, const ptx::Function& function, int index) {
  std::string text;
  for (int hops = 0; index >= 0 && index < static_cast<int>(function.locations.size()) && hops < 32; ++hops) {
    const ptx::SourceLocation& l = function.locations[static_cast<std::size_t>(index)];
    const auto file = module.files.find(l.file);
    text += fmt::format("{}{}:{}", text.empty() ? "" : ", inlined at ", file == module.files.end() ? "?" : file->second,
                        l.line);
    index = l.inlined_at;
  }
  return text;
}

}  // namespace

std::string describe_source(const Program& program, std::uint32_t site) {
  std::string text;
  for (int at = static_cast<int>(site); at >= 0; at = program.sites[static_cast<std::size_t>(at)].called_from) {
    const Site& s = program.sites[static_cast<std::size_t>(at)];
    if (s.instruction == nullptr || s.function == nullptr) continue;
    const std::string here = location(*program.module, *s.function, s.instruction->location);
    if (!here.empty()) text += (text.empty() ? "" : ", called at ") + here;
  }
  return text;
}

std::string describe_instruction(const Program& program, std::uint32_t site) {
  const Site& s = program.sites[site];
  if (s.instruction == nullptr) return {};
  std::string text =
      fmt::format("  PTX line {}: {}\n", s.instruction->line, line_of(*program.module, s.instruction->line));
  const std::string source = describe_source(program, site);
  if (!source.empty()) text += "  source: " + source + "\n";
  return text;
}

}  // namespace tilejit::emulator
