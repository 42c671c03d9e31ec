#include <tilejit/runtime/emulator/report/waiters.h>

#include <fmt/format.h>

#include <map>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/worker.h>
#include <tilejit/runtime/emulator/report/places.h>

namespace tilejit::emulator {

std::string describe_waiters(const Block& block) {
  struct At {
    int threads = 0, first = 0;
    std::uint32_t missing = 0;
    bool barrier = false;
  };
  std::map<std::pair<std::uint32_t, int>, At> all;
  int returned = 0;
  for (const Warp& w : block.warps) {
    const std::uint32_t threads = block.worker->launch->threads();
    const auto in_warp =
        static_cast<int>(std::min<std::uint32_t>(32, threads - static_cast<std::uint32_t>(w.index) * 32));
    returned += in_warp - __builtin_popcount(w.live);
    for (int k = 0; k < w.parked_count; ++k) {
      const Parked& p = w.parked[k];
      // Lanes that wait for each other are one warp's own affair.
      At& at = all[{p.pc->site, p.barrier >= 0 ? -1 : w.index}];
      if (at.threads == 0) at.first = w.index * 32 + __builtin_ctz(p.mask);
      at.threads += __builtin_popcount(p.mask);
      at.missing |= p.need & w.live & ~p.mask;
      at.barrier = p.barrier >= 0;
    }
  }
  std::string text;
  for (const auto& [key, at] : all) {
    const Site& site = block.worker->program->sites[key.first];
    const int line = site.instruction == nullptr ? 0 : site.instruction->line;
    const std::string source = describe_source(*block.worker->program, key.first);
    text += fmt::format("{}{} thread{} from thread {} on wait{} at PTX line {} ({}){}", text.empty() ? "" : "\n  ",
                        at.threads, at.threads == 1 ? "" : "s", at.first, at.threads == 1 ? "s" : "", line,
                        line_of(*block.worker->program->module, line), source.empty() ? "" : ", " + source);
    if (!at.barrier) text += fmt::format(", for lanes 0x{:08x} of warp {}", at.missing, key.second);
  }
  if (returned > 0) text += fmt::format("\n  {} thread{} of the block returned", returned, returned == 1 ? "" : "s");
  return text;
}

}  // namespace tilejit::emulator
