#include <algorithm>
#include <cstring>
#include <map>

#include <tilejit/runtime/emulator/kernel/emitter.h>
#include <tilejit/runtime/emulator/kernel/liveness.h>

/// The end of decoding: registers get places, what is alive at different times the same one; labels become ops.
namespace tilejit::emulator {
namespace {

constexpr std::uint32_t lanes = 32;

std::uint32_t bytes_of(Width width) {
  return width == Width::predicate ? 4 : lanes * static_cast<std::uint32_t>(width);
}

struct Places {
  std::vector<Place> of_register;
  std::uint32_t bytes = 0;
  int live_words = 0;
};

/// Linear scan: intervals by their start; a place whose interval has ended goes back to its width's free list.
Places give_places(std::vector<Interval> intervals, const std::vector<Width>& widths) {
  Places places;
  places.of_register.assign(widths.size(), 0);
  std::erase_if(intervals, [](const Interval& i) { return i.from < 0; });
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.from < b.from; });

  // Predicates first, so that what is wider stays aligned to a cache line.
  std::map<Width, std::vector<Place>> unused;
  std::multimap<std::int64_t, std::uint32_t> active;
  std::vector<std::uint32_t> slot_of(widths.size());
  std::map<Width, std::uint32_t> slots;
  int words = 0;
  const auto words_of = [](Width w) { return w == Width::b64 ? 2 : w == Width::predicate ? 0 : 1; };
  for (const Interval& interval : intervals) {
    while (!active.empty() && active.begin()->first < interval.from) {
      const std::uint32_t reg = active.begin()->second;
      unused[widths[reg]].push_back(slot_of[reg]);
      words -= words_of(widths[reg]);
      active.erase(active.begin());
    }
    std::vector<Place>& free_slots = unused[widths[interval.reg]];
    if (free_slots.empty()) free_slots.push_back(slots[widths[interval.reg]]++);
    slot_of[interval.reg] = free_slots.back();
    free_slots.pop_back();
    active.emplace(interval.to, interval.reg);
    words += words_of(widths[interval.reg]);
    places.live_words = std::max(places.live_words, words);
  }

  std::map<Width, std::uint32_t> start;
  std::uint32_t offset = 0;
  for (const Width width : {Width::predicate, Width::b16, Width::b32, Width::b64}) {
    start[width] = offset;
    offset += (slots[width] * bytes_of(width) + 63) / 64 * 64;
  }
  places.bytes = std::max(offset, 64u);
  for (std::size_t r = 0; r < widths.size(); ++r) {
    places.of_register[r] = start[widths[r]] + slot_of[r] * bytes_of(widths[r]);
  }
  return places;
}

}  // namespace

void Emitter::finish(Program& program, Handler guarded) {
  std::vector<std::uint32_t> targets(ops_.size(), 0xFFFFFFFF);
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    if (leads_[i] == Leads::jump || leads_[i] == Leads::branch) {
      targets[i] = labels_[static_cast<std::size_t>(ops_[i].immediate)];
    }
  }
  const FlowOfValues flow{count(), static_cast<std::uint32_t>(registers_.size()), &leads_, &targets, &touches_,
                          &pinned_};
  const Places places = give_places(live_intervals(flow), registers_);

  program.op_count = count();
  program.ops = std::make_unique<Op[]>(ops_.size());
  program.lists = std::make_unique<Place[]>(lists_.size() + 1);
  for (const Touch& t : touches_) {
    const Place place = places.of_register[t.reg];
    Op& op = ops_[t.op];
    switch (t.field) {
      case Field::d:
        op.d = place;
        break;
      case Field::a:
        op.a = place;
        break;
      case Field::b:
        op.b = place;
        break;
      case Field::c:
        op.c = place;
        break;
      case Field::guard:
        op.guard = place | (t.negated ? emulator::guard_negated : 0);
        break;
      case Field::list:
        lists_[t.list_index] = place;
        break;
    }
  }
  std::copy(lists_.begin(), lists_.end(), program.lists.get());
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    Op& op = program.ops[i] = ops_[i];
    if (op.run == nullptr) op.run = guarded;
    op.list = op.list_index == 0 ? nullptr : program.lists.get() + (op.list_index - 1);
    if (targets[i] != 0xFFFFFFFF) op.target = program.ops.get() + targets[i];
  }
  for (const auto& [fill, reg] : warp_fills_) fills_[fill].place = places.of_register[reg];
  program.constants = std::move(constants_);
  program.constants.resize((program.constants.size() + 63) / 64 * 64 + 64);
  program.fills = std::move(fills_);
  program.sites = std::move(sites_);
  program.messages = std::move(messages_);
  program.register_bytes = places.bytes;
  program.live_words = places.live_words;
}

}  // namespace tilejit::emulator
