#include <tilejit/tools/reference/kernels.h>

namespace tilejit::tool::reference {

void copy_2d(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  for (std::int64_t m = 0; m < y.size(0); ++m)
    for (std::int64_t n = 0; n < y.size(1); ++n) convert_element(x.dtype, x.at({m, n}), y.dtype, y.at({m, n}));
}

void cast_2d(Tensors tensors, Scalars scalars) { copy_2d(tensors, scalars); }

void copy_3d(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  for (std::int64_t b = 0; b < y.size(0); ++b)
    for (std::int64_t m = 0; m < y.size(1); ++m)
      for (std::int64_t n = 0; n < y.size(2); ++n) convert_element(x.dtype, x.at({b, m, n}), y.dtype, y.at({b, m, n}));
}

void copy_pair(Tensors tensors, Scalars scalars) {
  copy_2d(tensors.subspan(0, 2), scalars);
  copy_2d(tensors.subspan(2, 2), scalars);
}

void gather_rows(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &index = tensors[1], &y = tensors[2];
  for (std::int64_t m = 0; m < y.size(0); ++m) {
    const std::int64_t row = index.integer({m});
    for (std::int64_t n = 0; n < y.size(1); ++n) {
      if (row >= 0 && row < x.size(0))
        convert_element(x.dtype, x.at({row, n}), y.dtype, y.at({m, n}));
      else
        y.put({m, n}, std::int64_t{0});
    }
  }
}

void copy_2d_hardcoded(Tensors tensors, Scalars scalars) { copy_2d(tensors, scalars); }

void global_id(Tensors tensors, Scalars) {
  const HostTensor& ids = tensors[0];
  for (std::int64_t i = 0; i < ids.size(0); ++i) ids.put({i}, i);
}

}  // namespace tilejit::tool::reference
