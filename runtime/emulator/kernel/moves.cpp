#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/kernel/decoder.h>
#include <tilejit/runtime/emulator/memory/access.h>

/// mov with its packing, cvta, isspacep.
namespace tilejit::emulator {

void Decoder::decode_mov() {
  if (in_->modifiers.empty()) throw DecodeError("a type is missing");
  const std::string_view type = in_->modifiers.back();
  const ptx::Operand &to = operand(0), &from = operand(1);
  const bool packs = from.kind == ptx::Operand::Kind::vector, unpacks = to.kind == ptx::Operand::Kind::vector;
  if (!packs && !unpacks) {
    const Row* row = table_.find("mov." + std::string(type));
    if (row == nullptr) throw DecodeError("not supported");
    if (in_->operands.size() != 2) throw DecodeError("2 operands are wanted");
    // A vector's name alone, or an array's, is its address.
    const Value value = type == "pred" ? read_predicate(from) : read(from, row->widths[1]);
    out_.emit(row->run, write(to, row->widths[0]), value);
    return;
  }
  if (packs && unpacks) {
    if (from.elements.size() != to.elements.size()) throw DecodeError("vectors of different lengths");
    throw DecodeError("a move of vectors is not supported");
  }
  const std::vector<ptx::Operand>& parts = packs ? from.elements : to.elements;
  const int bits = 8 * ptx::bytes_of(type);
  if (bits == 0 || parts.empty() || bits % static_cast<int>(parts.size()) != 0) throw DecodeError("not supported");
  const int part = bits / static_cast<int>(parts.size());
  const std::string whole_name = ".b" + std::to_string(bits), part_name = ".b" + std::to_string(part);
  const Row* row = table_.find(packs ? "pack" + whole_name + part_name : "unpack" + part_name + whole_name);
  if (row == nullptr) throw DecodeError("not supported");
  const auto part_width = static_cast<Width>(part / 8), whole_width = static_cast<Width>(bits / 8);
  std::vector<Value> values;
  if (packs) {
    for (const ptx::Operand& p : parts) values.push_back(read(p, part_width));
    out_.emit(row->run, write(to, whole_width));
    out_.list(values, false);
    return;
  }
  const Value whole = read(from, whole_width);
  for (const ptx::Operand& p : parts) {
    values.push_back(p.kind == ptx::Operand::Kind::sink ? Value{} : write(p, part_width));
  }
  out_.emit(row->run, {}, whole);
  out_.list(values, true);
}

void Decoder::decode_cvta() {
  const std::string type(in_->modifiers.empty() ? "u64" : in_->modifiers.back());
  if (type != "u64") throw DecodeError("only 64-bit addresses are supported");
  std::uint64_t window = 0;
  if (in_->has("shared") || in_->has("shared::cta") || in_->has("shared::cluster")) window = shared_window;
  if (in_->has("local")) window = local_window;
  if (in_->has("param") || in_->has("param::entry")) window = param_window;
  const Value a = read(operand(1), Width::b64);
  const Value d = write(operand(0), Width::b64);
  if (window == 0) {
    out_.emit(table_.handler("mov.b64"), d, a);
  } else {
    const char* name = in_->has("to") ? "sub.u64" : "add.u64";
    out_.emit(table_.handler(name), d, a, out_.constant(window, Width::b64));
  }
}

void Decoder::decode_isspacep() {
  Space space = Space::none;
  if (in_->has("global")) space = Space::global;
  if (in_->has("shared") || in_->has("shared::cta") || in_->has("shared::cluster")) space = Space::shared;
  if (in_->has("local")) space = Space::local;
  if (in_->has("param") || in_->has("param::entry")) space = Space::param;
  if (space == Space::none) throw DecodeError("not supported");
  const Value a = read(operand(1), Width::b64);
  out_.emit(run_is_space, write(operand(0), Width::predicate), a);
  out_.last().immediate = static_cast<std::int64_t>(space);
}

}  // namespace tilejit::emulator
