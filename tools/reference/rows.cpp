#include <cmath>
#include <limits>

#include <tilejit/tools/reference/kernels.h>

namespace tilejit::tool::reference {
namespace {

struct Row {
  double greatest = -std::numeric_limits<double>::infinity(), sum = 0;
};
Row row_of(const HostTensor& x, std::int64_t m) {
  Row row;
  for (std::int64_t n = 0; n < x.size(1); ++n) {
    const double value = x.number({m, n});
    if (value > row.greatest || std::isnan(value)) row.greatest = value;
    if (std::isnan(value)) break;
  }
  for (std::int64_t n = 0; n < x.size(1); ++n) row.sum += std::exp(x.number({m, n}) - row.greatest);
  return row;
}

/// x and the residual, where there is one; `total` gets it.
std::vector<double> summed_row(const HostTensor& x, const HostTensor& residual, const HostTensor& total,
                               std::int64_t m) {
  std::vector<double> row;
  for (std::int64_t n = 0; n < x.size(1); ++n) {
    row.push_back(x.number({m, n}) + (residual.data != nullptr ? residual.number({m, n}) : 0));
    if (total.data != nullptr) total.put({m, n}, row.back());
  }
  return row;
}

double epsilon_of(Scalars scalars) { return scalars.empty() ? double(1e-5f) : scalars[0]; }

}  // namespace

void softmax(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  for (std::int64_t m = 0; m < x.size(0); ++m) {
    const Row row = row_of(x, m);
    for (std::int64_t n = 0; n < x.size(1); ++n) y.put({m, n}, std::exp(x.number({m, n}) - row.greatest) / row.sum);
  }
}
void softmax_online(Tensors tensors, Scalars scalars) { softmax(tensors, scalars); }

void log_softmax(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  for (std::int64_t m = 0; m < x.size(0); ++m) {
    const Row row = row_of(x, m);
    for (std::int64_t n = 0; n < x.size(1); ++n) y.put({m, n}, x.number({m, n}) - row.greatest - std::log(row.sum));
  }
}
void log_softmax_online(Tensors tensors, Scalars scalars) { log_softmax(tensors, scalars); }

void layernorm(Tensors tensors, Scalars scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1], &weight = tensors[2], &bias = tensors[3];
  for (std::int64_t m = 0; m < x.size(0); ++m) {
    const std::vector<double> row = summed_row(x, tensors[4], tensors[5], m);
    double mean = 0, variance = 0;
    for (const double value : row) mean += value / double(row.size());
    for (const double value : row) variance += (value - mean) * (value - mean) / double(row.size());
    for (std::int64_t n = 0; n < x.size(1); ++n) {
      double z = (row[std::size_t(n)] - mean) / std::sqrt(variance + epsilon_of(scalars));
      if (weight.data != nullptr) z *= weight.number({n});
      if (bias.data != nullptr) z += bias.number({n});
      y.put({m, n}, z);
    }
  }
}
void layernorm_long(Tensors tensors, Scalars scalars) { layernorm(tensors, scalars); }

void rmsnorm(Tensors tensors, Scalars scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1], &weight = tensors[2];
  for (std::int64_t m = 0; m < x.size(0); ++m) {
    const std::vector<double> row = summed_row(x, tensors[3], tensors[4], m);
    double squares = 0;
    for (const double value : row) squares += value * value / double(row.size());
    for (std::int64_t n = 0; n < x.size(1); ++n) {
      const double z = row[std::size_t(n)] / std::sqrt(squares + epsilon_of(scalars));
      y.put({m, n}, weight.data != nullptr ? z * weight.number({n}) : z);
    }
  }
}
void rmsnorm_long(Tensors tensors, Scalars scalars) { rmsnorm(tensors, scalars); }

void row_cumsum(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  for (std::int64_t m = 0; m < x.size(0); ++m) {
    double number = 0;
    std::uint64_t integer = 0;
    for (std::int64_t n = 0; n < x.size(1); ++n) {
      if (is_floating(x.dtype)) {
        y.put({m, n}, number += x.number({m, n}));
      } else {
        integer += static_cast<std::uint64_t>(x.integer({m, n}));
        y.put({m, n}, static_cast<std::int64_t>(integer));
      }
    }
  }
}

}  // namespace tilejit::tool::reference
