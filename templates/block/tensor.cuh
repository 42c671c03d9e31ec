#pragma once
// The contract between generated code and the block library. One translation unit, in this order (as generated for
// copy_2d, x = f32 (M, N) with strides (dynamic, 1) and alignment class 16):
//
//   inline constexpr int BLOCK_M = 64;                 // one for each of the template's constants
//   inline constexpr int num_warps = 8, num_stages = 1;
//   inline constexpr bool grid_folded = false;         // the grid's axes were folded into x
//   inline constexpr bool debug_checks = false;        // Specialization::debug
//   #include "block/index.cuh"                         // always: unfold_grid and i64
//   #include "block/memory.cuh"                        // one for each name in `use`, spelled there as here; none: "block.cuh"
//
//   struct view_x {                                    // one for each tensor argument
//     using type = float;                              // element; bf16, f8e4m3, bool_ ... are structs of block/dtype.cuh
//     static constexpr bool present = true;            // false: an optional tensor left out; no other member is used then
//     static constexpr bool writable = false;          // access is write or update
//     static constexpr int rank = 2;
//     static constexpr int unit_axis = 1;              // axis of stride 1; -1: none
//     static constexpr int align = 16;                 // alignment class, bytes; at least sizeof(type)
//     const type* __restrict__ data;                   // address of element (0, 0, ...); not const where writable
//     i64 size_0, size_1, stride_0;                    // what stays dynamic
//     template <int AXIS> __device__ __forceinline__ constexpr i64 size() const;    // extent
//     template <int AXIS> __device__ __forceinline__ constexpr i64 stride() const;  // elements; a literal where compiled in
//   };
//
//   #line 1 "/tilejit/templates/kernels/copy_2d.cuh"   // the template, as it stands in its file
//   ...
//   extern "C" __global__ void __launch_bounds__(256) copy_2d_kernel(...) {
//     unfold_grid(grid_0, grid_1, grid_2);             // only where folded: the unfolded extents, before anything else
//     copy_2d(view_x{...}, view_y{...});
//   }
//
// Where the axis AXIS is the unit axis, stride<AXIS>() is the literal 1, and `align` divides the address, the byte strides
// of all other axes longer than 1, and the byte extent of the unit axis. Without a unit axis `align` may be anything that
// divides the address: no vector is formed. A scalar argument arrives as its dtype's device type.
//
// A tensor through a TMA map (via = "tma") has no data, no stride and align 16; its view holds a pointer to the entry's
// `const __grid_constant__ tensor_map` parameter, which codegen defines as `struct alignas(64) tensor_map { unsigned char
// bytes[128]; };` where there is one:
//     static constexpr bool mapped = true;             // where via is not "pointer"; false: no map
//     static constexpr int swizzle = 128;              // bytes; 0: none
//     template <int AXIS> __device__ static constexpr int box();                    // elements
//     const tensor_map* map;
// One that may go either way (via = "either") has its pointer and strides as above, and where `mapped` these too.
#include "block/dtype.cuh"
