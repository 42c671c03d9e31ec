#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tilejit/generator/front_matter.h>
#include <tilejit/tools/tensor_argument.h>

namespace tilejit::tool {

/// A tensor's memory on the host, byte for byte as on the device: guard bytes, the memory that its view spans, guard
/// bytes. What belongs to no element of the view is filler, which nobody may change.
struct Image {
  static constexpr std::size_t guard = 4096;  ///< bytes on either side; keeps the alignment of what lies between
  std::vector<std::byte> bytes;
};

/// Which filler outputs hold before anything runs. What a device is to write and what it is compared with start from
/// different ones, so that an element nobody wrote differs.
enum class Poison { actual, expected };

/// The byte pattern: a NaN (all ones) or 0xA5 for actual; 0x5A for expected.
std::byte poison_byte(DType dtype, Poison poison);

/// Elements that are read hold random values: floating ones in [-1, 1), integers in [-100, 100] (u8: 0 to 100; half
/// of those that may be indices, i32 and i64, in [0, 8)), bool both. A value depends on the seed, the argument's
/// position and the element's place in memory alone. Elements of a tensor that is only written hold poison. Filler is
/// poison_byte(dtype, actual).
Image image_of(const TensorArgument& tensor, Access access, std::uint64_t seed, std::size_t position, Poison poison);

/// Bytes from the image's start to element (0, 0, ...).
std::size_t origin_of(const TensorArgument& tensor);

/// How many of `after`'s bytes outside the view's elements differ from `before`; `after`'s elements are overwritten
/// with `before`'s.
std::size_t stray_bytes(const TensorArgument& tensor, const Image& before, Image& after);

}  // namespace tilejit::tool
