#include <cmath>
#include <limits>

#include <tilejit/tools/reference/kernels.h>

namespace tilejit::tool::reference {
namespace {

/// Columns [begin, end) of x that belong to segment s of y; `first` is begin where there are so many.
struct Segment {
  std::int64_t begin, end, first;
};
Segment segment_of(const HostTensor& x, const HostTensor& y, std::int64_t s) {
  const std::int64_t size = x.size(1), count = y.size(1), step = ((size + count - 1) / count + 31) / 32 * 32;
  return {std::min(size, s * step), std::min(size, (s + 1) * step), s * step};
}

template <class F>
void for_each_segment(const HostTensor& x, const HostTensor& y, F f) {
  for (std::int64_t m = 0; m < y.size(0); ++m)
    for (std::int64_t s = 0; s < y.size(1); ++s) f(m, s, segment_of(x, y, s));
}

struct Sum {
  double number = 0;
  std::uint64_t integer = 0;
};
Sum sum_of(const HostTensor& x, std::int64_t m, Segment segment) {
  Sum sum;
  for (std::int64_t n = segment.begin; n < segment.end; ++n) {
    if (is_floating(x.dtype))
      sum.number += x.number({m, n});
    else
      sum.integer += static_cast<std::uint64_t>(x.integer({m, n}));
  }
  return sum;
}

/// The lowest value of a dtype, or the highest: what stands for no element.
struct Extreme {
  Extreme(DType dtype, bool highest) {
    const double sign = highest ? 1 : -1;
    if (dtype == DType::f8e4m3)
      put_double(dtype, element, sign * 448);
    else if (dtype == DType::f8e5m2)
      element[0] = highest ? std::byte{0x7c} : std::byte{0xfc};
    else if (dtype == DType::boolean)
      put_integer(dtype, element, highest ? 1 : 0);
    else
      put_double(dtype, element, sign * std::numeric_limits<double>::infinity());  // integers saturate
  }
  std::byte element[8]{};
};

/// Whether element a of x is greater than b: a NaN is greater than all else.
bool greater(const HostTensor& x, const std::byte* a, const std::byte* b) {
  if (!is_floating(x.dtype)) return integer_at(x.dtype, a) > integer_at(x.dtype, b);
  const double p = double_at(x.dtype, a), q = double_at(x.dtype, b);
  return p > q || (std::isnan(p) && !std::isnan(q));
}
/// Whether element a of x is less than b: a NaN is less than all else.
bool less(const HostTensor& x, const std::byte* a, const std::byte* b) {
  if (!is_floating(x.dtype)) return integer_at(x.dtype, a) < integer_at(x.dtype, b);
  const double p = double_at(x.dtype, a), q = double_at(x.dtype, b);
  return p < q || (std::isnan(p) && !std::isnan(q));
}
/// The first of a segment's greatest; -1: it is empty.
std::int64_t greatest(const HostTensor& x, std::int64_t m, Segment segment) {
  std::int64_t best = segment.begin < segment.end ? segment.begin : -1;
  for (std::int64_t n = segment.begin; n < segment.end; ++n)
    if (greater(x, x.at({m, n}), x.at({m, best}))) best = n;
  return best;
}

}  // namespace

void split_sum(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  for_each_segment(x, y, [&](std::int64_t m, std::int64_t s, Segment segment) {
    const Sum sum = sum_of(x, m, segment);
    if (is_floating(x.dtype))
      y.put({m, s}, sum.number);
    else
      y.put({m, s}, static_cast<std::int64_t>(sum.integer));
  });
}

void split_mean(Tensors tensors, Scalars scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  const double count = scalars.empty() || scalars[0] == 0 ? double(x.size(1)) : scalars[0];
  for_each_segment(x, y, [&](std::int64_t m, std::int64_t s, Segment segment) {
    const Sum sum = sum_of(x, m, segment);
    y.put({m, s}, (is_floating(x.dtype) ? sum.number : double(static_cast<std::int64_t>(sum.integer))) / count);
  });
}

void split_norm(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  for_each_segment(x, y, [&](std::int64_t m, std::int64_t s, Segment segment) {
    double squares = 0;
    for (std::int64_t n = segment.begin; n < segment.end; ++n) squares += x.number({m, n}) * x.number({m, n});
    y.put({m, s}, std::sqrt(squares));
  });
}

/// As a kernel stores what it had promoted: a float is rounded, and saturated, anew.
void store_promoted(DType from, const std::byte* element, DType to, std::byte* at) {
  if (is_floating(from) && is_floating(to)) {
    put_double(to, at, double_at(from, element));
  } else {
    convert_element(from, element, to, at);
  }
}

/// An empty segment has x's lowest value, at the index at which it begins.
void split_max(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  for_each_segment(x, y, [&](std::int64_t m, std::int64_t s, Segment segment) {
    const std::int64_t best = greatest(x, m, segment);
    const Extreme lowest(x.dtype, false);
    store_promoted(x.dtype, best < 0 ? lowest.element : x.at({m, best}), y.dtype, y.at({m, s}));
  });
}

/// An empty segment has x's highest value.
void split_min(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  for_each_segment(x, y, [&](std::int64_t m, std::int64_t s, Segment segment) {
    const Extreme highest(x.dtype, true);
    const std::byte* least = segment.begin < segment.end ? x.at({m, segment.begin}) : highest.element;
    for (std::int64_t n = segment.begin; n < segment.end; ++n)
      if (less(x, x.at({m, n}), least)) least = x.at({m, n});
    store_promoted(x.dtype, least, y.dtype, y.at({m, s}));
  });
}

void split_argmax(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1], &value = tensors[2];
  for_each_segment(x, y, [&](std::int64_t m, std::int64_t s, Segment segment) {
    const std::int64_t best = greatest(x, m, segment);
    const Extreme lowest(x.dtype, false);
    y.put({m, s}, best < 0 ? segment.first : best);
    if (value.data != nullptr)
      store_promoted(x.dtype, best < 0 ? lowest.element : x.at({m, best}), value.dtype, value.at({m, s}));
  });
}

void join_argmax(Tensors tensors, Scalars) {
  const HostTensor &value = tensors[0], &index = tensors[1], &y = tensors[2];
  for (std::int64_t m = 0; m < y.size(0); ++m) {
    std::int64_t best = 0;
    for (std::int64_t s = 1; s < value.size(1); ++s) {
      const std::byte *a = value.at({m, s}), *b = value.at({m, best});
      const bool equal = !greater(value, a, b) && !greater(value, b, a);
      if (greater(value, a, b) || (equal && index.integer({m, s}) < index.integer({m, best}))) best = s;
    }
    y.put({m}, index.integer({m, best}));
  }
}

}  // namespace tilejit::tool::reference
