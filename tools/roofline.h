#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilejit::tool {

/// How much arithmetic a call does for each byte that it must move, beside what a device can do.
struct Roofline {
  std::string device, arithmetic;         ///< "H200", "bf16"
  double flops = 0, bytes = 0;            ///< of the call; each tensor counts once
  double peak_flops = 0, peak_bytes = 0;  ///< a second, as the maker states them
  double intensity() const { return flops / bytes; }
  double ridge() const { return peak_flops / peak_bytes; }  ///< FLOP per byte from which on arithmetic is the limit
  bool bound_by_arithmetic() const { return intensity() >= ridge(); }
  double least_seconds() const;  ///< by whichever is the limit
};

/// Whose peak counts for arithmetic on this dtype (or "tf32"): of kernels that use tensor cores its own, where f32 is
/// multiplied as tf32; of others f32's for floats up to 32 bits and i32's for integers up to 32, which is what they
/// compute in. Others are given back as they are.
std::string_view peak_of(std::string_view dtype, bool tensor_cores);

/// The best-known device of this arch ("sm_90a": an H200). `arithmetic` is whose peak counts. nullopt: nothing is
/// computed or moved, or there is no figure for this arithmetic.
std::optional<Roofline> roofline(std::string_view arithmetic, std::int64_t bytes, std::int64_t flops,
                                 std::string_view arch);

std::string to_text(const Roofline& roofline);  ///< one line, "roof    ..."
std::string json_of(const Roofline& roofline);  ///< an object

}  // namespace tilejit::tool
