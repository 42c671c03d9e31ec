#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include <tilejit/generator/dtype.h>

/// One element of any dtype on the host, bit for bit what the block library's cast makes of it
/// (templates/block/cast.cuh): to a float dtype: nearest, ties to even, with one rounding; f16 and bf16 overflow to
/// infinity, fp8 saturates (infinity too, NaN stays NaN); from a float to an integer: toward zero, saturating, NaN is
/// 0; from an integer to a narrower one: the low bits; to bool: whether it is not 0. `element` is size_of(dtype) bytes
/// at any alignment.
namespace tilejit::tool {

/// Exact but for i64 beyond 2^53, which is rounded.
double double_at(DType dtype, const std::byte* element);
void put_double(DType dtype, std::byte* element, double value);

/// Exact for integer dtypes and bool; float dtypes as cast to i64 gives them.
std::int64_t integer_at(DType dtype, const std::byte* element);
void put_integer(DType dtype, std::byte* element, std::int64_t value);

/// `to` as the value at `from` cast to its dtype.
void convert_element(DType from_dtype, const std::byte* from, DType to_dtype, std::byte* to);

/// The value in the fewest digits that give it back ("4", "0.1", "-inf", "nan"); bool: "false", "true".
std::string text_at(DType dtype, const std::byte* element);

}  // namespace tilejit::tool
