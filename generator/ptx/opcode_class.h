#pragma once
#include <tilejit/generator/ptx/module.h>

namespace tilejit::ptx {

/// What an instruction is for, as far as a reader of figures wants to know.
enum class OpcodeClass {
  plain,  ///< arithmetic, moves, conversions, predicates, special registers, hints
  load,
  store,
  atomic,        ///< atom, red, multimem.red
  tensor,        ///< mma, wmma.mma, wgmma.mma_async, tcgen05.mma
  matrix_load,   ///< ldmatrix, wmma.load
  matrix_store,  ///< stmatrix, wmma.store
  async_copy,    ///< cp.async
  tma,           ///< cp.async.bulk, cp.reduce.async.bulk
  barrier,       ///< bar, barrier
  mbarrier,
  shuffle,  ///< shfl, vote, match, redux
  fence,    ///< membar, fence
  branch,
  call,
  unknown,
};

OpcodeClass class_of(const Instruction& instruction);

}  // namespace tilejit::ptx
