#include <fmt/format.h>

#include <cmath>
#include <limits>

#include <tilejit/bench/contest.h>
#include <tilejit/bench/cublas.h>
#include <tilejit/bench/matmul_operands.h>
#include <tilejit/bench/samples.h>
#include <tilejit/bench/works.h>
#include <tilejit/runtime/device_state.h>
#include <tilejit/runtime/matmul_options.h>
#include <tilejit/tools/output.h>
#include <tilejit/tools/reference/element.h>

namespace tilejit::bench {
namespace {

constexpr int samples = 2000;

class Products {
 public:
  Products(const Jit& jit, const Cublas& cublas, const Stream& stream, int rounds)
      : jit_(jit), device_(jit.device()), cublas_(cublas), stream_(stream), rounds_(rounds) {}

  Row row(const MatmulShape& shape) {
    const Operand a = operand(device_, shape, true), b = operand(device_, shape, false);
    const Tensor ours = device_.empty(shape.dtype, {shape.m, shape.n}),
                 theirs = device_.empty(shape.dtype, {shape.m, shape.n});
    ours.fill_bytes(0xff, stream_);
    const BoundLaunch product = jit_.function("matmul").bind(stream_, a.view, b.view, ours);
    const Tensor workspace = device_.empty(u8, {std::max<std::int64_t>(std::int64_t(product.workspace_bytes()), 1)});
    const auto run = [&] { product(stream_, workspace); };

    // What cuBLAS does not take it gets copied, as its callers do.
    const bool copies = shape.special == MatmulShape::Special::stepped;
    const Operand copied_a = copies ? dense(a.view) : Operand{device_.empty(u8, {1}), a.view};
    const Operand copied_b = copies ? dense(b.view) : Operand{device_.empty(u8, {1}), b.view};
    const std::vector<Cublas::Way> ways = cublas_.ways(copied_a.view, copied_b.view, theirs);
    std::vector<std::function<void()>> runs;
    for (const Cublas::Way& way : ways) runs.push_back(copies ? after_copies(a, b, copied_a, copied_b, way) : way.run);
    const std::size_t fastest = fastest_of(runs);

    run();
    runs[fastest]();
    stream_.synchronize();
    each_sample(ours.view().shape(), samples, [&](std::span<const std::int64_t> at) {
      const double mine = number_at(device_, ours, at), other = number_at(device_, theirs, at);
      const double allowed = shape.dtype == f32 ? 1e-4 : 1e-2;
      if (!(std::abs(mine - other) <= allowed * (std::abs(other) + std::sqrt(double(shape.k)) / 3)))
        throw Error(
            fmt::format("{}: element ({}) is {}, cuBLAS has {}", shape.name(), fmt::join(at, ", "), mine, other));
    });

    Contest contest;
    contest.work = shape.name();
    contest.config = to_string(product.config());
    contest.peer = (copies ? "copies and " : "") + ways[fastest].name;
    contest.unit = "TFLOP/s";
    contest.unit_size = 1e12;
    contest.amount = contest.their_amount = 2.0 * double(shape.m) * double(shape.n) * double(shape.k);
    contest.bound = shape.bound;
    contest.ours = run;
    contest.theirs = runs[fastest];
    return settle(contest, device_, stream_, rounds_);
  }

  /// With a bias row and gelu, beside our own product without them.
  Row epilogue_row(std::int64_t edge) {
    const Tensor a = random_tensor(device_, bf16, {edge, edge}, 1), b = random_tensor(device_, bf16, {edge, edge}, 2),
                 bias = random_tensor(device_, bf16, {edge}, 3), c = device_.empty(bf16, {edge, edge}),
                 plain = device_.empty(bf16, {edge, edge});
    const JitFunction matmul = jit_.function("matmul");
    const BoundLaunch product = matmul.bind(stream_, a, b, plain);
    const BoundLaunch finished = matmul.bind(stream_, a, b, c, bias, nullptr, 1.0, 0.0, Activation::gelu);
    product(stream_);
    finished(stream_);
    stream_.synchronize();
    each_sample(c.view().shape(), samples, [&](std::span<const std::int64_t> at) {
      const double x = number_at(device_, plain, at) + number_at(device_, bias, at.subspan(1));
      const double expected = 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
      if (!(std::abs(number_at(device_, c, at) - expected) <= 2e-2 * (std::abs(expected) + 1)))
        throw Error(fmt::format("bias and gelu: element ({}) is wrong", fmt::join(at, ", ")));
    });
    Contest contest;
    contest.work = epilogue_name(edge);
    contest.config = to_string(finished.config());
    contest.peer = "ours without";
    contest.unit = "TFLOP/s";
    contest.unit_size = 1e12;
    contest.amount = contest.their_amount = 2.0 * double(edge) * double(edge) * double(edge);
    contest.bound = 0.98;
    contest.ours = [&] { finished(stream_); };
    contest.theirs = [&] { product(stream_); };
    return settle(contest, device_, stream_, rounds_);
  }
  static std::string epilogue_name(std::int64_t edge) {
    return fmt::format("matmul {}^3 bf16 NN, bias and gelu", edge);
  }

 private:
  Operand dense(const TensorView& x) {
    Tensor memory = device_.empty(x.dtype(), {x.shape()[0], x.shape()[1]});
    TensorView view = memory.view();
    return {std::move(memory), view};
  }

  std::function<void()> after_copies(const Operand& a, const Operand& b, const Operand& to_a, const Operand& to_b,
                                     const Cublas::Way& way) {
    const JitFunction copy = jit_.function("copy");
    const auto copy_a = std::make_shared<const BoundLaunch>(copy.bind(stream_, a.view, to_a.view));
    const auto copy_b = std::make_shared<const BoundLaunch>(copy.bind(stream_, b.view, to_b.view));
    return [this, copy_a, copy_b, run = way.run] {
      (*copy_a)(stream_);
      (*copy_b)(stream_);
      run();
    };
  }

  std::size_t fastest_of(const std::vector<std::function<void()>>& runs) {
    const Event start(device_), stop(device_);
    const Tensor evictor = device_.empty(u8, {std::max<std::int64_t>(2 * device_.l2_bytes(), 1)});
    std::size_t fastest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      runs[i]();
      std::vector<double> times;
      for (int round = 0; round < 5; ++round) {
        evictor.fill_bytes(1, stream_);
        start.record(stream_);
        runs[i]();
        stop.record(stream_);
        stop.synchronize();
        times.push_back(double(stop.milliseconds_since(start)));
      }
      if (const double time = spread_of(times).median; time < least) least = time, fastest = i;
    }
    return fastest;
  }

  const Jit& jit_;
  const Device device_;
  const Cublas& cublas_;
  const Stream& stream_;
  const int rounds_;
};

}  // namespace

std::vector<Row> matmul_rows(const Jit& jit, int rounds, const std::string& only) {
  const Stream stream = jit.device().stream();
  const CurrentContext current(*jit.device().state()->driver, jit.device().context());
  std::string why;
  const std::unique_ptr<Cublas> cublas = Cublas::open(jit.device(), stream, why);
  if (!cublas) {
    tool::print(fmt::format("matmul: not measured: {}\n", why));
    return {};
  }
  Products products(jit, *cublas, stream, rounds);
  std::vector<Row> rows;
  for (const MatmulShape& shape : matmul_shapes()) {
    if (!only.empty() && shape.name().find(only) == std::string::npos) continue;
    rows.push_back(products.row(shape));
    tool::print(fmt::format("{}: {:.3f}\n", shape.name(), rows.back().ratio.median));
  }
  if (Products::epilogue_name(8192).find(only) != std::string::npos) rows.push_back(products.epilogue_row(8192));
  return rows;
}

}  // namespace tilejit::bench
