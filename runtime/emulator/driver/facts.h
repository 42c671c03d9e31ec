#pragma once
#include <tilejit/runtime/emulator/driver/api.h>

namespace tilejit::emulator {

/// What the emulated device says it is: the limits of the architecture, without what it cannot run.
struct Facts {
  int major, minor;
  int sms;
  int threads_per_sm, blocks_per_sm;
  int shared_per_sm, shared_per_block, shared_optin;  ///< bytes; 1024 of each block are the system's
  int registers_per_sm, registers_per_block;
  int l2_bytes;
  int clock_khz, memory_clock_khz, bus_bits;
};

const Facts& facts_of(int major, int minor);

/// False: no such attribute.
bool attribute_of(const Facts& facts, CUdevice_attribute attribute, int& value);

}  // namespace tilejit::emulator
