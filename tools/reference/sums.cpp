#include <tilejit/tools/reference/kernels.h>

namespace tilejit::tool::reference {
namespace {

/// y[kept] = the sum over the other axis of x.
void sum_along(int axis, const HostTensor& x, const HostTensor& y) {
  for (std::int64_t kept = 0; kept < y.size(0); ++kept) {
    double number = 0;
    std::uint64_t integer = 0;
    for (std::int64_t summed = 0; summed < x.size(axis); ++summed) {
      const std::byte* element = axis == 0 ? x.at({summed, kept}) : x.at({kept, summed});
      if (is_floating(x.dtype))
        number += double_at(x.dtype, element);
      else
        integer += static_cast<std::uint64_t>(integer_at(x.dtype, element));
    }
    if (is_floating(x.dtype))
      y.put({kept}, number);
    else
      y.put({kept}, static_cast<std::int64_t>(integer));
  }
}

}  // namespace

void row_sum(Tensors tensors, Scalars) { sum_along(1, tensors[0], tensors[1]); }

void column_sum(Tensors tensors, Scalars) { sum_along(0, tensors[0], tensors[1]); }

}  // namespace tilejit::tool::reference
