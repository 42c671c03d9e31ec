#pragma once
#include <tilejit/cache/key.h>
#include <tilejit/cache/store.h>
#include <tilejit/generator/compiler.h>
#include <tilejit/generator/specialization.h>

namespace tilejit {

/// The key's labelled parts, as docs/cache_format.md lists them: schema, output, arch, source, program name, reachable
/// headers by content, options, NVRTC's identity.
TILEJIT_API KeyBuilder key_of(const GeneratedSource& source, const Target& target, const Nvrtc& nvrtc);

struct BuildResult {
  ObjectCode object;
  bool from_cache = false;
  Key key;  ///< its entry's
};

/// The product's sentence: codegen -> key -> store.get -> compile -> store.put. Returns the bytes it holds, so what
/// happens to the store afterwards changes nothing. A failed compile throws CompileError, publishes nothing, and does
/// so again in full on each call.
///
/// Where several threads or processes miss one key at once, one compiles and the others wait for its entry. A hit loads
/// no NVRTC: only its file's identity is read. Throws ToolchainError where no NVRTC is found at all.
TILEJIT_API BuildResult build(const Template& kernel, const Specialization& specialization, const Target& target,
                              const Nvrtc& nvrtc, Store& store);
/// The same from the source on.
TILEJIT_API BuildResult build(const GeneratedSource& source, const Target& target, const Nvrtc& nvrtc, Store& store);

}  // namespace tilejit
