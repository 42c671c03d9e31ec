#include <tilejit/tests/templates/view_memory.h>

#include <cmath>

namespace tilejit::test {

namespace {
constexpr std::size_t guard = 512;  // keeps 256-byte alignment
}

ViewMemory memory_of(const ViewSpec& view) {
  std::int64_t lowest = 0, highest = 0;
  bool empty = false;
  for (std::size_t axis = 0; axis < view.shape.size(); ++axis) {
    empty = empty || view.shape[axis] == 0;
    const std::int64_t reach = (view.shape[axis] - 1) * view.strides[axis];
    (reach < 0 ? lowest : highest) += reach;
  }
  if (empty) lowest = highest = 0;
  const std::size_t size = size_of(view.dtype);
  const auto align = std::int64_t(guard / size);
  const std::int64_t first = (-lowest + align - 1) / align * align + view.offset;
  ViewMemory memory;
  memory.origin = guard + std::size_t(first) * size;
  memory.bytes.assign(memory.origin + std::size_t(highest + 1) * size + guard, std::byte{0xa5});
  return memory;
}

void fill(const ViewSpec& view, ViewMemory& memory, Values values, std::mt19937& random) {
  const std::size_t size = size_of(view.dtype);
  for_each_element(view, [&](std::int64_t place, const auto&) {
    std::byte* element = memory.bytes.data() + memory.origin + place * std::int64_t(size);
    if (values == Values::bits && view.dtype != DType::boolean) {
      for (std::size_t i = 0; i < size; ++i) element[i] = std::byte(random() & 0xff);
    } else if (view.dtype == DType::boolean) {
      tool::put_integer(view.dtype, element, random() % 2);
    } else if (values == Values::small) {
      tool::put_integer(view.dtype, element, random() % 16);
    } else if (values == Values::digits) {
      if (is_floating(view.dtype)) {
        const double coarse = double(random()) - 0x1p31, fine = double(random()) * 0x1p-32;
        tool::put_double(view.dtype, element, std::ldexp(coarse + fine, -30));
      } else {
        for (std::size_t i = 0; i < size; ++i) element[i] = std::byte(random() & 0xff);
      }
    } else if (is_floating(view.dtype)) {
      tool::put_double(view.dtype, element, (double(random() % 9) - 4) / 4);
    } else {
      const auto number = std::int64_t(random() % 201) - 100;
      tool::put_integer(view.dtype, element, view.dtype == DType::u8 ? std::abs(number) : number);
    }
  });
}

}  // namespace tilejit::test
