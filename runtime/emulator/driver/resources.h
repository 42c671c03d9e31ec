#pragma once
#include <tilejit/runtime/emulator/driver/device.h>

namespace tilejit::emulator {

/// An estimate of what ptxas would give a thread: the most 32-bit words alive at once.
int registers_of(const Program& program);

/// How many blocks fit on a multiprocessor.
int blocks_per_sm(const Facts& facts, const Program& program, int threads, std::size_t dynamic_shared);

/// Threads that a block of it may have.
int threads_of(const Facts& facts, const Program& program);

}  // namespace tilejit::emulator
