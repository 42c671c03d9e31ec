#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tilejit/runtime/jit.h>
#include <tilejit/tools/call.h>
#include <tilejit/tools/image.h>

namespace tilejit::tool {

/// What a call's tensors should hold afterwards, and who says so.
struct Expected {
  std::vector<Image> images;  ///< one a tensor that is there, in call order
  std::string source;         ///< "the slow CPU reference", "its default Config BLOCK=256 ..."
  /// Of a product: what its relative Frobenius error may be (0: none), and where images hold values (empty:
  /// everywhere).
  std::optional<double> norm_bound{};
  std::vector<std::array<std::int64_t, 2>> sample{};
};

/// By tools/reference/ for TileJIT's own templates. For any other: its default Config where `ran` is another one, else
/// the emulated device, else another Config of [config]; nullopt where there is none of these. Calls are made through
/// `jit`, which was made with `options`, on `stream`.
std::optional<Expected> expected_of(const Call& call, std::uint64_t seed, const Jit& jit, const Options& options,
                                    StreamRef stream, const Config& ran);

}  // namespace tilejit::tool
