#include <memory>

#include <tilejit/bench/emulated_data.h>
#include <tilejit/bench/emulated_work.h>

namespace tilejit::bench {
namespace {

/// Works on one Jit. Each launches by itself, so that a context needs no stream of the bench's.
class TemplateWorks {
 public:
  explicit TemplateWorks(const Jit& jit) : jit_(jit), data_(std::make_shared<EmulatedData>(jit.device())) {}

  TensorView random(DType dtype, const std::vector<std::int64_t>& shape) { return data_->random(dtype, shape); }
  TensorView zeros(DType dtype, const std::vector<std::int64_t>& shape) { return data_->zeros(dtype, shape); }

  template <class... Args>
  void add(std::string name, const char* kernel, const Args&... args) {
    const auto bound =
        std::make_shared<BoundLaunch>(jit_.function(kernel).with_config({}).bind(StreamRef(nullptr), args...));
    works_.push_back({std::move(name), [bound, data = data_] { (*bound)(nullptr); }, {}});
  }

  std::vector<EmulatedWork> take() { return std::move(works_); }

 private:
  Jit jit_;
  std::shared_ptr<EmulatedData> data_;
  std::vector<EmulatedWork> works_;
};

}  // namespace

std::vector<EmulatedWork> template_works(const Jit& jit) {
  TemplateWorks t(jit);
  constexpr std::int64_t many = 1 << 20;
  const TensorView x = t.random(f32, {1024, 1024}), y = t.zeros(f32, {1024, 1024}), sums = t.zeros(f32, {1024});
  const TensorView v = t.random(f32, {many}), w = t.zeros(f32, {many});
  const TensorView h = t.random(bf16, {many}), g = t.zeros(bf16, {many});
  const TensorView bytes = t.random(u8, {1024, 1024}), turned = t.zeros(u8, {1024, 1024});
  const TensorView halves = t.random(f16, {1024, 1024});
  const TensorView a = t.random(f32, {256, 256}), c = t.zeros(f32, {256, 256});
  const TensorView ab = t.random(bf16, {256, 256}), cb = t.zeros(bf16, {256, 256});

  t.add("global_id i32", "global_id", t.zeros(i32, {many}));
  t.add("vector_add f32", "vector_add", v, v, w);
  t.add("vector_add f32, every third", "vector_add", t.random(f32, {many, 3}).select(1, 0), v, w);
  t.add("vector_add bf16", "vector_add", h, h, g);
  t.add("a launch of one block", "vector_add", v.slice(0, 0, 256), v.slice(0, 0, 256), w.slice(0, 0, 256));
  t.add("copy_2d f32", "copy_2d", x, y);
  t.add("copy_2d f32, transposed view", "copy_2d", x.t(), y);
  t.add("copy_2d u8, transposed view", "copy_2d", bytes.t(), turned);
  t.add("copy_2d_hardcoded f32", "copy_2d_hardcoded", x, y);
  t.add("row_sum f32", "row_sum", x, sums);
  t.add("row_sum f16", "row_sum", halves, sums);
  t.add("column_sum f32", "column_sum", x, sums);
  t.add("kinetic_energy_aos f32", "kinetic_energy_aos", t.random(f32, {many, 7}), w);
  t.add("kinetic_energy_soa f32", "kinetic_energy_soa", v, v, v, v, w);
  t.add("matmul_row f32", "matmul_row", a, a, c);
  t.add("matmul_row bf16", "matmul_row", ab, ab, cb);
  t.add("count_differences f32", "count_differences", v, w, t.zeros(i64, {1}), 0.0, 0.0);
  return t.take();
}

}  // namespace tilejit::bench
