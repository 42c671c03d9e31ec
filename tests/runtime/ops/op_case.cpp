#include <tilejit/tests/runtime/ops/op_case.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>

namespace tilejit::test {
namespace {

constexpr std::size_t guard = 512;  // keeps 256-byte alignment
constexpr std::byte poison{0xa5};

struct Memory {
  std::vector<std::byte> bytes;
  std::size_t origin = 0;  ///< of element (0, 0, ...)
};

Memory memory_of(const Operand& operand) {
  std::int64_t lowest = 0, highest = 0;
  bool empty = false;
  for (std::size_t axis = 0; axis < operand.shape.size(); ++axis) {
    empty |= operand.shape[axis] == 0;
    if (operand.shape[axis] <= 1) continue;
    const std::int64_t reach = (operand.shape[axis] - 1) * operand.strides[axis];
    (reach < 0 ? lowest : highest) += reach;
  }
  if (empty) lowest = highest = 0;
  const std::size_t size = size_of(operand.dtype);
  const auto align = std::int64_t(guard / size);
  const std::int64_t first = (-lowest + align - 1) / align * align + operand.offset;
  Memory memory;
  memory.origin = guard + std::size_t(first) * size;
  memory.bytes.assign(memory.origin + std::size_t(highest + 1) * size + guard, poison);
  return memory;
}

template <class F>
void for_each_element(const Operand& operand, F f) {
  for (const std::int64_t extent : operand.shape)
    if (extent == 0) return;
  std::vector<std::int64_t> index(operand.shape.size(), 0);
  for (;;) {
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) place += index[axis] * operand.strides[axis];
    f(place, index);
    std::size_t axis = index.size();
    while (axis > 0 && ++index[axis - 1] == operand.shape[axis - 1]) index[--axis] = 0;
    if (axis == 0) return;
  }
}

void fill(const Operand& operand, Memory& memory, std::mt19937& random, bool positive) {
  for_each_element(operand, [&](std::int64_t place, const auto&) {
    std::byte* const element = memory.bytes.data() + memory.origin + place * std::int64_t(size_of(operand.dtype));
    if (operand.dtype == DType::boolean) {
      tool::put_integer(operand.dtype, element, random() % 2);
    } else if (is_floating(operand.dtype)) {
      const double value = (double(random() % 9) - 4) / 4;
      tool::put_double(operand.dtype, element, positive ? std::fabs(value) + 0.25 : value);
    } else {
      const auto value = std::int64_t(random() % 201) - 100;
      tool::put_integer(operand.dtype, element, positive || operand.dtype == DType::u8 ? std::abs(value) + 1 : value);
    }
  });
}

bool close(DType dtype, const std::byte* actual, const std::byte* expected, const Closeness& closeness) {
  if (std::memcmp(actual, expected, size_of(dtype)) == 0) return true;
  const double a = tool::double_at(dtype, actual), e = tool::double_at(dtype, expected);
  if (!is_floating(dtype)) return false;
  if (std::isnan(a) && std::isnan(e)) return true;
  if (closeness.relative == 0 && closeness.absolute == 0) return false;
  return std::fabs(a - e) <= closeness.absolute + std::max(closeness.relative, epsilon_of(dtype)) * std::fabs(e);
}

testing::AssertionResult same(const Operand& operand, std::size_t position, const Memory& expected,
                              std::vector<std::byte> actual, const Closeness& closeness) {
  std::string wrong;
  int count = 0;
  const std::size_t size = size_of(operand.dtype);
  for_each_element(operand, [&](std::int64_t place, const std::vector<std::int64_t>& index) {
    const std::size_t at = expected.origin + std::size_t(place * std::int64_t(size));
    const std::byte* e = expected.bytes.data() + at;
    if (!close(operand.dtype, actual.data() + at, e, closeness) && count++ == 0)
      wrong = fmt::format("({}) is {}, expected {}", fmt::join(index, ", "),
                          tool::text_at(operand.dtype, actual.data() + at), tool::text_at(operand.dtype, e));
    std::memcpy(actual.data() + at, e, size);
  });
  if (count > 0) return testing::AssertionFailure() << "tensor " << position << ": " << wrong << "; " << count << " so";
  for (std::size_t i = 0; i < actual.size(); ++i)
    if (actual[i] != expected.bytes[i])
      return testing::AssertionFailure() << "tensor " << position << ": a stray write at byte "
                                         << std::int64_t(i) - std::int64_t(expected.origin)
                                         << " from its first element";
  return testing::AssertionSuccess();
}

}  // namespace

std::string to_string(const Operand& operand) {
  return fmt::format("{}{} ({}) strides ({}) offset {}", operand.output ? "-> " : "", name_of(operand.dtype),
                     fmt::join(operand.shape, ", "), fmt::join(operand.strides, ", "), operand.offset);
}

Operand contiguous(DType dtype, std::vector<std::int64_t> shape, bool output) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * std::max<std::int64_t>(shape[axis], 1);
  return {dtype, std::move(shape), std::move(strides), 0, output};
}

testing::AssertionResult holds(const Device& device, const std::vector<Operand>& operands, std::mt19937& random,
                               const Caller& call, const Expectation& expect, const Closeness& closeness,
                               bool positive) {
  std::vector<Memory> expected;
  std::vector<Tensor> memory;
  std::vector<TensorView> views;
  for (const Operand& operand : operands) {
    expected.push_back(memory_of(operand));
    if (!operand.output) fill(operand, expected.back(), random, positive);
    memory.push_back(device.copy_of_bytes(DType::u8, expected.back().bytes,
                                          std::vector{std::int64_t(expected.back().bytes.size())}));
    views.emplace_back(static_cast<std::byte*>(memory.back().data()) + expected.back().origin, operand.dtype,
                       operand.shape, operand.strides);
  }
  const Stream stream = device.stream();
  call(stream, views);
  std::vector<tool::HostTensor> host;
  for (std::size_t i = 0; i < operands.size(); ++i)
    host.push_back(
        {operands[i].dtype, expected[i].bytes.data() + expected[i].origin, operands[i].shape, operands[i].strides});
  expect(host);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto result = same(operands[i], i, expected[i], memory[i].to_host_bytes(stream),
                             operands[i].output ? closeness : Closeness{});
    if (result) continue;
    auto failure = testing::AssertionFailure();
    for (const Operand& operand : operands) failure << "[" << to_string(operand) << "] ";
    return failure << result.message();
  }
  return testing::AssertionSuccess();
}

}  // namespace tilejit::test
