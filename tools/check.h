#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <tilejit/runtime/jit.h>
#include <tilejit/tools/call.h>
#include <tilejit/tools/comparison.h>
#include <tilejit/tools/expected.h>
#include <tilejit/tools/image.h>

namespace tilejit::tool {

/// What `run --check` found.
struct Check {
  std::string source;               ///< what outputs were compared with; empty: there was nothing
  std::vector<Comparison> tensors;  ///< every output that was compared, and whatever else is not as it should be
  bool good() const;
};

/// Looks at what a call left in its tensors (`actual`, one image a tensor that is there): outputs against what they
/// should hold, inputs against what they held, and the bytes around and between all elements. `ran` is the Config that
/// ran; further calls are made through `jit`, which was made with `options`, on `stream`.
Check check_of(const Call& call, std::uint64_t seed, const Jit& jit, const Options& options, StreamRef stream,
               const Config& ran, std::vector<Image> actual);

/// The same against what is expected already; nullptr: nothing is.
Check check_against(const Call& call, std::uint64_t seed, const Expected* expected, std::vector<Image> actual);

}  // namespace tilejit::tool
