#include <algorithm>

#include <tilejit/runtime/emulator/kernel/decoder.h>

/// What Hopper and later have and this device does not. Their kernels load; executing one of these is a fault that says
/// what would fit.
namespace tilejit::emulator {

void Decoder::decode_beyond() {
  const std::string_view opcode = in_->opcode;
  if (opcode == "wgmma" || opcode == "tcgen05") {
    throw DecodeError("the matrices of whole warp groups (wgmma, tcgen05) are not there: ldmatrix and mma.sync are");
  }
  if (opcode == "wmma") throw DecodeError("wmma is not there: ldmatrix and mma.sync are");
  if (opcode == "cp" && std::ranges::any_of(in_->modifiers, [](std::string_view m) { return m == "tensor"; })) {
    throw DecodeError("copies by tensor maps (TMA) are not there: cp.async of 4, 8 or 16 bytes a thread is");
  }
  if (opcode == "cp" && in_->has("mbarrier")) {
    throw DecodeError("barriers in memory (mbarrier) are not there: cp.async.wait_group and bar.sync are");
  }
  if (opcode == "cp" || opcode == "tensormap" || opcode == "multimem") {
    throw DecodeError("bulk copies are not there: cp.async of 4, 8 or 16 bytes a thread is");
  }
  if (opcode == "mbarrier") {
    throw DecodeError("barriers in memory (mbarrier) are not there: bar.sync and cp.async.wait_group are");
  }
  if (opcode == "setmaxnreg")
    throw DecodeError("registers cannot be handed from warp to warp: .maxnreg sets their number");
  throw DecodeError("clusters of blocks are not there: blocks meet in global memory");
}

}  // namespace tilejit::emulator
