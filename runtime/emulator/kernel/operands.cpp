#include <algorithm>
#include <cstring>

#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/kernel/decoder.h>
#include <tilejit/runtime/emulator/kernel/specials.h>
#include <tilejit/runtime/emulator/memory/access.h>

/// What an operand stands for: a register, a constant, a special register, the address of a variable.
namespace tilejit::emulator {
namespace {

Width width_of_type(std::string_view type) {
  if (type == "pred") return Width::predicate;
  const int bytes = ptx::bytes_of(type);
  return bytes == 1 ? Width::b16 : bytes == 2 || bytes == 4 || bytes == 8 ? static_cast<Width>(bytes) : Width::none;
}

int bits(Width width) { return width == Width::predicate ? 1 : 8 * static_cast<int>(width); }

}  // namespace

Value Decoder::register_named(std::string_view name) {
  const auto found = frame_->find(name, in_->scope);
  if (!found || found->variable->space != "reg") throw DecodeError("'" + std::string(name) + "' is not a register");
  const Width width = width_of_type(found->variable->type);
  if (width == Width::none || found->variable->vector != 1) {
    throw DecodeError("registers of type ." + std::string(found->variable->type) + " are not supported");
  }
  Value& value = frame_->registers[{found->variable, found->number}];
  if (value.kind == Value::Kind::none) value = out_.new_register(width);
  return value;
}

bool Decoder::is_register(const ptx::Operand& operand) {
  if (operand.kind != ptx::Operand::Kind::name) return false;
  const auto found = frame_->find(operand.text, in_->scope);
  return found && found->variable->space == "reg";
}

Value Decoder::special(std::string_view name) {
  const SpecialRegister* found = find_special(name);
  if (found == nullptr) return {};
  switch (found->kind) {
    case SpecialRegister::Kind::constant:
      return out_.constant(found->value, Width::b32);
    case SpecialRegister::Kind::lanes:
      return out_.lane_constant(lane_values(found->value).values);
    case SpecialRegister::Kind::filled:
      return out_.filled({found->special, 0, 0, 4, 4, false});
    case SpecialRegister::Kind::warp:
      return out_.warp_special(found->special);
    case SpecialRegister::Kind::clock:
    case SpecialRegister::Kind::timer:
      break;
  }
  const Value all = out_.new_register(Width::b64);
  out_.emit(found->kind == SpecialRegister::Kind::clock ? run_clock : run_global_timer, all);
  if (found->value == 64) return all;
  const Value part = out_.new_register(Width::b32);
  if (found->value == 32) {
    const Value high = out_.new_register(Width::b64);
    out_.emit(table_.handler("shr.u64"), high, all, out_.constant(32, Width::b32));
    out_.emit(table_.handler("resize.b32.u64"), part, high);
  } else {
    out_.emit(table_.handler("resize.b32.u64"), part, all);
  }
  return part;
}

Value Decoder::resized(Value value, Width width, bool is_signed) {
  if (value.width == width) return value;
  const int from = bits(value.width), to = bits(width);
  const std::string sign = is_signed && to > from ? "s" : "u";
  const Value out = out_.new_register(width);
  out_.emit(table_.handler("resize.b" + std::to_string(to) + "." + sign + std::to_string(from)), out, value);
  return out;
}

Value Decoder::read(const ptx::Operand& operand, Width width, bool resize, bool is_signed) {
  using Kind = ptx::Operand::Kind;
  if (operand.kind == Kind::integer) return out_.constant(static_cast<std::uint64_t>(operand.integer), width);
  if (operand.kind == Kind::floating) {
    std::uint64_t bits = operand.bits;
    if (width == Width::b32 && operand.is_double) {
      double d;
      std::memcpy(&d, &bits, 8);
      const auto f = static_cast<float>(d);
      bits = 0;
      std::memcpy(&bits, &f, 4);
    } else if (width == Width::b64 && !operand.is_double) {
      throw DecodeError("a 32-bit literal where 64 bits are wanted");
    }
    return out_.constant(bits, width);
  }
  if (operand.kind != Kind::name) throw DecodeError("an operand of this kind is not supported here");
  if (width == Width::predicate) return read_predicate(operand);

  if (is_register(operand)) {
    Value value = register_named(operand.text);
    if (value.width != width) {
      if (!resize || value.width == Width::predicate) {
        throw DecodeError("'" + std::string(operand.text) + "' has " + std::to_string(bits(value.width)) +
                          " bits, the instruction wants " + std::to_string(bits(width)));
      }
      value = resized(value, width, is_signed);
    }
    if (operand.negated) throw DecodeError("a negated register is not supported here");
    return value;
  }
  if (const Value value = special(operand.text); value.kind != Value::Kind::none) return resized(value, width, false);
  const Symbol found = symbol(operand.text);
  return out_.constant(static_cast<std::uint64_t>(found.address + operand.integer), width);
}

Value Decoder::read_predicate(const ptx::Operand& operand) {
  if (operand.kind == ptx::Operand::Kind::integer) {
    return out_.constant(static_cast<std::uint64_t>(operand.integer), Width::predicate);
  }
  if (operand.kind != ptx::Operand::Kind::name) throw DecodeError("a predicate is wanted");
  const Value value = register_named(operand.text);
  if (value.width != Width::predicate) throw DecodeError("'" + std::string(operand.text) + "' is not a predicate");
  if (!operand.negated) return value;
  const Value inverse = out_.new_register(Width::predicate);
  out_.emit(table_.handler("not.pred"), inverse, value);
  return inverse;
}

Value Decoder::write(const ptx::Operand& operand, Width width, bool resize) {
  if (operand.kind == ptx::Operand::Kind::sink) return out_.new_register(width);
  if (operand.kind != ptx::Operand::Kind::name) throw DecodeError("the destination is not a register");
  const Value value = register_named(operand.text);
  if (value.width == width) return value;
  if (resize && value.width != Width::predicate) return out_.new_register(width);
  throw DecodeError("'" + std::string(operand.text) + "' has " + std::to_string(bits(value.width)) +
                    " bits, the instruction gives " + std::to_string(bits(width)));
}

void Decoder::finish_write(const ptx::Operand& operand, Value temporary, bool is_signed) {
  if (operand.kind != ptx::Operand::Kind::name) return;
  const Value home = register_named(operand.text);
  if (home.index == temporary.index || home.width == temporary.width) return;
  const int from = bits(temporary.width), to = bits(home.width);
  const std::string sign = is_signed && to > from ? "s" : "u";
  out_.emit(table_.handler("resize.b" + std::to_string(to) + "." + sign + std::to_string(from)), home, temporary);
}

std::int64_t Decoder::local_space(std::int64_t bytes, std::int64_t align) {
  align = std::max<std::int64_t>(align, 4);
  const std::int64_t offset = (program_.local_bytes + align - 1) / align * align;
  program_.local_bytes = offset + (std::max<std::int64_t>(bytes, 1) + 3) / 4 * 4;
  return offset;
}

Symbol Decoder::place_variable(const ptx::Variable& v) {
  const std::int64_t bytes = ptx::bytes_of(v);
  const std::int64_t align = std::max({v.align, ptx::bytes_of(v.type) * v.vector, 1});
  if (v.space == "local" || v.space == "param") return {Space::local, local_space(bytes, align), bytes};
  if (v.space != "shared") {
    throw DecodeError("'" + std::string(v.name) + "': ." + std::string(v.space) + " is not supported here");
  }
  return shared_symbol(v);
}

Symbol Decoder::symbol(std::string_view name) {
  if (const auto bound = frame_->bound.find(name); bound != frame_->bound.end()) return bound->second;
  if (const auto found = frame_->find(name, in_->scope)) {
    if (found->variable->space == "reg") throw DecodeError("'" + std::string(name) + "' is a register, not an address");
    const auto [place, added] = frame_->variables.try_emplace(found->variable);
    if (added) place->second = place_variable(*found->variable);
    return place->second;
  }
  if (const auto found = image_.symbols.find(name); found != image_.symbols.end()) return found->second;
  for (const ptx::Variable& v : image_.module->variables) {
    if (v.name == name && v.space == "shared") return shared_symbol(v);
  }
  for (std::size_t f = 0; f < image_.module->functions.size(); ++f) {
    if (image_.module->functions[f].name == name) {
      return {Space::generic, static_cast<std::int64_t>(function_window + 16 * (f + 1)), 0};
    }
  }
  throw DecodeError("the symbol '" + std::string(name) + "' is not defined");
}

std::int64_t Decoder::generic_address(const Symbol& found) const {
  switch (found.space) {
    case Space::shared:
      return found.address + static_cast<std::int64_t>(shared_window);
    case Space::local:
      return found.address + static_cast<std::int64_t>(local_window);
    case Space::param:
      return found.address + static_cast<std::int64_t>(param_window);
    default:
      return found.address;
  }
}

}  // namespace tilejit::emulator
