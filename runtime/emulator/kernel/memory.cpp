#include <algorithm>

#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/kernel/access_form.h>
#include <tilejit/runtime/emulator/kernel/decoder.h>
#include <tilejit/runtime/emulator/memory/access.h>

/// ld, st and their kin.
namespace tilejit::emulator {

Decoder::Address Decoder::address(const ptx::Operand& operand) {
  Address out;
  out.offset = operand.integer;
  if (operand.kind != ptx::Operand::Kind::address) throw DecodeError("an address in brackets is wanted");
  if (operand.text.empty()) {
    out.is_constant = true;
    return out;
  }
  ptx::Operand name;
  name.text = operand.text;
  if (is_register(name)) {
    out.base = register_named(operand.text);
    if (out.base.width != Width::b32 && out.base.width != Width::b64) throw DecodeError("an address has 32 or 64 bits");
    return out;
  }
  const Symbol found = symbol(operand.text);
  out.space = found.space;
  out.offset += found.address;
  out.is_constant = true;
  return out;
}

/// The register with the address; a constant one goes into all lanes.
Value Decoder::address_value(const Address& address) {
  return address.is_constant ? out_.constant(static_cast<std::uint64_t>(address.offset), Width::b64) : address.base;
}

void Decoder::load_param(const AccessForm& form, const Address& from, const ptx::Operand& data) {
  const auto one = [&](const ptx::Operand& to, std::int64_t offset) {
    if (offset < 0 || offset + form.element_bytes > static_cast<std::int64_t>(program_.param_bytes)) {
      throw DecodeError("reads past the parameters' " + std::to_string(program_.param_bytes) + " bytes");
    }
    if (to.kind == ptx::Operand::Kind::sink) return;
    const Value d = register_named(to.text);
    Fill fill{Special::param, 0, static_cast<std::uint32_t>(offset), 0, 0, form.is_signed};
    fill.memory_bytes = static_cast<std::uint8_t>(form.element_bytes);
    fill.register_bytes = static_cast<std::uint8_t>(d.width);
    out_.emit(table_.handler("mov.b" + std::to_string(8 * fill.register_bytes)), d, out_.filled(fill));
  };
  if (data.kind != ptx::Operand::Kind::vector) return one(data, from.offset);
  for (std::size_t k = 0; k < data.elements.size(); ++k) {
    one(data.elements[k], from.offset + static_cast<std::int64_t>(k) * form.element_bytes);
  }
}

void Decoder::access(bool store, const AccessForm& form, const ptx::Operand& where, const ptx::Operand& data) {
  if (form.element_bytes == 0 || form.element_bytes > 8) {
    throw DecodeError("accesses of type ." + std::string(form.type) + " are not supported");
  }
  const Address at = address(where);
  Space space = form.space;
  if (space == Space::param && at.space == Space::local) space = Space::local;  // of a call
  if (at.is_constant && at.space == Space::none && space == Space::generic) space = Space::global;
  if (at.is_constant && at.space != Space::none && space == Space::generic) space = at.space;
  const bool wants_const = space == Space::constant;
  if (wants_const && store) throw DecodeError("constant memory cannot be written");
  if (space == Space::param) {
    if (store) throw DecodeError("a kernel's parameters cannot be written");
    if (at.is_constant) return load_param(form, at, data);
  }

  // All elements must sit in registers of one width; those that do not go through temporaries.
  const std::vector<ptx::Operand> single{data};
  const std::vector<ptx::Operand>& parts = data.kind == ptx::Operand::Kind::vector ? data.elements : single;
  if (parts.size() != static_cast<std::size_t>(form.vector)) {
    throw DecodeError(std::to_string(form.vector) + " registers are wanted, there are " + std::to_string(parts.size()));
  }
  const auto natural = static_cast<Width>(std::max(form.element_bytes, 2));
  Width width = natural;
  for (const ptx::Operand& p : parts) {
    if (is_register(p)) width = std::max(width, register_named(p.text).width);
  }
  std::vector<Value> values;
  for (const ptx::Operand& p : parts) {
    if (store)
      values.push_back(read(p, width, true));
    else if (p.kind == ptx::Operand::Kind::sink)
      values.push_back({});
    else
      values.push_back(write(p, width, true));
  }

  const bool local = space == Space::local;
  const Mover move =
      table_.mover(form.element_bytes, static_cast<int>(width), form.is_signed && !store, store, form.vector, local);
  if (move == nullptr) throw DecodeError("not supported");
  Site& site = out_.site();
  site.space = space;
  site.store = store;
  site.strong = form.polls || form.releases;
  site.bytes = static_cast<std::uint8_t>(form.element_bytes * form.vector);

  Value base = address_value(at);
  if (space == Space::param) base = resized(base, Width::b64, false);
  const std::string bits = base.width == Width::b32 ? "b32" : "b64";
  Handler run = nullptr;
  if (space == Space::global || space == Space::constant) run = table_.handler("access.global." + bits);
  if (space == Space::shared) run = table_.handler("access.shared." + bits);
  if (space == Space::local) run = table_.handler("access.local." + bits);
  if (space == Space::param) run = run_param_access;
  if (space == Space::generic) {
    if (base.width != Width::b64) throw DecodeError("a generic address has 64 bits");
    run = run_generic_access;
  }
  if (form.releases) out_.emit(run_fence, {});
  const bool one = form.vector == 1;
  Op& op = out_.emit(run, one ? values[0] : Value{}, base, {}, {}, !store);
  op.move = move;
  op.immediate = at.is_constant ? 0 : at.offset;
  if (space == Space::generic) {
    op.b = static_cast<Place>(program_.local_movers.size());
    program_.local_movers.push_back(
        table_.mover(form.element_bytes, static_cast<int>(width), form.is_signed && !store, store, form.vector, true));
  }
  if (!one) out_.list(values, !store);
  if (!store) {
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (values[k].kind == Value::Kind::reg) finish_write(parts[k], values[k], form.is_signed);
    }
  }
  if (form.acquires) out_.emit(run_fence, {});
  if (form.polls && !store) around_guard([&] { out_.emit(run_poll, {}); });
}

void Decoder::decode_load() {
  AccessForm form = access_form(in_->modifiers);
  if (!form.rest.empty()) throw DecodeError("the modifier ." + std::string(form.rest[0]) + " is not supported");
  if (in_->opcode == "ldu") form.read_only = true;
  access(false, form, operand(1), operand(0));
}

void Decoder::decode_store() {
  const AccessForm form = access_form(in_->modifiers);
  if (!form.rest.empty()) throw DecodeError("the modifier ." + std::string(form.rest[0]) + " is not supported");
  access(true, form, operand(0), operand(1));
}

void Decoder::decode_prefetch() { out_.emit(run_nothing, {}); }

void Decoder::decode_fence() { out_.emit(run_fence, {}); }

void Decoder::decode_atomic() {
  const AccessForm form = access_form(in_->modifiers);
  const bool reduces = in_->opcode == "red";
  std::string name;
  bool known = form.vector == 1;
  for (const std::string_view m : form.rest) {
    if (m == "noftz" || m == "ftz") continue;
    if (!name.empty()) known = false;
    name = std::string(m);
  }
  name += "." + std::string(form.type);
  const Handler run = known ? atomic_handler(name.c_str()) : nullptr;
  if (run == nullptr) throw DecodeError("not supported");
  const bool swaps_if = name.starts_with("cas");
  const auto width = static_cast<Width>(form.element_bytes);

  const std::size_t first = reduces ? 0 : 1;
  const Address at = address(operand(first));
  const Value base = address_value(at);
  const Value b = read(operand(first + 1), width);
  const Value c = swaps_if ? read(operand(first + 2), width) : Value{};
  const bool result = !reduces && operand(0).kind != ptx::Operand::Kind::sink;
  const Value d = result ? write(operand(0), width) : Value{};
  Site& site = out_.site();
  site.space = form.space;
  if (site.space == Space::generic && at.is_constant && at.space != Space::none) site.space = at.space;
  site.atomic = site.store = true;
  site.bytes = static_cast<std::uint8_t>(form.element_bytes);
  if (form.releases) out_.emit(run_fence, {});
  Op& op = out_.emit(run, d, base, b, c);
  op.immediate = at.is_constant ? 0 : at.offset;
  op.extra = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(base.width));
  if (form.acquires) out_.emit(run_fence, {});
  around_guard([&] { out_.emit(run_poll, {}); });
}

}  // namespace tilejit::emulator
