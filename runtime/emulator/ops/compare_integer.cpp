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
  comparison<compare<Order::eq, T>, T>(r, "eq", nullptr, type);
  comparison<compare<Order::ne, T>, T>(r, "ne", nullptr, type);
}
template <class T>
void all(Registry& r, const char* type) {
  equality<T>(r, type);
  comparison<compare<Order::lt, T>, T>(r, "lt", nullptr, type);
  comparison<compare<Order::le, T>, T>(r, "le", nullptr, type);
  comparison<compare<Order::gt, T>, T>(r, "gt", nullptr, type);
  comparison<compare<Order::ge, T>, T>(r, "ge", nullptr, type);
  if constexpr (std::is_unsigned_v<T>) {
    comparison<compare<Order::lt, T>, T>(r, "lo", nullptr, type);
    comparison<compare<Order::le, T>, T>(r, "ls", nullptr, type);
    comparison<compare<Order::gt, T>, T>(r, "hi", nullptr, type);
    comparison<compare<Order::ge, T>, T>(r, "hs", nullptr, type);
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
