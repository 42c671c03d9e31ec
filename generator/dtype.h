#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <tilejit/cache/export.h>

namespace tilejit {

/// Element types. The closed list of everything a tensor or a scalar may hold.
enum class DType : std::uint8_t { f64, f32, f16, bf16, f8e4m3, f8e5m2, i8, u8, i16, i32, i64, boolean };

inline constexpr DType f64 = DType::f64, f32 = DType::f32, f16 = DType::f16, bf16 = DType::bf16, f8e4m3 = DType::f8e4m3,
                       f8e5m2 = DType::f8e5m2, i8 = DType::i8, u8 = DType::u8, i16 = DType::i16, i32 = DType::i32,
                       i64 = DType::i64, boolean = DType::boolean;

TILEJIT_API std::span<const DType> all_dtypes();
TILEJIT_API std::size_t size_of(DType dtype);           ///< bytes: 1, 2, 4 or 8
TILEJIT_API std::string_view name_of(DType dtype);      ///< "f32", ..., "bool"
TILEJIT_API std::string_view device_type(DType dtype);  ///< its spelling in the block library: "float", "bf16", ...
TILEJIT_API std::optional<DType> dtype_named(std::string_view name);
TILEJIT_API bool is_floating(DType dtype);
TILEJIT_API double epsilon_of(DType dtype);  ///< from 1 to the next value; 0 of integers and bool

/// The dtype of a host type: float, double, std::int8_t, std::uint8_t, std::int16_t, int, std::int64_t, bool.
template <class T>
inline constexpr std::optional<DType> dtype_of = std::nullopt;
template <>
inline constexpr std::optional<DType> dtype_of<double> = DType::f64;
template <>
inline constexpr std::optional<DType> dtype_of<float> = DType::f32;
template <>
inline constexpr std::optional<DType> dtype_of<std::int8_t> = DType::i8;
template <>
inline constexpr std::optional<DType> dtype_of<std::uint8_t> = DType::u8;
template <>
inline constexpr std::optional<DType> dtype_of<std::int16_t> = DType::i16;
template <>
inline constexpr std::optional<DType> dtype_of<std::int32_t> = DType::i32;
template <>
inline constexpr std::optional<DType> dtype_of<long> = DType::i64;
template <>
inline constexpr std::optional<DType> dtype_of<long long> = DType::i64;
template <>
inline constexpr std::optional<DType> dtype_of<bool> = DType::boolean;

}  // namespace tilejit
