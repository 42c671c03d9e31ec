#pragma once
// What codegen writes for each tensor argument, and what the block library reads of it. An example of a view, as generated for
// x = f32 (M, N) with strides (dynamic, 1), 16-byte alignment class:
//
//   struct view_x {
//     using type = float;                              // element; bf16, f8e4m3, ... are the block library's own types
//     static constexpr bool present = true;            // false: an optional tensor left out; no other member is used then
//     static constexpr bool writable = false;          // access is write or update
//     static constexpr int rank = 2;
//     static constexpr int unit_axis = 1;              // axis of stride 1; -1: none
//     static constexpr int align = 16;                 // alignment class, bytes
//     type* __restrict__ data;                         // const type* where not writable
//     i64 size_0, size_1, stride_0;                    // what stays dynamic
//     template <int AXIS> __device__ __forceinline__ constexpr i64 size() const;    // extent
//     template <int AXIS> __device__ __forceinline__ constexpr i64 stride() const;  // elements; a literal where compiled in
//   };
//
// Also generated, before the template: constexpr int for each constant, num_warps and num_stages; `i64 grid_` parameters
// where the grid is folded, reached through program_id<AXIS>() and num_programs<AXIS>().
