// CUB's sums for the bandwidth table, behind a C interface that tilejit_bench opens at run time. Built where nvcc is found.
// Each returns a cudaError_t's value; with `workspace` null it only says how many bytes CUB wants in *bytes.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/std/functional>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace {

struct RowStart {
  long long columns;
  __host__ __device__ long long operator()(long long row) const { return row * columns; }
};

template <class T>
int row_sums(const T* x, float* y, long long rows, long long columns, void* workspace, size_t* bytes, cudaStream_t stream) {
  const auto starts = thrust::make_transform_iterator(thrust::make_counting_iterator(0LL), RowStart{columns});
  return cub::DeviceSegmentedReduce::Reduce(workspace, *bytes, x, y, rows, starts, starts + 1, cuda::std::plus<float>{}, 0.0f,
                                            stream);
}

template <class T>
int whole_sum(const T* x, float* y, long long count, void* workspace, size_t* bytes, cudaStream_t stream) {
  return cub::DeviceReduce::Reduce(workspace, *bytes, x, y, count, cuda::std::plus<float>{}, 0.0f, stream);
}

}  // namespace

extern "C" int tilejit_cub_row_sums(int bf16, const void* x, float* y, long long rows, long long columns, void* workspace,
                                    size_t* bytes, cudaStream_t stream) {
  return bf16 ? row_sums(static_cast<const __nv_bfloat16*>(x), y, rows, columns, workspace, bytes, stream)
              : row_sums(static_cast<const float*>(x), y, rows, columns, workspace, bytes, stream);
}

extern "C" int tilejit_cub_sum(int bf16, const void* x, float* y, long long count, void* workspace, size_t* bytes,
                               cudaStream_t stream) {
  return bf16 ? whole_sum(static_cast<const __nv_bfloat16*>(x), y, count, workspace, bytes, stream)
              : whole_sum(static_cast<const float*>(x), y, count, workspace, bytes, stream);
}
