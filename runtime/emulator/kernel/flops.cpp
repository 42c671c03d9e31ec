#include <tilejit/runtime/emulator/kernel/flops.h>

namespace tilejit::emulator {

int flops_of(std::string_view opcode, const std::vector<std::string_view>& types) {
  if (types.empty()) return 0;
  const std::string_view type = types.back();
  const bool floats = type == "f32" || type == "f64" || type == "f16" || type == "bf16";
  const bool pairs = type == "f16x2" || type == "bf16x2" || type == "f32x2";
  if (!floats && !pairs) return 0;
  const int each = pairs ? 2 : 1;
  if (opcode == "fma" || opcode == "mad") return 2 * each;
  if (opcode == "add" || opcode == "sub" || opcode == "mul") return each;
  return 0;
}

}  // namespace tilejit::emulator
