#include <tilejit/generator/dtype.h>

#include <array>

namespace tilejit {
namespace {

struct Row {
  DType dtype;
  std::size_t size;
  std::string_view name;
  std::string_view device_type;
  double epsilon;  ///< 0: an integer
};

constexpr std::array<Row, 12> rows{{
    {DType::f64, 8, "f64", "double", 0x1p-52},
    {DType::f32, 4, "f32", "float", 0x1p-23},
    {DType::f16, 2, "f16", "f16", 0x1p-10},
    {DType::bf16, 2, "bf16", "bf16", 0x1p-7},
    {DType::f8e4m3, 1, "f8e4m3", "f8e4m3", 0x1p-3},
    {DType::f8e5m2, 1, "f8e5m2", "f8e5m2", 0x1p-2},
    {DType::i8, 1, "i8", "i8", 0},
    {DType::u8, 1, "u8", "u8", 0},
    {DType::i16, 2, "i16", "i16", 0},
    {DType::i32, 4, "i32", "i32", 0},
    {DType::i64, 8, "i64", "i64", 0},
    {DType::boolean, 1, "bool", "bool_", 0},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (static_cast<std::size_t>(rows[i].dtype) != i) return false;
  return true;
}
static_assert(in_order(), "a row stands at its dtype's number");

constexpr std::array<DType, rows.size()> dtypes = [] {
  std::array<DType, rows.size()> all{};
  for (std::size_t i = 0; i < rows.size(); ++i) all[i] = rows[i].dtype;
  return all;
}();

const Row& row_of(DType dtype) { return rows.at(static_cast<std::size_t>(dtype)); }

}  // namespace

std::span<const DType> all_dtypes() { return dtypes; }
std::size_t size_of(DType dtype) { return row_of(dtype).size; }
std::string_view name_of(DType dtype) { return row_of(dtype).name; }
std::string_view device_type(DType dtype) { return row_of(dtype).device_type; }
bool is_floating(DType dtype) { return row_of(dtype).epsilon > 0; }
double epsilon_of(DType dtype) { return row_of(dtype).epsilon; }

std::optional<DType> dtype_named(std::string_view name) {
  for (const Row& row : rows)
    if (row.name == name) return row.dtype;
  return std::nullopt;
}

}  // namespace tilejit
