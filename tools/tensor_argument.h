#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tilejit/generator/dtype.h>
#include <tilejit/generator/problem.h>

namespace tilejit::tool {

/// A tensor as a person types it. Strides and offset in elements.
struct TensorArgument {
  std::string name;
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape, strides;
  std::int64_t offset = 0;  ///< of element (0, 0, ...) from the first element of its memory
  std::int64_t span = 0;    ///< elements of memory that cover it: one past the highest reached; 0 for an empty tensor
  bool operator==(const TensorArgument&) const = default;
};

/// Reads VALUE of NAME=VALUE: DTYPE:SHAPE[:STRIDES[:OFFSET]]
///   DTYPE    f64 f32 f16 bf16 f8e4m3 f8e5m2 i8 u8 i16 i32 i64 bool
///   SHAPE    4096x4096, 0x8, 7; `scalar` for rank 0
///   STRIDES  4096,1; any sign; left out: row-major without gaps
///   OFFSET   0 or more; left out: the least that keeps the lowest element inside the memory
/// InvalidArgument names the tensor and what would fit: unknown dtype, bad extent, wrong number of strides, an offset
/// that leaves the memory, sizes beyond 2^63 bytes.
TensorArgument parse_tensor(std::string_view name, std::string_view value);

/// What a call with this tensor in 256-byte aligned memory would bring.
TensorProblem problem_of(const TensorArgument& tensor);

/// The text that parse_tensor reads back: "f32:4096x4096:1,4096:0".
std::string to_string(const TensorArgument& tensor);

}  // namespace tilejit::tool
