#pragma once
#include <tilejit/cache/key.h>
#include <tilejit/cache/store.h>
#include <tilejit/generator/compiler.h>
#include <tilejit/generator/specialization.h>

namespace tilejit {

/// The key's labelled parts: schema, source, program name, reachable headers by content, options, arch, NVRTC's
/// identity.
TILEJIT_API KeyBuilder key_of(const GeneratedSource& source, const Target& target, const Nvrtc& nvrtc);

struct BuildResult {
  ObjectCode object;
  bool from_cache = false;
};

/// The product's sentence: codegen -> key -> store.get -> compile -> store.put. Returns the bytes it holds, so what
/// happens to the store afterwards changes nothing. A failed compile throws CompileError, publishes nothing, and does
/// so again in full on each call.
TILEJIT_API BuildResult build(const Template& kernel, const Specialization& specialization, const Target& target,
                              const Nvrtc& nvrtc, Store& store);

}  // namespace tilejit
