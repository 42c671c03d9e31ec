#include <algorithm>
#include <map>

#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/kernel/decoder.h>

/// Barriers and what a warp's lanes do together.
namespace tilejit::emulator {

void Decoder::decode_barrier() {
  const bool of_warp = in_->has("warp");
  if (of_warp) return decode_warp_barrier();
  if (in_->has("cluster")) {  // a cluster of one block: its barrier is the block's
    around_guard([&] {
      if (in_->has("arrive"))
        out_.emit(run_nothing, {});
      else
        out_.emit(run_barrier_sync, {}, out_.constant(0, Width::b32));
    });
    return;
  }
  const bool reduces = in_->has("red");
  const std::size_t first = reduces ? 1 : 0;
  const Value barrier = read(operand(first), Width::b32);
  const std::size_t last = in_->operands.size() - (reduces ? 1 : 0);
  const Value threads = last > first + 1 ? read(operand(first + 1), Width::b32) : Value{};
  if (!reduces) {
    around_guard([&] { out_.emit(in_->has("arrive") ? run_barrier_arrive : run_barrier_sync, {}, barrier, threads); });
    return;
  }
  const ptx::Operand& predicate = in_->operands.back();
  const bool counts = in_->has("popc");
  around_guard([&] {
    const Value p = read_predicate(predicate);
    const Value d = write(operand(0), counts ? Width::b32 : Width::predicate);
    out_.emit(run_barrier_reduce, d, barrier, threads, p);
    const Reduction kind = counts ? Reduction::count : in_->has("and") ? Reduction::all : Reduction::any;
    out_.last().immediate = static_cast<std::int64_t>(kind);
  });
}

void Decoder::decode_warp_barrier() {
  around_guard([&] {
    const Value members = read(operand(0), Width::b32);
    out_.emit(run_warp_barrier, {});
    out_.list({members}, false);
  });
}

void Decoder::decode_shuffle() {
  if (!in_->has("sync")) throw DecodeError("shfl without .sync does not exist on this device");
  const std::map<std::string_view, Handler> ways = {
      {"idx", run_shuffle_idx}, {"up", run_shuffle_up}, {"down", run_shuffle_down}, {"bfly", run_shuffle_bfly}};
  const auto way = std::find_if(ways.begin(), ways.end(), [&](const auto& one) { return in_->has(one.first); });
  if (way == ways.end()) throw DecodeError("not supported");
  const Handler lanes = table_.handler("together." + std::string(way->first) + ".b32");
  around_guard([&] {
    const ptx::Operand& to = operand(0);
    const bool two = to.kind == ptx::Operand::Kind::pair;
    const Value a = read(operand(1), Width::b32), b = read(operand(2), Width::b32), c = read(operand(3), Width::b32);
    const Value members = read(operand(4), Width::b32);
    const Value d = write(two ? to.elements.at(0) : to, Width::b32);
    const Value inside = two ? write(to.elements.at(1), Width::predicate) : Value{};
    out_.emit(way->second, d, a, b, c).lanes = lanes;
    out_.list({members}, false);
    out_.list({inside}, true);
  });
}

void Decoder::decode_vote() {
  if (!in_->has("sync")) throw DecodeError("vote without .sync does not exist on this device");
  const bool ballot = in_->has("ballot");
  const Handler run = in_->has("all")   ? run_vote_all
                      : in_->has("any") ? run_vote_any
                      : in_->has("uni") ? run_vote_uni
                      : ballot          ? run_vote_ballot
                                        : nullptr;
  if (run == nullptr) throw DecodeError("not supported");
  around_guard([&] {
    const Value p = read_predicate(operand(1)), members = read(operand(2), Width::b32);
    out_.emit(run, write(operand(0), ballot ? Width::b32 : Width::predicate), p);
    out_.list({members}, false);
  });
}

void Decoder::decode_match() {
  const bool any = in_->has("any"), wide = in_->has("b64");
  around_guard([&] {
    const ptx::Operand& to = operand(0);
    const bool two = to.kind == ptx::Operand::Kind::pair;
    const Value a = read(operand(1), wide ? Width::b64 : Width::b32), members = read(operand(2), Width::b32);
    const Value d = write(two ? to.elements.at(0) : to, Width::b32);
    const Value all_equal = two ? write(to.elements.at(1), Width::predicate) : Value{};
    out_.emit(any ? (wide ? run_match_any_b64 : run_match_any_b32) : (wide ? run_match_all_b64 : run_match_all_b32), d,
              a);
    out_.list({members}, false);
    out_.list({all_equal}, true);
  });
}

void Decoder::decode_redux() {
  std::string name;
  for (const std::string_view m : in_->modifiers) {
    if (m != "sync") name += (name.empty() ? "" : ".") + std::string(m);
  }
  const Handler run = redux_handler(name.c_str());
  if (run == nullptr) throw DecodeError("not supported");
  around_guard([&] {
    const Value a = read(operand(1), Width::b32), members = read(operand(2), Width::b32);
    out_.emit(run, write(operand(0), Width::b32), a);
    out_.list({members}, false);
  });
}

void Decoder::decode_active_mask() { out_.emit(run_active_mask, write(operand(0), Width::b32)); }

void Decoder::decode_elect() {
  around_guard([&] {
    const ptx::Operand& to = operand(0);
    if (to.kind != ptx::Operand::Kind::pair) throw DecodeError("d|p is wanted");
    const Value members = read(operand(1), Width::b32);
    const bool sink = to.elements.at(0).kind == ptx::Operand::Kind::sink;
    const Value d = sink ? Value{} : write(to.elements.at(0), Width::b32);
    out_.emit(run_elect, d);
    out_.list({members}, false);
    out_.list({write(to.elements.at(1), Width::predicate)}, true);
  });
}

void Decoder::decode_nanosleep() {
  around_guard([&] { out_.emit(run_poll, {}); });
}

}  // namespace tilejit::emulator
