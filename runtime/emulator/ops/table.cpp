#include <tilejit/runtime/emulator/ops/table.h>

#include <algorithm>
#include <stdexcept>

namespace tilejit::emulator {

#if defined(__x86_64__)
namespace v2 {
void register_all(Registry&);
}
namespace v3 {
void register_all(Registry&);
}
namespace v4 {
void register_all(Registry&);
}
#else
namespace portable {
void register_all(Registry&);
}
#endif

struct Registry {
  OpTable table;
  void instruction_set(std::string_view name) { table.instruction_set_ = name; }
};

namespace {

constexpr std::string_view types[] = {
    "pred",   "b1",    "b4",    "b8",   "b16",  "b32",    "b64",    "b128",   "u4",     "u8",     "u16",     "u32",
    "u64",    "s4",    "s8",    "s16",  "s32",  "s64",    "f16",    "bf16",   "tf32",   "f32",    "f64",     "f16x2",
    "bf16x2", "u16x2", "s16x2", "e4m3", "e5m2", "e4m3x2", "e5m2x2", "e2m1x2", "e2m3x2", "e3m2x2", "ue8m0x2", "f32x2"};

}  // namespace

bool is_type(std::string_view modifier) {
  return std::find(std::begin(types), std::end(types), modifier) != std::end(types);
}

std::string canonical(std::string_view opcode, const std::vector<std::string_view>& modifiers) {
  std::vector<std::string_view> kinds, others;
  for (const std::string_view m : modifiers) (is_type(m) ? kinds : others).push_back(m);
  std::sort(others.begin(), others.end());
  std::string name(opcode);
  for (const auto& list : {others, kinds}) {
    for (const std::string_view m : list) {
      name += '.';
      name += m;
    }
  }
  return name;
}

void put(Registry& registry, const Row& row) {
  std::vector<std::string_view> modifiers;
  for (std::size_t i = 1; i < std::size(row.names); ++i) {
    if (row.names[i] != nullptr) modifiers.emplace_back(row.names[i]);
  }
  registry.table.rows_.insert_or_assign(canonical(row.names[0], modifiers), row);
}

void put(Registry& registry, const MoverRow& row) { registry.table.movers_.push_back(row); }

const Row* OpTable::find(const std::string& name) const {
  const auto found = rows_.find(name);
  return found == rows_.end() ? nullptr : &found->second;
}

Handler OpTable::handler(const std::string& name) const {
  const Row* row = find(name);
  if (row == nullptr) throw std::logic_error("the op table has no row " + name);
  return row->run;
}

Mover OpTable::mover(int memory_bytes, int register_bytes, bool is_signed, bool store, int vector, bool local) const {
  for (const MoverRow& row : movers_) {
    if (row.memory_bytes == memory_bytes && row.register_bytes == register_bytes &&
        row.is_signed == (is_signed && register_bytes > memory_bytes) && row.store == store && row.vector == vector &&
        row.local == local) {
      return row.move;
    }
  }
  return nullptr;
}

std::vector<std::string> OpTable::names() const {
  std::vector<std::string> all;
  for (const auto& [name, row] : rows_) all.push_back(name);
  std::sort(all.begin(), all.end());
  return all;
}

namespace {

using Register = void (*)(Registry&);

const OpTable& build(std::string_view name, Register all) {
  auto* registry = new Registry;  // lives as long as the process: handlers are code
  registry->instruction_set(name);
  all(*registry);
  return registry->table;
}

}  // namespace

const OpTable& OpTable::of_host([[maybe_unused]] std::string_view highest) {
#if defined(__x86_64__)
  const bool v3_host = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                       __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool v4_host = v3_host && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                       __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                       __builtin_cpu_supports("avx512vl");
  if (v4_host && (highest.empty() || highest == "v4")) {
    static const OpTable& table = build("x86-64-v4", v4::register_all);
    return table;
  }
  if (v3_host && highest != "v2") {
    static const OpTable& table = build("x86-64-v3", v3::register_all);
    return table;
  }
  static const OpTable& table = build("x86-64-v2", v2::register_all);
  return table;
#else
  static const OpTable& table = build("portable", portable::register_all);
  return table;
#endif
}

}  // namespace tilejit::emulator
