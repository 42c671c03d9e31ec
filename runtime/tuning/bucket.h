#pragma once
#include <cstdint>
#include <string>

#include <tilejit/cache/key.h>
#include <tilejit/generator/specialization.h>

namespace tilejit {

/// `size` rounded up to 2^k or 1.5 * 2^k; 0 stays 0.
std::int64_t bucket_of(std::int64_t size);

/// What a tuning result stands for: device (name, arch, emulated or not), template with its source, dtypes, layout
/// class (each tensor's unit-stride axis, alignment class, constant strides) and the bucket of each size. Equal keys
/// share a result.
struct TuningKey {
  std::string
      text;  ///< one line for people: "copy_2d f32[unit 1, align 16] ... M<=4096 N<=6144 on NVIDIA H200 (sm_90a)"
  KeyBuilder parts;
};

struct DeviceIdentity {
  std::string name, arch;
  bool emulated = false;
};

/// `specialization` gives dtypes and layout class; its Config does not count.
TuningKey tuning_key(const DeviceIdentity& device, const Template& kernel, const Specialization& specialization,
                     const std::vector<std::int64_t>& sizes);

}  // namespace tilejit
