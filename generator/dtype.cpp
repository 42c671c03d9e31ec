#include <tilejit/generator/dtype.h>

#include <array>

namespace tilejit {
namespace {

struct Row {
  DType dtype;
  std::size_t size;
  std::string_view name;
  std::string_view device_type;
  bool floating;
};

constexpr std::array<Row, 12> rows{{
    {DType::f64, 8, "f64", "double", true},
    {DType::f32, 4, "f32", "float", true},
    {DType::f16, 2, "f16", "f16", true},
    {DType::bf16, 2, "bf16", "bf16", true},
    {DType::f8e4m3, 1, "f8e4m3", "f8e4m3", true},
    {DType::f8e5m2, 1, "f8e5m2", "f8e5m2", true},
    {DType::i8, 1, "i8", "i8", false},
    {DType::u8, 1, "u8", "u8", false},
    {DType::i16, 2, "i16", "i16", false},
    {DType::i32, 4, "i32", "i32", false},
    {DType::i64, 8, "i64", "i64", false},
    {DType::boolean, 1, "bool", "bool_", false},
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
bool is_floating(DType dtype) { return row_of(dtype).floating; }

std::optional<DType> dtype_named(std::string_view name) {
  for (const Row& row : rows)
    if (row.name == name) return row.dtype;
  return std::nullopt;
}

}  // namespace tilejit
