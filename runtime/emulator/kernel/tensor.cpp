#include <algorithm>

#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/kernel/decoder.h>
#include <tilejit/runtime/emulator/memory/access.h>

/// mma.sync and the instructions that bring its matrices: ldmatrix, stmatrix, movmatrix.
namespace tilejit::emulator {
namespace {

/// How this device's tensor cores add: bits behind the point, steps along k, bits of a float32 result, and whether
/// eight bits are made f16 first; packed as ops/tensor_sum.h takes them apart.
std::int64_t rule_of(int compute_capability, bool eight_bits, bool in_two_steps) {
  const bool hopper = compute_capability >= 90;
  const bool short_sums = eight_bits && !hopper;
  const std::int64_t fraction = short_sums ? 13
                                : hopper   ? 25
                                           : 24,
                     steps = in_two_steps && !hopper ? 2 : 1, result = short_sums ? 13 : 23;
  return fraction | steps << 8 | result << 16 | std::int64_t{eight_bits && hopper} << 24;
}

struct Shape {
  int m = 0, n = 0, k = 0;
};

/// "m16n8k16"
Shape shape_of(std::string_view text) {
  Shape s;
  int* at = nullptr;
  for (const char c : text) {
    if (c == 'm') at = &s.m;
    if (c == 'n') at = &s.n;
    if (c == 'k') at = &s.k;
    if (c >= '0' && c <= '9' && at != nullptr && *at < 10000) *at = 10 * *at + (c - '0');
  }
  return s;
}

int bits_of(std::string_view type) {
  if (type == "tf32") return 32;
  if (type[0] == 'e') return 8;
  return 8 * ptx::bytes_of(type);
}

constexpr const char* forms =
    "the emulated device has .row.col forms m16n8k16 and m16n8k8 of f16 and bf16, m16n8k8 and m16n8k4 of tf32, "
    "m16n8k32 "
    "and m16n8k16 of s8 and u8, m16n8k32 of e4m3 and e5m2, m8n8k4, m16n8k4, m16n8k8 and m16n8k16 of f64";

}  // namespace

void Decoder::decode_mma() {
  Modifiers modifiers;
  std::vector<std::string_view> types;
  Shape shape;
  for (const std::string_view m : in_->modifiers) {
    if (m[0] == 'm' && m.size() > 1 && m[1] >= '0' && m[1] <= '9') shape = shape_of(m);
    if (is_type(m)) types.push_back(m);
    if (m != "sync" && m != "aligned" && m != "row" && m != "col") modifiers.push_back(m);
  }
  const Row* row = table_.find(canonical("mma", modifiers));
  if (row == nullptr || types.size() != 4) throw DecodeError(std::string("no such form; ") + forms);
  const auto at = [&](std::string_view m) {
    return std::find(in_->modifiers.begin(), in_->modifiers.end(), m) - in_->modifiers.begin();
  };
  if (!in_->has("row") || !in_->has("col") || at("row") > at("col"))
    throw DecodeError("only .row.col; " + std::string(forms));

  const Width width = row->widths[0];
  const int register_bits = 8 * static_cast<int>(width);
  const auto wanted = [&](int elements, std::string_view type) {
    return static_cast<std::size_t>(elements / 32 * bits_of(type) / register_bits);
  };
  const std::size_t counts[4] = {wanted(shape.m * shape.n, types[0]), wanted(shape.m * shape.k, types[1]),
                                 wanted(shape.k * shape.n, types[2]), wanted(shape.m * shape.n, types[3])};
  whole_warp([&] {
    std::vector<Value> results, sources;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::vector<ptx::Operand> single{operand(i)};
      const bool vector = operand(i).kind == ptx::Operand::Kind::vector;
      const std::vector<ptx::Operand>& parts = vector ? operand(i).elements : single;
      if (parts.size() != counts[i]) {
        throw DecodeError("operand " + std::to_string(i + 1) + " has " + std::to_string(parts.size()) + " registers, " +
                          std::to_string(counts[i]) + " are wanted");
      }
      for (const ptx::Operand& part : parts) {
        if (i == 0)
          results.push_back(write(part, width));
        else
          sources.push_back(read(part, width));
      }
    }
    Op& op = out_.emit(run_whole_warp, {});
    op.extra = reinterpret_cast<const void*>(row->run);
    const bool eight_bits = types[1][0] == 'e';
    const int whole_k = bits_of(types[1]) == 8 ? 32 : bits_of(types[1]) == 16 ? 16 : 8;
    op.immediate = rule_of(image_.compute_capability, eight_bits, shape.k == whole_k);
    out_.list(results, true);
    out_.list(sources, false);
  });
  const bool whole_numbers = types[0] == "s32";
  if (!whole_numbers) out_.site().flops = static_cast<std::uint16_t>(2 * shape.m * shape.n * shape.k / 32);
}

void Decoder::decode_matrix() {
  if (!in_->has("b16") || !in_->has("m8n8")) throw DecodeError("only .m8n8 and .b16 fit the emulated device");
  const bool transposed = in_->has("trans"), store = in_->opcode == "stmatrix";
  if (in_->opcode == "movmatrix") {
    whole_warp([&] {
      const Value a = read(operand(1), Width::b32);
      Op& op = out_.emit(run_whole_warp, write(operand(0), Width::b32), a);
      op.extra = reinterpret_cast<const void*>(run_transpose);
    });
    return;
  }
  const unsigned count = in_->has("x4") ? 4 : in_->has("x2") ? 2 : in_->has("x1") ? 1 : 0;
  const ptx::Operand& data = operand(store ? 1 : 0);
  const std::vector<ptx::Operand> single{data};
  const std::vector<ptx::Operand>& parts = data.kind == ptx::Operand::Kind::vector ? data.elements : single;
  if (count == 0 || parts.size() != count) throw DecodeError("x1, x2 or x4 with as many registers is wanted");
  const bool generic = !in_->has("shared") && !in_->has("shared::cta") && !in_->has("shared::cluster");
  whole_warp([&] {
    const Address at = address(operand(store ? 0 : 1));
    const Value base = address_value(at);
    std::vector<Value> values;
    for (const ptx::Operand& part : parts) values.push_back(store ? read(part, Width::b32) : write(part, Width::b32));
    Site& site = out_.site();
    site.space = Space::shared;
    site.store = store;
    site.bytes = 16;
    Op& op = out_.emit(run_whole_warp, {}, base);
    op.b = static_cast<Place>(base.width);
    op.c = count;
    op.immediate = at.is_constant ? 0 : at.offset;
    if (generic && !at.is_constant) op.immediate -= static_cast<std::int64_t>(shared_window);
    const Handler run = store ? (transposed ? run_store_transposed : run_store_matrices)
                              : (transposed ? run_load_transposed : run_load_matrices);
    op.extra = reinterpret_cast<const void*>(run);
    out_.list(values, !store);
  });
}

}  // namespace tilejit::emulator
