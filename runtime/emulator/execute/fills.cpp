#include <tilejit/runtime/emulator/execute/fills.h>

#include <cstring>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/worker.h>

namespace tilejit::emulator {
namespace {

void broadcast(std::byte* to, std::uint64_t value, std::size_t bytes) {
  for (std::size_t lane = 0; lane < 32; ++lane) std::memcpy(to + lane * bytes, &value, bytes);
}

std::uint64_t param_value(const Fill& fill, const std::vector<std::byte>& params) {
  std::uint64_t value = 0;
  std::memcpy(&value, params.data() + fill.offset, fill.memory_bytes);
  if (fill.is_signed && fill.memory_bytes < 8) {
    const int up = 64 - 8 * fill.memory_bytes;
    value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << up) >> up);
  }
  return value;
}

}  // namespace

std::vector<std::byte> launch_constants(const Launch& launch) {
  std::vector<std::byte> out = launch.program->constants;
  const Program& program = *launch.program;
  for (const Fill& fill : program.fills) {
    std::uint64_t value = 0;
    switch (fill.what) {
      case Special::param:
        value = param_value(fill, launch.params);
        break;
      case Special::ntid_x:
        value = launch.block[0];
        break;
      case Special::ntid_y:
        value = launch.block[1];
        break;
      case Special::ntid_z:
        value = launch.block[2];
        break;
      case Special::nctaid_x:
        value = launch.grid[0];
        break;
      case Special::nctaid_y:
        value = launch.grid[1];
        break;
      case Special::nctaid_z:
        value = launch.grid[2];
        break;
      case Special::nwarpid:
        value = 64;
        break;
      case Special::nsmid:
        value = static_cast<std::uint64_t>(launch.schedule.sms);
        break;
      case Special::gridid:
        value = launch.number;
        break;
      case Special::dynamic_shared:
        value = launch.dynamic_shared;
        break;
      case Special::total_shared:
        value = static_cast<std::uint64_t>(program.dynamic_start - shared_start) + launch.dynamic_shared;
        break;
      default:
        continue;
    }
    broadcast(out.data() + (fill.place & ~constant_bit), value, fill.register_bytes);
  }
  return out;
}

void fill_block(Block& block) {
  const Launch& launch = *block.worker->launch;
  for (const Fill& fill : block.worker->program->fills) {
    std::uint64_t value = 0;
    switch (fill.what) {
      case Special::ctaid_x:
        value = block.ctaid[0];
        break;
      case Special::ctaid_y:
        value = block.ctaid[1];
        break;
      case Special::ctaid_z:
        value = block.ctaid[2];
        break;
      case Special::smid:
        value = block.index % static_cast<std::uint64_t>(launch.schedule.sms);
        break;
      default:
        continue;
    }
    broadcast(block.constants.start + (fill.place & ~constant_bit), value, fill.register_bytes);
  }
}

void fill_warp(Warp& w) {
  const std::uint32_t* size = w.worker->launch->block;
  for (const Fill& fill : w.worker->program->fills) {
    if (fill.what != Special::tid_x && fill.what != Special::tid_y && fill.what != Special::tid_z &&
        fill.what != Special::warpid) {
      continue;
    }
    auto* lanes = reinterpret_cast<std::uint32_t*>(w.base[0] + fill.place);
    for (std::uint32_t i = 0; i < 32; ++i) {
      const std::uint32_t linear = static_cast<std::uint32_t>(w.index) * 32 + i;
      switch (fill.what) {
        case Special::tid_x:
          lanes[i] = linear % size[0];
          break;
        case Special::tid_y:
          lanes[i] = linear / size[0] % size[1];
          break;
        case Special::tid_z:
          lanes[i] = linear / size[0] / size[1];
          break;
        default:
          lanes[i] = static_cast<std::uint32_t>(w.index);
          break;
      }
    }
  }
}

}  // namespace tilejit::emulator
