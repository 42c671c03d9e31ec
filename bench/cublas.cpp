#include <tilejit/bench/cublas.h>

#include <cuda.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace tilejit::bench {
namespace {

// The libraries' own binary interface, as far as it is used here; no header of theirs is needed to build.
constexpr int op_n = 0, op_t = 1, compute_f32 = 68, default_algorithm = -1;
constexpr int attribute_trans_a = 3, attribute_trans_b = 4, preference_workspace = 1;
constexpr std::size_t workspace_bytes = std::size_t{32} << 20;

struct Algorithm {
  std::array<std::uint64_t, 8> data;
};
struct Heuristic {
  Algorithm algorithm;
  std::size_t workspace;
  int state;
  float waves;
  std::array<int, 4> reserved;
};
using Handle = void*;

#define TILEJIT_CUBLAS(X)                                                                                      \
  X(cublasCreate_v2, (Handle*))                                                                                \
  X(cublasDestroy_v2, (Handle))                                                                                \
  X(cublasSetStream_v2, (Handle, CUstream))                                                                    \
  X(cublasSetWorkspace_v2, (Handle, void*, std::size_t))                                                       \
  X(cublasGemmEx, (Handle, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int, \
                   const void*, void*, int, int, int, int))
#define TILEJIT_CUBLAS_LT(X)                                                                                          \
  X(cublasLtCreate, (Handle*))                                                                                        \
  X(cublasLtDestroy, (Handle))                                                                                        \
  X(cublasLtMatmulDescCreate, (Handle*, int, int))                                                                    \
  X(cublasLtMatmulDescSetAttribute, (Handle, int, const void*, std::size_t))                                          \
  X(cublasLtMatmulDescDestroy, (Handle))                                                                              \
  X(cublasLtMatrixLayoutCreate, (Handle*, int, std::uint64_t, std::uint64_t, std::int64_t))                           \
  X(cublasLtMatrixLayoutDestroy, (Handle))                                                                            \
  X(cublasLtMatmulPreferenceCreate, (Handle*))                                                                        \
  X(cublasLtMatmulPreferenceSetAttribute, (Handle, int, const void*, std::size_t))                                    \
  X(cublasLtMatmulPreferenceDestroy, (Handle))                                                                        \
  X(cublasLtMatmulAlgoGetHeuristic, (Handle, Handle, Handle, Handle, Handle, Handle, Handle, int, Heuristic*, int*))  \
  X(cublasLtMatmul, (Handle, Handle, const void*, const void*, Handle, const void*, Handle, const void*, const void*, \
                     Handle, void*, Handle, const Algorithm*, void*, std::size_t, CUstream))

void check(int status, const char* call) {
  if (status != 0) throw Error(fmt::format("{}: status {}", call, status));
}

int type_of(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return 0;
    case DType::f16:
      return 2;
    case DType::bf16:
      return 14;
    default:
      throw InvalidArgument(fmt::format("cuBLAS is asked for f32, f16 and bf16 here, not {}", name_of(dtype)));
  }
}

/// A row-major view as the column-major matrix that cuBLAS sees: its transpose.
struct Operand {
  int op, type;
  std::int64_t rows, columns, leading;
  const void* data;
};

Operand operand(const TensorView& x) {
  const bool contiguous_rows = x.strides()[1] == 1;
  if (!contiguous_rows && x.strides()[0] != 1)
    throw InvalidArgument("cuBLAS takes no operand without a unit stride: " + x.to_string());
  return {contiguous_rows ? op_n : op_t,        type_of(x.dtype()),
          x.shape()[contiguous_rows ? 1 : 0],   x.shape()[contiguous_rows ? 0 : 1],
          x.strides()[contiguous_rows ? 0 : 1], x.data()};
}

using Owner = std::unique_ptr<void, int (*)(Handle)>;

}  // namespace

struct Cublas::Impl {
#define TILEJIT_ENTRY(NAME, SIGNATURE) int(*NAME) SIGNATURE = nullptr;
  TILEJIT_CUBLAS(TILEJIT_ENTRY)
  TILEJIT_CUBLAS_LT(TILEJIT_ENTRY)
#undef TILEJIT_ENTRY
  Tensor workspace;
  CUstream stream = nullptr;
  Handle blas = nullptr, lt = nullptr;
  explicit Impl(Tensor memory) : workspace(std::move(memory)) {}
};

Cublas::Cublas(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Cublas::~Cublas() {
  if (impl_->blas != nullptr) impl_->cublasDestroy_v2(impl_->blas);
  if (impl_->lt != nullptr) impl_->cublasLtDestroy(impl_->lt);
}

std::unique_ptr<Cublas> Cublas::open(const Device& device, StreamRef stream, std::string& why) {
  const auto library = [&](const char* name) {
    for (const std::string& place : {std::string(name), fmt::format("/usr/local/cuda/lib64/{}", name)})
      if (void* found = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) return found;
    why = fmt::format("{} not found: {}", name, dlerror());
    return static_cast<void*>(nullptr);
  };
  void* const blas = library("libcublas.so.13");
  void* const lt = blas == nullptr ? nullptr : library("libcublasLt.so.13");
  if (lt == nullptr) return nullptr;
  auto impl = std::make_unique<Impl>(device.empty(u8, {std::int64_t(workspace_bytes)}));
  const auto symbol = [&](void* from, const char* name, auto& entry) {
    entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(dlsym(from, name));
    if (entry == nullptr) why = fmt::format("cuBLAS has no {}", name);
  };
#define TILEJIT_ENTRY(NAME, SIGNATURE) symbol(blas, #NAME, impl->NAME);
  TILEJIT_CUBLAS(TILEJIT_ENTRY)
#undef TILEJIT_ENTRY
#define TILEJIT_ENTRY(NAME, SIGNATURE) symbol(lt, #NAME, impl->NAME);
  TILEJIT_CUBLAS_LT(TILEJIT_ENTRY)
#undef TILEJIT_ENTRY
  if (!why.empty()) return nullptr;
  impl->stream = stream.handle();
  check(impl->cublasCreate_v2(&impl->blas), "cublasCreate");
  check(impl->cublasLtCreate(&impl->lt), "cublasLtCreate");
  check(impl->cublasSetStream_v2(impl->blas, impl->stream), "cublasSetStream");
  check(impl->cublasSetWorkspace_v2(impl->blas, impl->workspace.data(), workspace_bytes), "cublasSetWorkspace");
  return std::unique_ptr<Cublas>(new Cublas(std::move(impl)));
}

std::vector<Cublas::Way> Cublas::ways(const TensorView& a, const TensorView& b, const TensorView& c) const {
  const Impl& x = *impl_;
  // Row-major c = a b is column-major c' = b' a'.
  const Operand left = operand(b), right = operand(a), result = operand(c);
  const int m = int(c.shape()[1]), n = int(c.shape()[0]), k = int(a.shape()[1]);
  static constexpr float one = 1, zero = 0;
  void* const out = c.data();
  std::vector<Way> ways;
  ways.push_back({"cublasGemmEx", [&x, left, right, result, m, n, k, out] {
                    check(x.cublasGemmEx(x.blas, left.op, right.op, m, n, k, &one, left.data, left.type,
                                         int(left.leading), right.data, right.type, int(right.leading), &zero, out,
                                         result.type, int(result.leading), compute_f32, default_algorithm),
                          "cublasGemmEx");
                  }});

  Handle product = nullptr, preference = nullptr;
  check(x.cublasLtMatmulDescCreate(&product, compute_f32, 0), "cublasLtMatmulDescCreate");
  const std::shared_ptr<void> owned_product(product, x.cublasLtMatmulDescDestroy);
  check(x.cublasLtMatmulDescSetAttribute(product, attribute_trans_a, &left.op, sizeof left.op), "transa");
  check(x.cublasLtMatmulDescSetAttribute(product, attribute_trans_b, &right.op, sizeof right.op), "transb");
  const auto layout = [&](const Operand& operand) {
    Handle made = nullptr;
    check(x.cublasLtMatrixLayoutCreate(&made, operand.type, std::uint64_t(operand.rows), std::uint64_t(operand.columns),
                                       operand.leading),
          "cublasLtMatrixLayoutCreate");
    return std::shared_ptr<void>(made, x.cublasLtMatrixLayoutDestroy);
  };
  const std::shared_ptr<void> first = layout(left), second = layout(right), third = layout(result);
  check(x.cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
  const Owner owned_preference(preference, x.cublasLtMatmulPreferenceDestroy);
  check(x.cublasLtMatmulPreferenceSetAttribute(preference, preference_workspace, &workspace_bytes,
                                               sizeof workspace_bytes),
        "cublasLtMatmulPreferenceSetAttribute");
  std::array<Heuristic, 8> found{};
  int count = 0;
  if (x.cublasLtMatmulAlgoGetHeuristic(x.lt, product, first.get(), second.get(), third.get(), third.get(), preference,
                                       int(found.size()), found.data(), &count) != 0) {
    return ways;  // nothing proposed: GemmEx stands alone
  }
  for (int i = 0; i < count; ++i) {
    if (found[std::size_t(i)].state != 0) continue;
    const Algorithm algorithm = found[std::size_t(i)].algorithm;
    const auto status = [&x, owned_product, first, second, third, left, right, out, algorithm] {
      return x.cublasLtMatmul(x.lt, owned_product.get(), &one, left.data, first.get(), right.data, second.get(), &zero,
                              out, third.get(), out, third.get(), &algorithm, x.workspace.data(), workspace_bytes,
                              x.stream);
    };
    if (status() != 0) continue;  // proposed for the layout, and not for where the operands lie
    ways.push_back({fmt::format("cublasLt {}", i), [status] { check(status(), "cublasLtMatmul"); }});
  }
  return ways;
}

}  // namespace tilejit::bench
