#include <tilejit/runtime/emulator/report/access_faults.h>

#include <fmt/format.h>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/worker.h>
#include <tilejit/runtime/emulator/report/faults.h>

namespace tilejit::emulator {
namespace {

const char* verb(const Site& site) { return site.atomic ? "atomic on" : site.store ? "write of" : "read of"; }

std::string described(const Allocation& a) {
  if (!a.name.empty()) return fmt::format("'{}' ({} bytes at 0x{:x})", a.name, a.bytes, a.address);
  return fmt::format("allocation {} ({} bytes at 0x{:x}{})", a.id, a.bytes, a.address, a.host ? ", host memory" : "");
}

/// "nearest: allocation 3 (1024 bytes at 0x...), 4 bytes past its end"
std::string nearest_global(const Allocations& memory, std::uint64_t address, std::int64_t bytes) {
  const auto before = memory.before(address), behind = memory.behind(address);
  const std::uint64_t past = before ? address - before->address - before->bytes : ~std::uint64_t{0};
  const std::uint64_t ahead = behind ? behind->address - address : ~std::uint64_t{0};
  if (before && address - before->address < before->bytes) {
    return fmt::format("the access begins at offset {} of {} and ends {} bytes past it", address - before->address,
                       described(*before),
                       address + static_cast<std::uint64_t>(bytes) - before->address - before->bytes);
  }
  if (before && past <= ahead) {
    return fmt::format("nearest: {}, {} bytes past its end (offset {})", described(*before), past,
                       address - before->address);
  }
  if (behind) return fmt::format("nearest: {}, {} bytes before its start", described(*behind), ahead);
  return "nothing is allocated";
}

std::string nearest_shared(const Warp& w, std::uint64_t address) {
  const Program& program = *w.worker->program;
  const auto at = static_cast<std::int64_t>(address);
  std::string all;
  const SharedVariable* last = nullptr;
  for (const SharedVariable& v : program.shared) {
    if (v.offset <= at && (last == nullptr || v.offset > last->offset)) last = &v;
  }
  const std::int64_t dynamic = w.shared_end - program.dynamic_start;
  if (dynamic > 0 && at >= program.dynamic_start) {
    return fmt::format("nearest: dynamic shared memory ({} bytes), offset {}", dynamic, at - program.dynamic_start);
  }
  if (last != nullptr) {
    return fmt::format("nearest: shared variable '{}' ({} bytes), offset {}", last->name, last->bytes,
                       at - last->offset);
  }
  return fmt::format("the block has {} bytes of shared memory", w.shared_end - w.shared_begin);
}

std::string nearest(const Warp& w, Space space, std::uint64_t address, std::int64_t bytes) {
  switch (space) {
    case Space::global:
      return nearest_global(*w.worker->launch->memory, address, bytes);
    case Space::shared:
      return nearest_shared(w, address);
    case Space::local:
      return fmt::format("a thread has {} bytes of local memory", w.local_bytes);
    case Space::param:
      return fmt::format("the parameters have {} bytes", w.worker->program->param_bytes);
    default:
      return "the address points into no memory space";
  }
}

}  // namespace

void fault_out_of_bounds(const Op* op, Warp& w, int lane, Space space, std::uint64_t address) {
  const Site& site = w.worker->program->sites[op->site];
  fault(
      FaultKind::out_of_bounds, op, w, lane,
      fmt::format("out of bounds: {} {} bytes of {} memory at 0x{:x}", verb(site), site.bytes, name_of(space), address),
      nearest(w, space, address, site.bytes));
}

void fault_misaligned(const Op* op, Warp& w, int lane, Space space, std::uint64_t address) {
  const Site& site = w.worker->program->sites[op->site];
  std::string where;
  if (space == Space::global) {
    if (const auto found = w.worker->launch->memory->find(address)) {
      where = fmt::format("offset {} of {}", address - found->address, described(*found));
    }
  }
  fault(FaultKind::misaligned, op, w, lane,
        fmt::format("misaligned: {} {} bytes of {} memory at 0x{:x}, which must be a multiple of {}", verb(site),
                    site.bytes, name_of(space), address, site.bytes),
        where);
}

void fault_unwritten(const Op* op, Warp& w, int lane, Space space, std::uint64_t address) {
  std::string where = nearest(w, space, address, 1);
  if (space == Space::global) {
    if (const auto found = w.worker->launch->memory->find(address)) {
      where = fmt::format("offset {} of {}", address - found->address, described(*found));
    }
  }
  fault(FaultKind::unwritten_read, op, w, lane,
        fmt::format("unwritten: read of {} memory at 0x{:x} that nobody wrote", name_of(space), address), where);
}

void fault_read_only(const Op* op, Warp& w, int lane, std::uint64_t address) {
  fault(FaultKind::out_of_bounds, op, w, lane, fmt::format("write to constant memory at 0x{:x}", address),
        nearest_global(*w.worker->launch->memory, address, 1));
}

}  // namespace tilejit::emulator
