#include <tilejit/tools/roofline.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include <tilejit/generator/arch.h>

namespace tilejit::tool {
namespace {

/// 10^12 operations and 10^9 bytes a second, dense, as the makers' data sheets state them.
struct Row {
  int arch;
  std::string_view device;
  double gigabytes, f64, f32, tf32, half, i8;
};
constexpr std::array rows{
    Row{75, "T4", 320, 0.25, 8.1, 0, 65, 130},
    Row{80, "A100 80GB", 2039, 9.7, 19.5, 156, 312, 624},
    Row{86, "A40", 696, 0.58, 37.4, 74.8, 149.7, 299.3},
    Row{89, "L40S", 864, 1.4, 91.6, 183, 362, 733},
    Row{90, "H200", 4800, 33.5, 66.9, 494.7, 989.5, 1979},
    Row{100, "B200", 8000, 37, 75, 1100, 2250, 4500},
    Row{120, "RTX PRO 6000", 1792, 1.97, 126, 252, 504, 1008},
};

double teraflops(const Row& row, std::string_view arithmetic) {
  if (arithmetic == "f64") return row.f64;
  if (arithmetic == "f32") return row.f32;
  if (arithmetic == "tf32") return row.tf32;
  if (arithmetic == "f16" || arithmetic == "bf16") return row.half;
  if (arithmetic == "i8") return row.i8;
  return arithmetic == "i32" ? row.f32 / 2 : 0;  // multiply-adds of 32 bits go at half the rate
}

}  // namespace

double Roofline::least_seconds() const { return std::max(flops / peak_flops, bytes / peak_bytes); }

std::string_view peak_of(std::string_view dtype, bool tensor_cores) {
  if (tensor_cores) return dtype == "f32" ? "tf32" : dtype;
  const auto among = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::count(names, dtype) > 0;
  };
  if (among({"f32", "tf32", "f16", "bf16", "f8e4m3", "f8e5m2"})) return "f32";
  return among({"i8", "u8", "i16", "i32"}) ? "i32" : dtype;
}

std::optional<Roofline> roofline(std::string_view arithmetic, std::int64_t bytes, std::int64_t flops,
                                 std::string_view arch_name) {
  const std::optional<Arch> arch = Arch::parse(arch_name);
  if (!arch || bytes <= 0 || flops <= 0) return std::nullopt;
  const Row* row = &rows.front();
  for (const Row& each : rows)
    if (each.arch <= arch->number) row = &each;
  const double peak = teraflops(*row, arithmetic);
  if (peak == 0) return std::nullopt;
  return Roofline{std::string(row->device), std::string(arithmetic), double(flops), double(bytes), peak * 1e12,
                  row->gigabytes * 1e9};
}

std::string to_text(const Roofline& roofline) {
  return fmt::format(
      "roof    {:.1f} FLOP a byte; the ridge of {} is {:.1f} ({:.4g} TFLOP/s of {}, {:.0f} GB/s): bound by "
      "{}, {:.4g} us at least\n",
      roofline.intensity(), roofline.device, roofline.ridge(), roofline.peak_flops / 1e12, roofline.arithmetic,
      roofline.peak_bytes / 1e9, roofline.bound_by_arithmetic() ? "arithmetic" : "memory",
      roofline.least_seconds() * 1e6);
}

std::string json_of(const Roofline& roofline) {
  return nlohmann::ordered_json{{"device", roofline.device},
                                {"arithmetic", roofline.arithmetic},
                                {"flops_per_byte", roofline.intensity()},
                                {"ridge", roofline.ridge()},
                                {"peak_flops", roofline.peak_flops},
                                {"peak_bytes_per_second", roofline.peak_bytes},
                                {"bound_by", roofline.bound_by_arithmetic() ? "arithmetic" : "memory"},
                                {"least_us", roofline.least_seconds() * 1e6}}
      .dump();
}

}  // namespace tilejit::tool
