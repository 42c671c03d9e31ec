#include <tilejit/generator/target.h>

#include <algorithm>
#include <array>

#include <tilejit/generator/arch.h>
#include <tilejit/generator/error.h>

namespace tilejit {
namespace {

struct Row {
  int number;
  int sms;
  std::int64_t shared_limit;  // bytes
};

constexpr std::int64_t kb = 1024;
constexpr std::array<Row, 11> rows = {{
    {75, 40, 64 * kb},     // T4
    {80, 108, 163 * kb},   // A100
    {86, 84, 99 * kb},     // A40
    {87, 16, 163 * kb},    // Orin
    {89, 142, 99 * kb},    // L40S
    {90, 132, 227 * kb},   // H100, H200
    {100, 148, 227 * kb},  // B200
    {103, 160, 227 * kb},  // B300
    {110, 20, 227 * kb},   // Thor
    {120, 188, 99 * kb},   // RTX PRO 6000
    {121, 48, 99 * kb},    // GB10
}};

std::vector<std::string> features_of(const Arch& arch) {
  std::vector<std::string> features;
  const auto add = [&](bool has, const char* name) {
    if (has) features.emplace_back(name);
  };
  add(arch.number >= 80, "mma");
  add(arch.number >= 89, "fp8_convert");
  add(arch.number >= 90, "bf16_arithmetic");
  add(arch.number >= 90, "tma");
  add(arch.number >= 90, "cluster");
  // From here on an instruction belongs to one arch: code for it runs nowhere else, and the name has to say so.
  add(arch.number == 90 && arch.suffix == 'a', "wgmma");
  add(arch.number >= 90 && arch.suffix != 0, "setmaxnreg");
  return features;
}

}  // namespace

bool Target::has(std::string_view feature) const {
  return std::find(features.begin(), features.end(), feature) != features.end();
}

Target target_of(std::string_view name) {
  const std::optional<Arch> arch = Arch::parse(name);
  if (!arch)
    throw ToolchainError("'" + std::string(name) +
                         "' is not an arch: expected a name like sm_80, sm_90a or compute_80");
  // An arch that the table does not know has the facts of the one below it; NVRTC has the last word.
  const auto above = std::upper_bound(rows.begin(), rows.end(), arch->number,
                                      [](int number, const Row& row) { return number < row.number; });
  const Row& row = above == rows.begin() ? rows.front() : *(above - 1);
  Target target;
  target.arch = arch->name("sm_");
  target.ptx_only = !arch->real;
  target.features = features_of(*arch);
  target.sms = row.sms;
  target.shared_limit = row.shared_limit;
  return target;
}

}  // namespace tilejit
