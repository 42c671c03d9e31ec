#pragma once
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tilejit/runtime/emulator/kernel/emitter.h>
#include <tilejit/runtime/emulator/kernel/frame.h>
#include <tilejit/runtime/emulator/kernel/image.h>
#include <tilejit/runtime/emulator/kernel/program.h>
#include <tilejit/runtime/emulator/ops/table.h>

namespace tilejit::emulator {

/// An instruction that cannot be decoded. It becomes an op that faults when it is executed.
struct DecodeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Turns one kernel's PTX, calls inlined, into a Program. Each decode_ function handles the instructions of one family.
class Decoder {
 public:
  Decoder(const Image& image, const OpTable& table);
  std::shared_ptr<const Program> decode(const ptx::Function& kernel);

 private:
  using Modifiers = std::vector<std::string_view>;

  void walk(Frame& frame);
  void instruction(const ptx::Instruction& in);
  void dispatch();
  void unsupported(const std::string& why);

  // operands
  Value read(const ptx::Operand& operand, Width width, bool resize = false, bool is_signed = false);
  Value read_predicate(const ptx::Operand& operand);
  /// A register to write; where its width is another, a temporary that `finish_write` copies on.
  Value write(const ptx::Operand& operand, Width width, bool resize = false);
  void finish_write(const ptx::Operand& operand, Value temporary, bool is_signed);
  Value register_named(std::string_view name);
  bool is_register(const ptx::Operand& operand);
  Value special(std::string_view name);
  Value resized(Value value, Width width, bool is_signed);
  Symbol symbol(std::string_view name);
  std::int64_t generic_address(const Symbol& symbol) const;
  Symbol place_variable(const ptx::Variable& variable);
  Symbol shared_symbol(const ptx::Variable& variable);
  /// Gives every static shared variable that the kernel or what it calls names its place; what is dynamic lies behind.
  void place_shared(const ptx::Function& kernel);
  std::int64_t local_space(std::int64_t bytes, std::int64_t align);
  const ptx::Operand& operand(std::size_t index) const;

  // families
  void decode_row(std::string_view opcode, const Modifiers& modifiers);
  void decode_arithmetic();
  void decode_carry_product();
  void decode_compare();
  void decode_set(const Row& compare, std::string_view type, std::string_view of, std::string_view combine, Value a,
                  Value b, Value c);
  void decode_mov();
  void decode_cvta();
  void decode_isspacep();
  void decode_load();
  void decode_store();
  void decode_atomic();
  void decode_prefetch();
  void decode_fence();
  void decode_branch();
  void decode_indexed_branch();
  void decode_return();
  void decode_exit();
  void decode_trap();
  void decode_call();
  void decode_barrier();
  void decode_warp_barrier();
  void decode_shuffle();
  void decode_vote();
  void decode_match();
  void decode_redux();
  void decode_active_mask();
  void decode_elect();
  void decode_nanosleep();
  void decode_mma();
  void decode_matrix();
  void decode_copy();
  void decode_beyond();
  /// Runs `emit` for an instruction that all 32 lanes carry out together, behind a branch around it for a guard.
  template <class Emit>
  void whole_warp(Emit emit);
  void decode_nothing();

  /// Runs `emit` behind a branch around it instead of a guard: for what may park lanes.
  template <class Emit>
  void around_guard(Emit emit);
  void inline_call(const ptx::Function& callee, const std::vector<ptx::Operand>& results,
                   const std::vector<ptx::Operand>& arguments);
  void call_through(Value where, std::string_view prototype, const std::vector<ptx::Operand>& results,
                    const std::vector<ptx::Operand>& arguments);
  void call_builtin(std::string_view name, const std::vector<ptx::Operand>& results,
                    const std::vector<ptx::Operand>& arguments);
  std::uint32_t label(std::string_view name);
  void jump(std::uint32_t label);
  struct Address {
    Value base;
    std::int64_t offset = 0;
    Space space = Space::none;  ///< of a symbol
    bool is_constant = false;   ///< `offset` is all of it
  };
  Address address(const ptx::Operand& operand);
  Value address_value(const Address& address);
  void access(bool store, const struct AccessForm& form, const ptx::Operand& where, const ptx::Operand& data);
  void load_param(const struct AccessForm& form, const Address& from, const ptx::Operand& data);

  const Image& image_;
  const OpTable& table_;
  Emitter out_;
  Program program_;
  Frame* frame_ = nullptr;
  const ptx::Instruction* in_ = nullptr;
  std::vector<std::unique_ptr<Frame>> frames_;
  Value carry_;  ///< the condition code
  std::map<const ptx::Variable*, Symbol> shared_;
  std::int64_t dynamic_shared_ = shared_start;
};

template <class Emit>
void Decoder::around_guard(Emit emit) {
  const Value guard = out_.guard();
  if (guard.kind == Value::Kind::none) return emit();
  const bool negated = out_.guard_negated();
  const std::uint32_t behind = out_.new_label();
  out_.set_guard(guard, !negated);
  jump(behind);
  out_.clear_guard();
  emit();
  out_.place_label(behind);
}

template <class Emit>
void Decoder::whole_warp(Emit emit) {
  for (const std::string_view wanted : {"sync", "aligned"}) {
    if (!in_->has(wanted)) throw DecodeError("." + std::string(wanted) + " is missing");
  }
  around_guard(emit);
}

}  // namespace tilejit::emulator
