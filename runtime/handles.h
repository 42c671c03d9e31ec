#pragma once
#include <cstdint>

/// CUDA's opaque handles, forward-declared as cuda.h spells them, so that public headers need no toolkit.
extern "C" {
struct CUctx_st;
struct CUstream_st;
struct CUevent_st;
struct CUmod_st;
struct CUfunc_st;
struct CUlib_st;
struct CUkern_st;
}

namespace tilejit {
using ContextHandle = CUctx_st*;
using StreamHandle = CUstream_st*;
using EventHandle = CUevent_st*;
using DevicePointer = std::uint64_t;  ///< a CUdeviceptr
}  // namespace tilejit
