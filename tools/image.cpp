#include <tilejit/tools/image.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>

#include <tilejit/generator/error.h>
#include <tilejit/tools/reference/element.h>
#include <tilejit/tools/strided.h>

namespace tilejit::tool {
namespace {

/// A well mixed 64-bit number for a 64-bit one.
std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

double value_for(DType dtype, std::uint64_t random) {
  if (is_floating(dtype)) return double(random >> 11) * 0x1p-52 - 1.0;
  if (dtype == DType::boolean) return double(random & 1);
  if (size_of(dtype) >= 4 && (random & 1) != 0) return double((random >> 32) % 8);
  const auto number = double((random >> 32) % 201) - 100;
  return dtype == DType::u8 ? std::abs(number) : number;
}

}  // namespace

std::byte poison_byte(DType dtype, Poison poison) {
  if (poison == Poison::expected) return std::byte{0x5a};
  return is_floating(dtype) ? std::byte{0xff} : std::byte{0xa5};
}

std::size_t origin_of(const TensorArgument& tensor) {
  return Image::guard + std::size_t(tensor.offset) * size_of(tensor.dtype);
}

Image image_of(const TensorArgument& tensor, Access access, std::uint64_t seed, std::size_t position, Poison poison) {
  const std::size_t size = size_of(tensor.dtype);
  // An empty view has no memory of its own, and still an address.
  const std::size_t span = std::size_t(std::max(tensor.span, tensor.offset)) * size;
  Image image;
  try {
    image.bytes.assign(2 * Image::guard + span, poison_byte(tensor.dtype, Poison::actual));
  } catch (const std::exception&) {  // bad_alloc, or length_error for more than any vector holds
    throw Error(fmt::format("{}: its elements span {} bytes, more host memory than there is", tensor.name, span));
  }
  std::byte* origin = image.bytes.data() + origin_of(tensor);
  const std::uint64_t stream = mix(mix(seed) + position);
  const int fill = std::to_integer<int>(poison_byte(tensor.dtype, poison));
  for_each_row(tensor.shape, tensor.strides,
               [&](std::int64_t first, std::int64_t stride, std::int64_t count, std::int64_t) {
                 for (std::int64_t i = 0; i < count; ++i) {
                   const std::int64_t place = first + i * stride;
                   std::byte* element = origin + place * std::int64_t(size);
                   if (access == Access::write) {
                     std::memset(element, fill, size);
                   } else {
                     put_double(tensor.dtype, element, value_for(tensor.dtype, mix(stream + std::uint64_t(place))));
                   }
                 }
               });
  return image;
}

std::size_t stray_bytes(const TensorArgument& tensor, const Image& before, Image& after) {
  const std::size_t size = size_of(tensor.dtype), origin = origin_of(tensor);
  for_each_row(tensor.shape, tensor.strides,
               [&](std::int64_t first, std::int64_t stride, std::int64_t count, std::int64_t) {
                 for (std::int64_t i = 0; i < count; ++i) {
                   const std::size_t at = origin + std::size_t((first + i * stride) * std::int64_t(size));
                   std::memcpy(after.bytes.data() + at, before.bytes.data() + at, size);
                 }
               });
  std::size_t changed = 0;
  for (std::size_t i = 0; i < before.bytes.size(); ++i) changed += before.bytes[i] != after.bytes[i];
  return changed;
}

}  // namespace tilejit::tool
