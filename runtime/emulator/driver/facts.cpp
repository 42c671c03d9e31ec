#include <tilejit/runtime/emulator/driver/facts.h>

namespace tilejit::emulator {

const Facts& facts_of(int major, int minor) {
  static constexpr Facts all[] = {
      {8, 0, 108, 2048, 32, 167936, 49152, 166912, 65536, 65536, 41943040, 1410000, 1215000, 5120},
      {8, 9, 142, 1536, 24, 102400, 49152, 101376, 65536, 65536, 100663296, 2520000, 9001000, 384},
      {9, 0, 132, 2048, 32, 233472, 49152, 232448, 65536, 65536, 52428800, 1980000, 2619000, 5120},
      {10, 0, 148, 2048, 32, 233472, 49152, 232448, 65536, 65536, 132120576, 1965000, 3996000, 8192},
  };
  for (const Facts& facts : all) {
    if (facts.major == major && facts.minor == minor) return facts;
  }
  return all[2];
}

bool attribute_of(const Facts& f, CUdevice_attribute attribute, int& value) {
  if (attribute < 1 || attribute >= CU_DEVICE_ATTRIBUTE_MAX) return false;
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y:
      value = 1024;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z:
      value = 64;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
      value = 2147483647;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z:
      value = 65535;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
      value = f.shared_per_block;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      value = f.shared_optin;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
      value = f.shared_per_sm;
      break;
    case CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK:
      value = 1024;
      break;
    case CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY:
      value = 65536;
      break;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
      value = 32;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_PITCH:
      value = 2147483647;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK:
      value = f.registers_per_block;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR:
      value = f.registers_per_sm;
      break;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
      value = f.clock_khz;
      break;
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE:
      value = f.memory_clock_khz;
      break;
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
      value = f.bus_bits;
      break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      value = f.sms;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
      value = f.threads_per_sm;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR:
      value = f.blocks_per_sm;
      break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
      value = f.l2_bytes;
      break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      value = f.major;
      break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      value = f.minor;
      break;
    case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT:
      value = 512;
      break;
    case CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT:
      value = 1;
      break;
    case CU_DEVICE_ATTRIBUTE_GPU_OVERLAP:
    case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY:
    case CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS:
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
    case CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM:
      value = 1;
      break;
    default:
      value = 0;  // what it does not have: clusters, tensor maps, managed memory, cooperative launches, ...
  }
  return true;
}

}  // namespace tilejit::emulator
