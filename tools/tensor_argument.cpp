#include <tilejit/tools/tensor_argument.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include <tilejit/generator/error.h>
#include <tilejit/generator/nearest.h>
#include <tilejit/tools/assignment.h>

namespace tilejit::tool {
namespace {

constexpr const char* syntax = "DTYPE:SHAPE[:STRIDES[:OFFSET]], like f32:4096x4096:4096,1";

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

DType parse_dtype(const std::string& tensor, std::string_view text) {
  if (const auto dtype = dtype_named(text)) return *dtype;
  std::vector<std::string> known;
  for (const DType dtype : all_dtypes()) known.emplace_back(name_of(dtype));
  throw InvalidArgument(fmt::format("{}: no dtype '{}'{}", tensor, text, suggestion(text, known)));
}

std::vector<std::int64_t> parse_shape(const std::string& tensor, std::string_view text) {
  if (text == "scalar") return {};
  if (text.empty()) {
    throw InvalidArgument(fmt::format("{}: no shape: expected {}, or 'scalar' for rank 0", tensor, syntax));
  }
  std::vector<std::int64_t> shape;
  for (const std::string_view part : split(text, 'x')) {
    const std::string what = fmt::format("{}: axis {} of shape '{}'", tensor, shape.size(), text);
    shape.push_back(parse_integer(part, what));
    if (shape.back() < 0) throw InvalidArgument(what + ": an extent is 0 or more");
  }
  if (shape.size() > max_rank) {
    throw InvalidArgument(fmt::format("{}: {} axes; a tensor has at most {}", tensor, shape.size(), max_rank));
  }
  return shape;
}

class Checked {
 public:
  explicit Checked(const TensorArgument& tensor) : tensor_(tensor) {}
  std::int64_t times(std::int64_t left, std::int64_t right) const {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(left, right, &product)) fail();
    return product;
  }
  std::int64_t plus(std::int64_t left, std::int64_t right) const {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(left, right, &sum)) fail();
    return sum;
  }

 private:
  [[noreturn]] void fail() const {
    const std::string strides =
        tensor_.strides.empty() ? "" : fmt::format(" with strides {}", fmt::join(tensor_.strides, ","));
    throw InvalidArgument(fmt::format("{}: the elements of shape {}{} reach beyond 2^63 bytes", tensor_.name,
                                      fmt::join(tensor_.shape, "x"), strides));
  }
  const TensorArgument& tensor_;
};

std::vector<std::int64_t> contiguous_strides(const TensorArgument& tensor) {
  std::vector<std::int64_t> strides(tensor.shape.size());
  std::int64_t stride = 1;
  for (std::size_t axis = strides.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride = Checked(tensor).times(stride, std::max<std::int64_t>(tensor.shape[axis], 1));
  }
  return strides;
}

bool is_empty(const TensorArgument& tensor) {
  return std::find(tensor.shape.begin(), tensor.shape.end(), 0) != tensor.shape.end();
}

/// Elements from element (0, 0, ...) to the lowest and the highest one.
std::pair<std::int64_t, std::int64_t> reach(const TensorArgument& tensor) {
  const Checked checked(tensor);
  std::int64_t lowest = 0, highest = 0;
  if (is_empty(tensor)) return {0, 0};
  for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    const std::int64_t far = checked.times(tensor.shape[axis] - 1, tensor.strides[axis]);
    (far < 0 ? lowest : highest) = checked.plus(far < 0 ? lowest : highest, far);
  }
  return {lowest, highest};
}

}  // namespace

TensorArgument parse_tensor(std::string_view name, std::string_view value) {
  TensorArgument tensor{.name = std::string(name), .shape = {}, .strides = {}};
  const std::vector<std::string_view> parts = split(value, ':');
  tensor.dtype = parse_dtype(tensor.name, parts[0]);
  if (parts.size() < 2 || parts.size() > 4) {
    throw InvalidArgument(fmt::format("{}: '{}': expected {}", tensor.name, value, syntax));
  }
  tensor.shape = parse_shape(tensor.name, parts[1]);
  const std::size_t rank = tensor.shape.size();

  const bool strides_given = parts.size() > 2 && !parts[2].empty();
  if (strides_given) {
    for (const std::string_view part : split(parts[2], ',')) {
      tensor.strides.push_back(
          parse_integer(part, fmt::format("{}: stride {} of '{}'", tensor.name, tensor.strides.size(), parts[2])));
    }
    if (tensor.strides.size() != rank) {
      throw InvalidArgument(fmt::format(
          "{}: {} for {} axes: expected one an axis, separated by ','", tensor.name,
          tensor.strides.size() == 1 ? std::string("1 stride") : fmt::format("{} strides", tensor.strides.size()),
          rank));
    }
  } else {
    tensor.strides = contiguous_strides(tensor);
  }

  const auto [lowest, highest] = reach(tensor);
  const Checked checked(tensor);
  tensor.offset = checked.times(lowest, -1);
  if (parts.size() > 3) {
    const std::int64_t given = parse_integer(parts[3], tensor.name + ": offset");
    if (given < tensor.offset) {
      throw InvalidArgument(fmt::format("{}: offset {} puts the lowest element {} before its memory; the least is {}",
                                        tensor.name, given, tensor.offset - given, tensor.offset));
    }
    tensor.offset = given;
  }
  tensor.span = is_empty(tensor) ? 0 : checked.plus(checked.plus(tensor.offset, highest), 1);
  checked.times(std::max(tensor.span, tensor.offset), std::int64_t(size_of(tensor.dtype)));
  return tensor;
}

TensorProblem problem_of(const TensorArgument& tensor) {
  TensorProblem problem;
  problem.dtype = tensor.dtype;
  problem.rank = int(tensor.shape.size());
  std::copy(tensor.shape.begin(), tensor.shape.end(), problem.shape.begin());
  std::copy(tensor.strides.begin(), tensor.strides.end(), problem.strides.begin());
  const std::int64_t bytes = tensor.offset * std::int64_t(size_of(tensor.dtype));
  while (bytes % problem.address_align != 0) problem.address_align /= 2;
  return problem;
}

std::string to_string(const TensorArgument& tensor) {
  const std::string shape = tensor.shape.empty() ? "scalar" : fmt::format("{}", fmt::join(tensor.shape, "x"));
  return fmt::format("{}:{}:{}:{}", name_of(tensor.dtype), shape, fmt::join(tensor.strides, ","), tensor.offset);
}

}  // namespace tilejit::tool
