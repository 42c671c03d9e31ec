#include <tilejit/runtime/emulator/kernel/liveness.h>

#include <algorithm>

namespace tilejit::emulator {
namespace {

struct Block {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t successors[2] = {};
  int successor_count = 0;
};

using Set = std::vector<std::uint64_t>;

struct Blocks {
  std::vector<Block> all;
  std::vector<std::uint32_t> of_op;

  explicit Blocks(const FlowOfValues& flow) {
    std::vector<bool> leader(flow.op_count + 1, false);
    leader[0] = true;
    for (std::uint32_t i = 0; i < flow.op_count; ++i) {
      const Leads leads = (*flow.leads)[i];
      if (leads == Leads::on) continue;
      leader[i + 1] = true;
      if (leads != Leads::out && (*flow.targets)[i] < flow.op_count) leader[(*flow.targets)[i]] = true;
    }
    of_op.resize(flow.op_count);
    for (std::uint32_t i = 0; i < flow.op_count; ++i) {
      if (leader[i]) all.push_back({i, i, {}, 0});
      all.back().end = i + 1;
      of_op[i] = static_cast<std::uint32_t>(all.size()) - 1;
    }
    for (Block& block : all) {
      const std::uint32_t last = block.end - 1;
      const Leads leads = (*flow.leads)[last];
      const auto add = [&](std::uint32_t op) {
        if (op < flow.op_count) block.successors[block.successor_count++] = of_op[op];
      };
      if (leads == Leads::jump || leads == Leads::branch) add((*flow.targets)[last]);
      if (leads == Leads::on || leads == Leads::branch) add(block.end);
    }
  }
};

bool has(const Set& set, std::uint32_t reg) { return (set[reg / 64] >> (reg % 64) & 1) != 0; }
void put(Set& set, std::uint32_t reg) { set[reg / 64] |= std::uint64_t{1} << (reg % 64); }

}  // namespace

std::vector<Interval> live_intervals(const FlowOfValues& flow) {
  const Blocks blocks(flow);
  const std::size_t words = (flow.register_count + 63) / 64, count = blocks.all.size();
  std::vector<Set> used(count, Set(words)), defined(count, Set(words)), in(count, Set(words)), out(count, Set(words));

  std::vector<Interval> intervals(flow.register_count);
  for (std::uint32_t r = 0; r < flow.register_count; ++r) intervals[r].reg = r;
  const auto cover = [&](std::uint32_t reg, std::int64_t at) {
    Interval& interval = intervals[reg];
    interval.from = interval.from < 0 ? at : std::min(interval.from, at);
    interval.to = std::max(interval.to, at);
  };

  const std::vector<Touch>& touches = *flow.touches;
  for (std::size_t i = 0; i < touches.size();) {
    std::size_t end = i;
    while (end < touches.size() && touches[end].op == touches[i].op) ++end;
    const std::uint32_t block = blocks.of_op[touches[i].op];
    for (std::size_t k = i; k < end; ++k) {
      const Touch& t = touches[k];
      cover(t.reg, 2 * static_cast<std::int64_t>(t.op) + (t.write ? 1 : 0));
      if ((!t.write || t.partial) && !has(defined[block], t.reg)) put(used[block], t.reg);
    }
    for (std::size_t k = i; k < end; ++k) {
      if (touches[k].write && !touches[k].partial) put(defined[block], touches[k].reg);
    }
    i = end;
  }

  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = count; b-- > 0;) {
      for (std::size_t w = 0; w < words; ++w) {
        std::uint64_t after = 0;
        for (int s = 0; s < blocks.all[b].successor_count; ++s) after |= in[blocks.all[b].successors[s]][w];
        out[b][w] = after;
        const std::uint64_t before = used[b][w] | (after & ~defined[b][w]);
        if (before != in[b][w]) in[b][w] = before, changed = true;
      }
    }
  }

  for (std::size_t b = 0; b < count; ++b) {
    const std::int64_t begin = 2 * static_cast<std::int64_t>(blocks.all[b].begin);
    const std::int64_t end = 2 * static_cast<std::int64_t>(blocks.all[b].end);
    for (std::uint32_t r = 0; r < flow.register_count; ++r) {
      if (has(in[b], r)) cover(r, begin);
      if (has(out[b], r)) cover(r, end);
    }
  }
  for (const std::uint32_t reg : *flow.pinned) {
    intervals[reg].from = -1;
    cover(reg, 0);
    cover(reg, 2 * static_cast<std::int64_t>(flow.op_count));
  }
  return intervals;
}

}  // namespace tilejit::emulator
