#include <tilejit/runtime/emulator/ops/comparisons.h>
#include <tilejit/runtime/emulator/ops/families.h>

namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <Order O, class T>
bool compare(T a, T b) {
  return ordered<O>(a, b);
}

template <class T>
void equality(Registry& r, const char* type) {
  row<compare<Order::eq, T>>(r, "setp", "eq", type);
  row<compare<Order::ne, T>>(r, "setp", "ne", type);
}
template <class T>
void all(Registry& r, const char* type) {
  equality<T>(r, type);
  row<compare<Order::lt, T>>(r, "setp", "lt", type);
  row<compare<Order::le, T>>(r, "setp", "le", type);
  row<compare<Order::gt, T>>(r, "setp", "gt", type);
  row<compare<Order::ge, T>>(r, "setp", "ge", type);
  if constexpr (std::is_unsigned_v<T>) {
    row<compare<Order::lt, T>>(r, "setp", "lo", type);
    row<compare<Order::le, T>>(r, "setp", "ls", type);
    row<compare<Order::gt, T>>(r, "setp", "hi", type);
    row<compare<Order::ge, T>>(r, "setp", "hs", type);
  }
}

}  // namespace

void register_compare_integer(Registry& r) {
  all<std::uint16_t>(r, "u16");
  all<std::int16_t>(r, "s16");
  all<std::uint32_t>(r, "u32");
  all<std::int32_t>(r, "s32");
  all<std::uint64_t>(r, "u64");
  all<std::int64_t>(r, "s64");
  equality<std::uint16_t>(r, "b16");
  equality<std::uint32_t>(r, "b32");
  equality<std::uint64_t>(r, "b64");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
