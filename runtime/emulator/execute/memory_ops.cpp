#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/execute/lane_places.h>
#include <tilejit/runtime/emulator/execute/worker.h>
#include <tilejit/runtime/emulator/memory/access.h>
#include <tilejit/runtime/emulator/report/access_faults.h>

/// Accesses whose space or place only the lanes know.
namespace tilejit::emulator {
namespace {

void local_lanes(const Op& op, Warp& w) {
  const std::uint64_t* a = lanes_at<const std::uint64_t>(w, op.a);
  std::uint64_t offset[32] = {};
  for_lanes(w.mask,
            [&](int lane) { offset[lane] = a[lane] + static_cast<std::uint64_t>(op.immediate) - local_window; });
  check_local(&op, w, offset);
  w.worker->program->local_movers[op.b](&op, w, offset, false);
}

void param_lanes(const Op& op, Warp& w, std::uint64_t window) {
  const Site& site = w.worker->program->sites[op.site];
  const std::vector<std::byte>& params = w.worker->launch->params;
  const std::uint64_t* a = lanes_at<const std::uint64_t>(w, op.a);
  std::uint64_t address[32] = {};
  for_lanes(w.mask, [&](int lane) {
    const std::uint64_t offset = a[lane] + static_cast<std::uint64_t>(op.immediate) - window;
    if (site.store || offset > params.size() || params.size() - offset < site.bytes) {
      fault_out_of_bounds(&op, w, lane, Space::param, offset);
    }
    if (offset % site.bytes != 0) fault_misaligned(&op, w, lane, Space::param, offset);
    address[lane] = reinterpret_cast<std::uint64_t>(params.data()) + offset;
  });
  op.move(&op, w, address, false);
}

}  // namespace

const Op* run_generic_access(const Op* op, Warp& w) {
  const std::uint64_t* a = lanes_at<const std::uint64_t>(w, op->a);
  const auto offset = static_cast<std::uint64_t>(op->immediate);
  std::uint64_t high = 0;
  for_lanes(w.mask, [&](int lane) { high |= (a[lane] + offset) >> window_bits; });
  if (high == 0) {
    w.worker->program->global_access(op, w);
    return op + 1;
  }
  // Addresses are read before any lane's result may overwrite them.
  std::uint32_t of_space[8] = {};
  for_lanes(w.mask, [&](int lane) { of_space[static_cast<int>(space_of(a[lane] + offset))] |= 1u << lane; });
  const std::uint32_t all = w.mask;
  for (int s = 0; s < 8; ++s) {
    if (of_space[s] == 0) continue;
    w.mask = of_space[s];
    Op one = *op;
    switch (static_cast<Space>(s)) {
      case Space::global:
        w.worker->program->global_access(&one, w);
        break;
      case Space::shared:
        one.immediate -= static_cast<std::int64_t>(shared_window);
        w.worker->program->shared_access(&one, w);
        break;
      case Space::local:
        local_lanes(one, w);
        break;
      case Space::param:
        param_lanes(one, w, param_window);
        break;
      default: {
        const int lane = __builtin_ctz(w.mask);
        fault_out_of_bounds(op, w, lane, Space::generic, a[lane] + offset);
      }
    }
  }
  w.mask = all;
  return op + 1;
}

const Op* run_param_access(const Op* op, Warp& w) {
  param_lanes(*op, w, 0);
  return op + 1;
}

const Op* run_is_space(const Op* op, Warp& w) {
  const std::uint64_t* a = lanes_at<const std::uint64_t>(w, op->a);
  std::uint32_t bits = 0;
  for_lanes(w.mask, [&](int lane) {
    bits |= static_cast<std::uint32_t>(space_of(a[lane]) == static_cast<Space>(op->immediate)) << lane;
  });
  write_predicate(w, op->d, bits);
  return op + 1;
}

}  // namespace tilejit::emulator
