#include <algorithm>

#include <tilejit/runtime/emulator/kernel/decoder.h>
#include <tilejit/runtime/emulator/kernel/flops.h>

/// Instructions that are rows of the op table: one value a lane in, one out.
namespace tilejit::emulator {
namespace {

bool is_signed_type(std::string_view type) { return !type.empty() && type[0] == 's'; }

}  // namespace

void Decoder::decode_row(std::string_view opcode, const Modifiers& modifiers) {
  const std::string name = canonical(opcode, modifiers);
  const Row* row = table_.find(name);
  if (row == nullptr) throw DecodeError("not supported");

  std::vector<std::string_view> types;
  std::copy_if(modifiers.begin(), modifiers.end(), std::back_inserter(types), is_type);
  const bool converts = opcode == "cvt";
  const bool from_signed = converts && types.size() > 1 && is_signed_type(types[1]);

  // Sources before the destination: what resizes them is emitted first.
  Value sources[3];
  std::size_t index = 1;
  for (int k = 0; k < 3; ++k) {
    const Width width = row->widths[k + 1];
    if (width == Width::none) continue;
    sources[k] = read(operand(index++), width, converts, from_signed);
  }
  const bool four_sources = opcode == "bfi";
  Value fourth;
  std::int64_t immediate = 0;
  if (four_sources) fourth = read(operand(index++), Width::b32);
  if (opcode == "lop3") immediate = operand(index++).integer;
  if (index != in_->operands.size()) {
    throw DecodeError(std::to_string(in_->operands.size()) + " operands, " + std::to_string(index) + " are wanted");
  }

  const ptx::Operand& to = operand(0);
  const Value d = write(to, row->widths[0], converts);
  Op& op = out_.emit(row->run, d, sources[0], sources[1], sources[2]);
  op.immediate = immediate;
  if (four_sources) out_.list({fourth}, false);
  if (converts) finish_write(to, d, !types.empty() && is_signed_type(types[0]));
  out_.site().flops = static_cast<std::uint8_t>(flops_of(opcode, types));
}

void Decoder::decode_arithmetic() {
  Modifiers modifiers = in_->modifiers;
  const bool sets_carry = in_->has("cc");
  if (in_->opcode == "mad" && sets_carry) return decode_carry_product();
  if (in_->opcode == "madc") return decode_carry_product();
  if (in_->opcode == "addc" || in_->opcode == "subc" ||
      (sets_carry && (in_->opcode == "add" || in_->opcode == "sub"))) {
    const Row* row = table_.find(canonical(in_->opcode, modifiers));
    if (row == nullptr) throw DecodeError("not supported");
    const Value a = read(operand(1), row->widths[1]), b = read(operand(2), row->widths[2]);
    const bool takes = row->widths[3] == Width::predicate;
    out_.emit(row->run, write(operand(0), row->widths[0]), a, b, takes ? carry_ : Value{});
    if (sets_carry) out_.list({carry_}, true);
    return;
  }
  decode_row(in_->opcode, modifiers);
}

void Decoder::decode_carry_product() {
  const std::string half = in_->has("hi") ? "hi" : "lo";
  const std::string type(in_->modifiers.back());
  const Row* product = table_.find("mul." + half + "." + type);
  const bool takes = in_->opcode == "madc", gives = in_->has("cc");
  const Row* sum = table_.find(std::string(takes ? "addc" : "add") + (gives ? ".cc." : ".") + type);
  if (product == nullptr || sum == nullptr) throw DecodeError("not supported");
  const Width width = product->widths[0];
  const Value a = read(operand(1), width), b = read(operand(2), width), c = read(operand(3), width);
  const Value part = out_.new_register(width);
  out_.emit(product->run, part, a, b);
  out_.emit(sum->run, write(operand(0), width), part, c, takes ? carry_ : Value{});
  if (gives) out_.list({carry_}, true);
}

/// set: all ones or 1.0 where the comparison holds, else zero; of pairs in each half.
void Decoder::decode_set(const Row& compare, std::string_view type, std::string_view of, std::string_view combine,
                         Value a, Value b, Value c) {
  const bool of_pairs = of.ends_with("x2"), of_halves = of.starts_with("f16") || of.starts_with("bf16");
  std::uint32_t one = type == "u32" || type == "s32" ? 0xFFFFFFFF : type == "f32" ? 0x3F800000 : 0;
  if (of_halves && type == of) one = type.starts_with("b") ? 0x3F80 : 0x3C00;
  if (of_pairs) one &= 0xFFFF;
  if (one == 0 || (of_pairs && (type == "f32" || !combine.empty()))) throw DecodeError("not supported");
  const Width width = type == "f16" || type == "bf16" ? Width::b16 : Width::b32;
  const Handler select = table_.handler(width == Width::b16 ? "selp.b16" : "selp.b32");
  const Value zero = out_.constant(0, width);

  const Value holds = out_.new_register(Width::predicate);
  out_.emit(compare.run, holds, a, b);
  if (!of_pairs) {
    if (!combine.empty()) out_.emit(table_.handler(std::string(combine) + ".pred"), holds, holds, c);
    out_.emit(select, write(operand(0), width), out_.constant(one, width), zero, holds);
    return;
  }
  const Value upper_holds = out_.new_register(Width::predicate);
  out_.list({upper_holds}, true);
  const Value lower = out_.new_register(width), upper = out_.new_register(width);
  out_.emit(select, lower, out_.constant(one, width), zero, holds);
  out_.emit(select, upper, out_.constant(one << 16, width), zero, upper_holds);
  out_.emit(table_.handler("or.b32"), write(operand(0), width), lower, upper);
}

void Decoder::decode_compare() {
  Modifiers modifiers;
  std::string_view combine;
  for (const std::string_view m : in_->modifiers) {
    if (m == "and" || m == "or" || m == "xor")
      combine = m;
    else
      modifiers.push_back(m);
  }
  const bool sets = in_->opcode == "set";
  std::string_view result_type;
  if (sets && modifiers.size() > 2) {  // a comparison, and what true looks like
    result_type = *(modifiers.end() - 2);
    modifiers.erase(modifiers.end() - 2);
  }
  const Row* row = table_.find(canonical("setp", modifiers));
  if (row == nullptr) throw DecodeError("not supported");
  const Value a = read(operand(1), row->widths[1]), b = read(operand(2), row->widths[2]);
  const Value c = combine.empty() ? Value{} : read_predicate(operand(3));
  const std::size_t wanted = combine.empty() ? 3 : 4;
  if (in_->operands.size() != wanted) throw DecodeError(std::to_string(wanted) + " operands are wanted");

  if (sets) return decode_set(*row, result_type, modifiers.back(), combine, a, b, c);
  const ptx::Operand& to = operand(0);
  const bool two = to.kind == ptx::Operand::Kind::pair;
  const ptx::Operand& first = two ? to.elements.at(0) : to;
  const bool of_pairs = !modifiers.empty() && modifiers.back().ends_with("x2");
  if (of_pairs) {  // both results are comparisons
    if (!combine.empty()) throw DecodeError("not supported");
    const Value p = write(first, Width::predicate);
    const Value q = two ? write(to.elements.at(1), Width::predicate) : out_.new_register(Width::predicate);
    out_.emit(row->run, p, a, b);
    out_.list({q}, true);
    return;
  }
  if (!two && combine.empty()) {
    out_.emit(row->run, write(first, Width::predicate), a, b);
    return;
  }
  // p = (a ? b) op c, q = !(a ? b) op c
  const Value result = out_.new_register(Width::predicate);
  out_.emit(row->run, result, a, b);
  const Handler join = table_.handler(combine.empty() ? "mov.pred" : std::string(combine) + ".pred");
  Value inverse;
  if (two) {
    inverse = out_.new_register(Width::predicate);
    out_.emit(table_.handler("not.pred"), inverse, result);
  }
  Value kept = c;
  if (two && c.kind == Value::Kind::reg) {  // the first result may overwrite it
    kept = out_.new_register(Width::predicate);
    out_.emit(table_.handler("mov.pred"), kept, c);
  }
  out_.emit(join, write(first, Width::predicate), result, kept);
  if (two) out_.emit(join, write(to.elements.at(1), Width::predicate), inverse, kept);
}

}  // namespace tilejit::emulator
