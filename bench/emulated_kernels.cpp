#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <tuple>

#include <tilejit/bench/emulated_data.h>
#include <tilejit/bench/emulated_module.h>
#include <tilejit/bench/emulated_work.h>

namespace tilejit::bench {
namespace {

void expect_near(const char* what, std::int64_t at, double got, double expected) {
  if (std::abs(got - expected) <= 1e-4 * (1 + std::abs(expected))) return;
  throw Error(fmt::format("{}: element {} is {}, expected {}", what, at, got, expected));
}

/// Works of one file of kernels.
class KernelWorks {
 public:
  KernelWorks(const Device& device, const Nvrtc& nvrtc, const std::string& file)
      : data_(std::make_shared<EmulatedData>(device)), module_(std::make_shared<EmulatedModule>(device, nvrtc, file)) {}

  const Tensor& random(DType dtype, std::int64_t count) { return data_->random(dtype, {count}); }
  const Tensor& zeros(DType dtype, std::int64_t count) { return data_->zeros(dtype, {count}); }

  /// Tensors among `args` become their addresses.
  template <class... Args>
  EmulatedWork& add(const char* name, Dim grid, Dim block, const Args&... args) {
    const CUfunction function = module_->function(name);
    const auto launch = [function, grid, block, module = module_, data = data_,
                         values = std::tuple(argument(args)...)]() mutable {
      std::apply(
          [&](auto&... value) {
            std::array<void*, sizeof...(value)> pointers{&value...};
            module->launch(function, grid, block, pointers.data());
          },
          values);
    };
    works_.push_back({name, launch, {}});
    return works_.back();
  }

  std::vector<EmulatedWork> take() { return std::move(works_); }

 private:
  static void* argument(const Tensor& tensor) { return tensor.data(); }
  static int argument(int value) { return value; }
  std::shared_ptr<EmulatedData> data_;
  std::shared_ptr<EmulatedModule> module_;
  std::vector<EmulatedWork> works_;
};

std::vector<EmulatedWork> matmuls(const Device& device, const Nvrtc& nvrtc, const std::string& folder) {
  KernelWorks k(device, nvrtc, folder + "/matmul.cu");
  const auto add = [&k](const char* name, int n, Dim grid, Dim block) {
    const Tensor &a = k.random(f32, std::int64_t(n) * n), &b = k.random(f32, std::int64_t(n) * n),
                 &c = k.zeros(f32, std::int64_t(n) * n);
    k.add(name, grid, block, a, b, c, n).verify = [name, n, &a, &b, &c] {
      const std::vector<float> x = a.to_host<float>(), y = b.to_host<float>(), z = c.to_host<float>();
      for (std::size_t at = 0; at < z.size(); at += 7919) {
        const std::size_t edge = std::size_t(n), row = at / edge, col = at % edge;
        double sum = 0;
        for (std::size_t i = 0; i < edge; ++i) sum += double(x[row * edge + i]) * double(y[i * edge + col]);
        expect_near(name, std::int64_t(at), z[at], sum);
      }
    };
  };
  add("matmul", 1024, {8, 8}, {256});
  add("matmul_16", 256, {16, 16}, {16, 16});
  return k.take();
}

std::vector<EmulatedWork> rows(const Device& device, const Nvrtc& nvrtc, const std::string& folder) {
  KernelWorks k(device, nvrtc, folder + "/rows.cu");
  constexpr int count = 256, n = 4096;
  const Tensor &x = k.random(f32, count * n), &y = k.zeros(f32, count * n);
  k.add("softmax", {count}, {256}, x, y, n).verify = [&y] {
    const std::vector<float> got = y.to_host<float>();
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += got[i];
    expect_near("softmax", 0, sum, 1);
  };
  k.add("layernorm", {count}, {256}, x, y, k.random(f32, n), k.zeros(f32, n), n);
  k.add("rmsnorm_f16", {count}, {256}, k.random(f16, 2 * count * n), k.zeros(f16, 2 * count * n), k.random(f16, 2 * n),
        n);
  const Tensor& sums = k.zeros(f32, 2048);
  k.add("sum_tree", {2048}, {256}, x, sums).verify = [&x, &sums] {
    const std::vector<float> in = x.to_host<float>(), got = sums.to_host<float>();
    for (std::size_t i = 0; i < got.size(); i += 97) {
      double sum = 0;
      for (std::size_t j = 0; j < 256; ++j) sum += in[i * 256 + j];
      expect_near("sum_tree", std::int64_t(i), got[i], sum);
    }
  };
  k.add("scan", {2048}, {256}, k.random(i32, 2048 * 256), k.zeros(i32, 2048 * 256));
  return k.take();
}

std::vector<EmulatedWork> elements(const Device& device, const Nvrtc& nvrtc, const std::string& folder) {
  KernelWorks k(device, nvrtc, folder + "/elements.cu");
  constexpr int many = 1 << 18;
  const Dim grid{many / 256}, block{256};
  const Tensor &words = k.random(i32, many), &out = k.zeros(i32, many), &floats = k.random(f32, many);
  const Tensor &wide = k.random(f64, many), &wide_out = k.zeros(f64, many);
  k.add("polynomial_f16", grid, block, k.random(f16, 2 * many), out);
  k.add("polynomial_bf16", grid, block, k.random(bf16, 2 * many), out);
  k.add("polynomial_f64", grid, block, wide, wide_out);
  k.add("through_fp8", grid, block, wide, wide_out);
  k.add("functions", grid, block, floats, out);
  k.add("hash_u32", grid, block, words, out);
  k.add("hash_u64", grid, block, wide, wide_out);
  k.add("divide", grid, block, words, out, 7);
  k.add("mandelbrot", grid, block, out, 512, 100);
  k.add("histogram", {64}, block, words, k.zeros(i32, 256), 16);
  k.add("scatter_add", grid, block, words, floats, k.zeros(f32, 4096), 4096);
  k.add("gather", grid, block, words, floats, out, many);
  k.add("insertion_sort", {many / 16 / 256}, block, words, out);
  k.add("transpose", {16, 16}, {32, 8}, floats, out, 512);
  return k.take();
}

}  // namespace

std::vector<EmulatedWork> kernel_works(const Device& device, const std::string& folder) {
  const Nvrtc nvrtc(Options::resolve().nvrtc.value_or(""));
  std::vector<EmulatedWork> all;
  for (const auto& part : {matmuls, rows, elements}) {
    for (EmulatedWork& work : part(device, nvrtc, folder)) all.push_back(std::move(work));
  }
  return all;
}

}  // namespace tilejit::bench
