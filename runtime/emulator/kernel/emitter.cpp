#include <tilejit/runtime/emulator/kernel/emitter.h>

#include <algorithm>
#include <cstring>

namespace tilejit::emulator {

namespace {

std::uint32_t bytes_of(Width width) { return width == Width::predicate ? 4 : 32 * static_cast<std::uint32_t>(width); }

}  // namespace

Emitter::Emitter() { constants_.reserve(1 << 14); }

Value Emitter::new_register(Width width) {
  registers_.push_back(width);
  return {Value::Kind::reg, width, static_cast<std::uint32_t>(registers_.size()) - 1};
}

std::uint32_t Emitter::constant_space(std::uint32_t bytes) {
  const std::size_t offset = (constants_.size() + std::min<std::uint32_t>(bytes, 64) - 1) /
                             std::min<std::uint32_t>(bytes, 64) * std::min<std::uint32_t>(bytes, 64);
  constants_.resize(offset + bytes);
  return static_cast<std::uint32_t>(offset);
}

Value Emitter::constant(std::uint64_t bits, Width width) {
  if (width == Width::b16) bits &= 0xFFFF;
  if (width == Width::b32) bits &= 0xFFFFFFFF;
  if (width == Width::predicate) bits = bits != 0 ? 0xFFFFFFFF : 0;
  const auto [found, added] = constant_pool_.try_emplace({bits, width});
  if (!added) return found->second;
  const std::uint32_t offset = constant_space(bytes_of(width));
  const std::size_t each = width == Width::predicate ? 4 : static_cast<std::size_t>(width);
  for (std::uint32_t at = 0; at < bytes_of(width); at += static_cast<std::uint32_t>(each)) {
    std::memcpy(&constants_[offset + at], &bits, each);
  }
  return found->second = {Value::Kind::constant, width, offset | constant_bit};
}

Value Emitter::lane_constant(const std::uint32_t (&values)[32]) {
  const std::uint32_t offset = constant_space(sizeof(values));
  std::memcpy(&constants_[offset], values, sizeof(values));
  return {Value::Kind::constant, Width::b32, offset | constant_bit};
}

Value Emitter::filled(const Fill& fill) {
  const auto width = static_cast<Width>(fill.register_bytes);
  if (fill.what == Special::param) {
    for (const Fill& f : fills_) {
      if (f.what == Special::param && f.offset == fill.offset && f.memory_bytes == fill.memory_bytes &&
          f.register_bytes == fill.register_bytes && f.is_signed == fill.is_signed) {
        return {Value::Kind::constant, width, f.place};
      }
    }
  } else if (const auto found = special_pool_.find(fill.what); found != special_pool_.end()) {
    return found->second;
  }
  fills_.push_back(fill);
  fills_.back().place = constant_space(bytes_of(width)) | constant_bit;
  const Value value{Value::Kind::constant, width, fills_.back().place};
  if (fill.what != Special::param) special_pool_[fill.what] = value;
  return value;
}

Value Emitter::warp_special(Special what) {
  if (const auto found = special_pool_.find(what); found != special_pool_.end()) return found->second;
  const Value value = new_register(Width::b32);
  pinned_.push_back(value.index);
  warp_fills_.emplace_back(static_cast<std::uint32_t>(fills_.size()), value.index);
  fills_.push_back({what, 0, 0, 4, 4, false});
  return special_pool_[what] = value;
}

Place Emitter::place_of(const Value& value, Field field, bool write, std::uint32_t list_index) {
  if (value.kind == Value::Kind::none) return no_place;
  if (value.kind == Value::Kind::constant) return value.index;
  const bool guarded = guard_.kind != Value::Kind::none;
  touches_.push_back({count() - 1, field, write, write && guarded, guard_negated_, value.index, list_index});
  return no_place;
}

Op& Emitter::emit(Handler run, Value d, Value a, Value b, Value c, bool writes_d) {
  ops_.emplace_back(Op{});
  leads_.push_back(Leads::on);
  Op& op = ops_.back();
  op.run = run;
  op.inner = nullptr;
  op.extra = nullptr;
  op.list_index = 0;
  op.site = site_index();
  op.d = place_of(d, Field::d, writes_d);
  op.a = place_of(a, Field::a, false);
  op.b = place_of(b, Field::b, false);
  op.c = place_of(c, Field::c, false);
  op.guard = no_place;
  if (guard_.kind != Value::Kind::none) {
    op.inner = run;
    op.run = nullptr;
    op.guard = place_of(guard_, Field::guard, false);
  }
  return op;
}

Op& Emitter::emit_control(Handler run, Handler run_if, Leads leads) {
  const bool guarded = guard_.kind != Value::Kind::none;
  Op& op = emit(run, {});
  op.run = guarded ? run_if : run;
  op.inner = nullptr;
  if (guarded && leads == Leads::jump) leads = Leads::branch;
  if (guarded && leads == Leads::out) leads = Leads::on;
  leads_.back() = leads;
  return op;
}

void Emitter::list(const std::vector<Value>& values, bool write) {
  Op& op = ops_.back();
  if (op.list_index == 0) op.list_index = lists_.size() + 1;
  for (const Value& value : values) {
    const auto index = static_cast<std::uint32_t>(lists_.size());
    lists_.push_back(no_place);
    lists_[index] = place_of(value, Field::list, write, index);
  }
}

std::uint32_t Emitter::new_label() {
  labels_.push_back(0xFFFFFFFF);
  return static_cast<std::uint32_t>(labels_.size()) - 1;
}

std::uint32_t Emitter::message(std::string text) {
  messages_.push_back(std::move(text));
  return static_cast<std::uint32_t>(messages_.size()) - 1;
}

}  // namespace tilejit::emulator
