#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/kernel/decoder.h>

/// Branches, returns, exits and traps.
namespace tilejit::emulator {

void Decoder::jump(std::uint32_t label) {
  Op& op = out_.emit_control(run_jump, run_branch, Leads::jump);
  op.immediate = label;
}

std::uint32_t Decoder::label(std::string_view name) {
  for (int s = in_->scope; s >= 0; s = frame_->function->scopes[static_cast<std::size_t>(s)].parent) {
    const auto found = frame_->labels.find({s, name});
    if (found != frame_->labels.end()) return found->second;
  }
  throw DecodeError("there is no label '" + std::string(name) + "'");
}

void Decoder::decode_branch() {
  if (operand(0).kind != ptx::Operand::Kind::name) throw DecodeError("a label is wanted");
  jump(label(operand(0).text));
}

/// brx.idx: a chain of comparisons. An index past the list is undefined: the last target.
void Decoder::decode_indexed_branch() {
  const Value index = read(operand(0), Width::b32);
  const ptx::Operand& list = operand(1);
  std::vector<std::string_view> targets;
  if (list.kind == ptx::Operand::Kind::name) {
    for (int s = in_->scope; s >= 0 && targets.empty();
         s = frame_->function->scopes[static_cast<std::size_t>(s)].parent) {
      const auto& known = frame_->function->scopes[static_cast<std::size_t>(s)].targets;
      if (const auto found = known.find(list.text); found != known.end()) targets = found->second;
    }
  }
  for (const ptx::Operand& element : list.elements) targets.push_back(element.text);
  if (targets.empty()) throw DecodeError("there is no list of targets '" + std::string(list.text) + "'");
  around_guard([&] {
    for (std::size_t k = 0; k < targets.size(); ++k) {
      const std::uint32_t to = label(targets[k]);
      if (k + 1 < targets.size()) {
        const Value hit = out_.new_register(Width::predicate);
        out_.emit(table_.handler("setp.eq.u32"), hit, index, out_.constant(k, Width::b32));
        out_.set_guard(hit, false);
      }
      jump(to);
      out_.clear_guard();
    }
  });
}

void Decoder::decode_return() {
  if (frame_->caller != nullptr) return jump(frame_->return_label);
  decode_exit();
}

void Decoder::decode_exit() { out_.emit_control(run_exit, run_exit, Leads::out); }

void Decoder::decode_trap() {
  around_guard([&] { out_.emit(run_trap, {}); });
}

}  // namespace tilejit::emulator
