#include <tilejit/runtime/emulated_counts.h>

#include <dlfcn.h>
#include <fmt/format.h>

#include <string_view>

#include <tilejit/runtime/emulator/counters.h>

namespace tilejit {
namespace {

constexpr std::uint32_t known_version = 1;

void add(void* user, const EmulatedKernel* kernel) {
  auto& counts = *static_cast<EmulatedCounts*>(user);
  counts.blocks += kernel->blocks;
  for (std::size_t i = 0; i < kernel->instruction_count; ++i) {
    const EmulatedInstruction& instruction = kernel->instructions[i];
    counts.warp_instructions += instruction.warps;
    if (std::string_view(instruction.space) == "shared") {
      counts.shared_wavefronts += instruction.wavefronts;
    } else {
      counts.sectors += instruction.sectors;
    }
  }
}

}  // namespace

EmulatedCounts emulated_counts(const Driver& driver) {
  const auto* table = static_cast<const EmulatedTable*>(dlsym(driver.handle.get(), "tilejit_emulated_counters"));
  if (table == nullptr) throw Error(driver.library + " has no table of counters: not the emulated device's library");
  if (table->version != known_version) {
    throw Error(fmt::format("{}: its counters are of version {}, this library knows {}", driver.library, table->version,
                            known_version));
  }
  EmulatedCounts counts;
  table->visit(add, &counts);
  return counts;
}

}  // namespace tilejit
