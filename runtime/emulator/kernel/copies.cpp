#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/kernel/decoder.h>

/// cp.async: two sites, one for each side, since a copy asks both memories.
namespace tilejit::emulator {

void Decoder::decode_copy() {
  if (!in_->has("async") || in_->has("bulk") || in_->has("mbarrier")) return decode_beyond();
  if (in_->has("commit_group")) {
    out_.emit(run_copy_commit, {});
    return;
  }
  if (in_->has("wait_all") || in_->has("wait_group")) {
    const bool all = in_->has("wait_all");
    const std::int64_t open = all ? -1 : operand(0).integer;
    if (!all && (operand(0).kind != ptx::Operand::Kind::integer || open < 0))
      throw DecodeError("a number of groups is wanted");
    out_.emit(run_copy_wait, {});
    out_.last().immediate = open;
    return;
  }
  const std::int64_t bytes = operand(2).integer;
  const bool whole_lines = in_->has("cg");
  if (operand(2).kind != ptx::Operand::Kind::integer || (bytes != 16 && (whole_lines || (bytes != 4 && bytes != 8)))) {
    throw DecodeError(whole_lines ? ".cg copies 16 bytes" : ".ca copies 4, 8 or 16 bytes");
  }
  std::size_t count = in_->operands.size();
  if (in_->has("L2::cache_hint")) --count;
  if (count > 4) throw DecodeError(std::to_string(count) + " operands, 3 or 4 are wanted");

  const Address to = address(operand(0)), from = address(operand(1));
  const Value source = resized(address_value(from), Width::b64, false), target = address_value(to);
  Value size;
  if (count == 4) {
    const ptx::Operand& fourth = operand(3);
    if (is_register(fourth) && register_named(fourth.text).width == Width::predicate) {
      // Behind a predicate that says to ignore the source, zeros are written.
      size = out_.new_register(Width::b32);
      out_.emit(table_.handler("selp.b32"), size, out_.constant(0, Width::b32),
                out_.constant(static_cast<std::uint64_t>(bytes), Width::b32), read_predicate(fourth));
    } else {
      size = read(fourth, Width::b32);
    }
  }
  Site& global = out_.site();
  global.space = Space::global;
  global.copy = true;
  global.bytes = static_cast<std::uint8_t>(bytes);
  Site shared = global;
  shared.space = Space::shared;
  shared.store = true;
  out_.emit(run_nothing, {});  // so that this side's executions are counted too
  out_.begin_site(shared);
  Op& op = out_.emit(target.width == Width::b64 ? run_copy_64 : run_copy_32, {}, target, source, size);
  op.immediate = to.is_constant ? 0 : to.offset;
  op.extra = reinterpret_cast<const void*>(static_cast<std::intptr_t>(from.is_constant ? 0 : from.offset));
}

}  // namespace tilejit::emulator
