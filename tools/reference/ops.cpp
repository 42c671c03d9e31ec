#include <tilejit/tools/reference/ops.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <tilejit/tools/reference/matmul.h>

namespace tilejit::tool {
namespace {

using Tensors = std::span<const HostTensor>;
using Scalars = std::span<const double>;
using Index = std::vector<std::int64_t>;

/// f(index) for each element of `shape`, in row-major order.
template <class F>
void for_each(const std::vector<std::int64_t>& shape, F f) {
  for (const std::int64_t extent : shape)
    if (extent == 0) return;
  Index index(shape.size(), 0);
  for (;;) {
    f(index);
    std::size_t axis = index.size();
    while (axis > 0 && ++index[axis - 1] == shape[axis - 1]) index[--axis] = 0;
    if (axis == 0) return;
  }
}

std::byte* at(const HostTensor& tensor, const Index& index) {
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) offset += index[axis] * tensor.strides[axis];
  return tensor.data + offset * std::int64_t(size_of(tensor.dtype));
}
double number(const HostTensor& tensor, const Index& index) { return double_at(tensor.dtype, at(tensor, index)); }

/// f(elements of x that fall on y's element, in order; y's element).
template <class F>
void reduce(const HostTensor& x, const HostTensor& y, F f) {
  for_each(y.shape, [&](const Index& kept) {
    std::vector<std::int64_t> shape = x.shape;
    for (std::size_t axis = 0; axis < y.shape.size(); ++axis)
      if (y.shape[axis] == x.shape[axis]) shape[axis] = 1;
    std::vector<const std::byte*> elements;
    for_each(shape, [&](const Index& inner) {
      Index index = inner;
      for (std::size_t axis = 0; axis < y.shape.size(); ++axis)
        if (y.shape[axis] == x.shape[axis]) index[axis] = kept[axis];
      elements.push_back(at(x, index));
    });
    f(elements, at(y, kept));
  });
}

void sum(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  reduce(x, y, [&](const std::vector<const std::byte*>& elements, std::byte* to) {
    double real = 0;
    std::uint64_t whole = 0;
    for (const std::byte* element : elements) {
      real += double_at(x.dtype, element);
      whole += std::uint64_t(integer_at(x.dtype, element));
    }
    if (is_floating(x.dtype))
      put_double(y.dtype, to, real);
    else
      put_integer(y.dtype, to, std::int64_t(whole));
  });
}

void mean(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  reduce(x, y, [&](const std::vector<const std::byte*>& elements, std::byte* to) {
    double total = 0;
    for (const std::byte* element : elements) total += double_at(x.dtype, element);
    put_double(y.dtype, to, total / double(elements.size()));
  });
}

void norm(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  reduce(x, y, [&](const std::vector<const std::byte*>& elements, std::byte* to) {
    double total = 0;
    for (const std::byte* element : elements) total += std::pow(double_at(x.dtype, element), 2);
    put_double(y.dtype, to, std::sqrt(total));
  });
}

/// Where the greatest is, the first of equals; a NaN is greatest.
std::size_t greatest(DType dtype, const std::vector<const std::byte*>& elements) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < elements.size(); ++i) {
    const double a = double_at(dtype, elements[i]), b = double_at(dtype, elements[best]);
    if (is_floating(dtype) ? a > b || (std::isnan(a) && !std::isnan(b))
                           : integer_at(dtype, elements[i]) > integer_at(dtype, elements[best]))
      best = i;
  }
  return best;
}

void max(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  reduce(x, y, [&](const std::vector<const std::byte*>& elements, std::byte* to) {
    convert_element(x.dtype, elements[greatest(x.dtype, elements)], y.dtype, to);
  });
}

void min(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  reduce(x, y, [&](const std::vector<const std::byte*>& elements, std::byte* to) {
    const std::byte* least = elements[0];
    for (const std::byte* element : elements) {
      const double a = double_at(x.dtype, element), b = double_at(x.dtype, least);
      if (is_floating(x.dtype) ? a < b || (std::isnan(a) && !std::isnan(b))
                               : integer_at(x.dtype, element) < integer_at(x.dtype, least))
        least = element;
    }
    convert_element(x.dtype, least, y.dtype, to);
  });
}

void argmax(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  reduce(x, y, [&](const std::vector<const std::byte*>& elements, std::byte* to) {
    put_integer(y.dtype, to, std::int64_t(greatest(x.dtype, elements)));
  });
}

/// f(index of a row's first element) for each row along the last axis.
template <class F>
void for_each_row(const HostTensor& x, F f) {
  std::vector<std::int64_t> rows = x.shape;
  if (rows.back() == 0) return;
  rows.back() = 1;
  for_each(rows, f);
}

void softmax_or_log(Tensors tensors, bool logarithm) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  for_each_row(x, [&](Index index) {
    double most = -std::numeric_limits<double>::infinity(), total = 0;
    std::int64_t& n = index.back();
    for (n = 0; n < x.shape.back(); ++n) most = std::fmax(most, number(x, index));
    for (n = 0; n < x.shape.back(); ++n) total += std::exp(number(x, index) - most);
    for (n = 0; n < x.shape.back(); ++n) {
      const double shifted = number(x, index) - most;
      put_double(y.dtype, at(y, index), logarithm ? shifted - std::log(total) : std::exp(shifted) / total);
    }
  });
}
void softmax(Tensors tensors, Scalars) { softmax_or_log(tensors, false); }
void log_softmax(Tensors tensors, Scalars) { softmax_or_log(tensors, true); }

void normalize(const HostTensor& x, const HostTensor& y, const HostTensor* weight, const HostTensor* bias,
               const HostTensor* residual, const HostTensor* total, double epsilon, bool centred) {
  for_each_row(x, [&](Index index) {
    std::vector<double> row;
    for (index.back() = 0; index.back() < x.shape.back(); ++index.back()) {
      row.push_back(number(x, index) + (residual->data != nullptr ? number(*residual, index) : 0));
      if (total->data != nullptr) put_double(total->dtype, at(*total, index), row.back());
    }
    double mean = 0, squares = 0;
    for (const double value : row) mean += centred ? value / double(row.size()) : 0;
    for (const double value : row) squares += (value - mean) * (value - mean) / double(row.size());
    for (index.back() = 0; index.back() < x.shape.back(); ++index.back()) {
      const std::int64_t n = index.back();
      double value = (row[std::size_t(n)] - mean) / std::sqrt(squares + epsilon);
      if (weight->data != nullptr) value *= number(*weight, {n});
      if (bias != nullptr && bias->data != nullptr) value += number(*bias, {n});
      put_double(y.dtype, at(y, index), value);
    }
  });
}
void layernorm(Tensors t, Scalars scalars) { normalize(t[0], t[1], &t[2], &t[3], &t[4], &t[5], scalars[0], true); }
void rmsnorm(Tensors t, Scalars scalars) { normalize(t[0], t[1], &t[2], nullptr, &t[3], &t[4], scalars[0], false); }

void cumsum(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  for_each_row(x, [&](Index index) {
    double real = 0;
    std::uint64_t whole = 0;
    for (index.back() = 0; index.back() < x.shape.back(); ++index.back()) {
      real += number(x, index);
      whole += std::uint64_t(integer_at(x.dtype, at(x, index)));
      if (is_floating(x.dtype))
        put_double(y.dtype, at(y, index), real);
      else
        put_integer(y.dtype, at(y, index), std::int64_t(whole));
    }
  });
}

void gather(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &index = tensors[1], &y = tensors[2];
  const auto axes = std::ptrdiff_t(index.shape.size());
  for_each(y.shape, [&](const Index& to) {
    Index from(to.begin() + axes - 1 + (axes == 0 ? 1 : 0), to.end());
    if (axes == 0) from.insert(from.begin(), 0);
    from[0] = integer_at(index.dtype, at(index, Index(to.begin(), to.begin() + axes)));
    if (from[0] >= 0 && from[0] < x.shape[0]) {
      convert_element(x.dtype, at(x, from), y.dtype, at(y, to));
    } else {
      put_integer(y.dtype, at(y, to), 0);
    }
  });
}

void product(Tensors tensors, Scalars scalars) {
  matmul(tensors[0], tensors[1], tensors[2], tensors[3], tensors[2], tensors[4],
         {scalars[0], scalars[1], int(scalars[2])});
}

struct Row {
  std::string_view name;
  Reference reference;
};
constexpr std::array rows{Row{"argmax", argmax},
                          Row{"cumsum", cumsum},
                          Row{"gather", gather},
                          Row{"layernorm", layernorm},
                          Row{"log_softmax", log_softmax},
                          Row{"matmul", product},
                          Row{"max", max},
                          Row{"mean", mean},
                          Row{"min", min},
                          Row{"norm", norm},
                          Row{"rmsnorm", rmsnorm},
                          Row{"softmax", softmax},
                          Row{"sum", sum}};

}  // namespace

Reference op_reference_for(std::string_view op) {
  for (const Row& row : rows)
    if (row.name == op) return row.reference;
  return nullptr;
}

}  // namespace tilejit::tool
