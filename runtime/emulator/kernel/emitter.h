#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tilejit/runtime/emulator/kernel/program.h>
#include <tilejit/runtime/emulator/ops/registry.h>

namespace tilejit::emulator {

/// An operand before places are given out: a register by number, or a constant's place.
struct Value {
  enum class Kind : std::uint8_t { none, reg, constant } kind = Kind::none;
  Width width = Width::none;
  std::uint32_t index = 0;
};

/// Which field of an op names a register.
enum class Field : std::uint8_t { d, a, b, c, guard, list };

struct Touch {
  std::uint32_t op = 0;
  Field field = Field::d;
  bool write = false;
  bool partial = false;  ///< a write behind a guard: what was there lives on
  bool negated = false;  ///< of a guard
  std::uint32_t reg = 0;
  std::uint32_t list_index = 0;
};

/// Where an op leads, for the flow of values.
enum class Leads : std::uint8_t { on, jump, branch, out };

/// Ops, constants and registers of a kernel while it is being decoded.
class Emitter {
 public:
  Emitter();

  Value new_register(Width width);
  /// One value in all lanes.
  Value constant(std::uint64_t bits, Width width);
  /// 32 values of 32 bits.
  Value lane_constant(const std::uint32_t (&values)[32]);
  /// A constant that a Fill writes later.
  Value filled(const Fill& fill);
  /// A register that a Fill writes when a warp starts.
  Value warp_special(Special what);

  void begin_site(const Site& site) { sites_.push_back(site), sites_.back().first_op = count(); }
  Site& site() { return sites_.back(); }
  std::uint32_t site_index() const { return static_cast<std::uint32_t>(sites_.size()) - 1; }
  void set_guard(Value predicate, bool negated) { guard_ = predicate, guard_negated_ = negated; }
  void clear_guard() { guard_ = {}; }
  const Value& guard() const { return guard_; }
  bool guard_negated() const { return guard_negated_; }

  /// Emits an op; the guard in force is wrapped around it. `writes_d`: d is a result, else a source.
  Op& emit(Handler run, Value d, Value a = {}, Value b = {}, Value c = {}, bool writes_d = true);
  /// Emits an op that may change where lanes are: `run_if` where a guard is in force, which it reads itself.
  Op& emit_control(Handler run, Handler run_if, Leads leads);
  /// Gives the last op further operands.
  void list(const std::vector<Value>& values, bool write);
  void lead(Leads leads) { leads_.back() = leads; }
  Op& last() { return ops_.back(); }
  std::uint32_t count() const { return static_cast<std::uint32_t>(ops_.size()); }

  /// Labels: a number each; ops lead to them by number until finish.
  std::uint32_t new_label();
  void place_label(std::uint32_t label) { labels_[label] = count(); }

  std::uint32_t message(std::string text);

  /// Gives registers their places by liveness and moves everything into the program. `guarded` is what runs an op
  /// behind a guard.
  void finish(Program& program, Handler guarded);

 private:
  Place place_of(const Value& value, Field field, bool write, std::uint32_t list_index = 0);
  std::uint32_t constant_space(std::uint32_t bytes);

  std::vector<Op> ops_;
  std::vector<Leads> leads_;
  std::vector<Touch> touches_;
  std::vector<Place> lists_;
  std::vector<Width> registers_;
  std::vector<std::uint32_t> pinned_;  ///< registers filled when a warp starts
  std::vector<std::byte> constants_;
  std::map<std::pair<std::uint64_t, Width>, Value> constant_pool_;
  std::map<Special, Value> special_pool_;
  std::vector<Fill> fills_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> warp_fills_;  ///< index into fills_, register
  std::vector<Site> sites_;
  std::vector<std::uint32_t> labels_;
  std::vector<std::string> messages_;
  Value guard_;
  bool guard_negated_ = false;
};

}  // namespace tilejit::emulator
