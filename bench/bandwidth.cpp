#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include <tilejit/bench/contest.h>
#include <tilejit/bench/cub.h>
#include <tilejit/bench/row_checks.h>
#include <tilejit/bench/samples.h>
#include <tilejit/bench/works.h>
#include <tilejit/runtime/device_state.h>
#include <tilejit/tools/output.h>

namespace tilejit::bench {
namespace {

using Shape = std::initializer_list<std::int64_t>;
constexpr int samples = 1000;

/// The family's rows, each with its own tensors, one after the other.
class Bandwidth {
 public:
  Bandwidth(const Jit& jit, const BandwidthOptions& options)
      : jit_(jit), device_(jit.device()), stream_(device_.stream()), options_(options) {}

  /// y = x as the view is, against memcpy of `bytes`, read and written; 0: of both views' elements.
  void copy(const std::string& name, double bound, const TensorView& x, const TensorView& y, double bytes = 0) {
    BoundLaunch bound_copy = bind("copy", x, y);
    run(bound_copy);
    each_sample(y.shape(), samples, [&](std::span<const std::int64_t> at) {
      if (element_at(device_, x, at) != element_at(device_, y, at)) wrong(name, at);
    });
    add(name, bound, bytes != 0 ? bytes : moved(x) + moved(y), std::move(bound_copy));
  }

  void addition(const std::string& name, double bound, const TensorView& x, const TensorView& y, const TensorView& z) {
    BoundLaunch launch = bind("add", x, y, z);
    run(launch);
    const std::vector<std::int64_t> shape(z.shape().begin(), z.shape().end());
    const TensorView spread = y.broadcast_to(shape);
    each_sample(z.shape(), samples, [&](std::span<const std::int64_t> at) {
      const double expected = number_at(device_, x, at) + number_at(device_, spread, at);
      if (!(std::abs(number_at(device_, z, at) - expected) <= 0.01 * std::abs(expected) + 1e-6)) wrong(name, at);
    });
    add(name, bound, moved(x) + moved(y) + moved(z), std::move(launch));
  }

  /// Sums of x's rows, or the whole one, beside CUB's; no row, and a line that says why, where CUB is not there.
  void sums_beside_cub(const std::string& name, const TensorView& x, bool whole) {
    if (!cub_) {
      tool::print(fmt::format("{}: CUB {}\n", name, why_no_cub_));
      return;
    }
    const std::int64_t results = whole ? 1 : x.shape()[0];
    const Tensor y = device_.empty(f32, {results}), theirs = device_.empty(f32, {results});
    const TensorView out = whole ? y.view().view({1, 1}) : y.unsqueeze(1);
    BoundLaunch launch = bind("sum", x, out);
    const std::function<void()> peer = cub_->sum(device_, x, theirs, whole, stream_);
    run(launch);
    peer();
    stream_.synchronize();
    each_sample(y.view().shape(), 100, [&](std::span<const std::int64_t> at) {
      const double difference = number_at(device_, y, at) - number_at(device_, theirs, at);
      if (!(std::abs(difference) <= 1e-5 * std::sqrt(double(x.elements() / results)) + 1e-4)) wrong(name, at);
    });
    Contest contest = contest_of(name, 1.00, moved(x), launch.config());
    contest.peer = whole ? "cub::DeviceReduce" : "cub::DeviceSegmentedReduce";
    contest.their_amount = moved(x);
    contest.ours = with_workspace(std::make_shared<const BoundLaunch>(std::move(launch)));
    contest.theirs = peer;
    keep(settle(contest, device_, stream_, options_.rounds));
  }

  /// Sums of x's rows (axis 1) or columns (axis 0).
  void sums(const std::string& name, double bound, int axis, const Tensor& x) {
    add_rotating(name, bound, moved(x), [&, name, axis] {
      Tensor mine = copy_of(x), y = poisoned(f32, {x.shape()[axis == 1 ? 0 : 1]});
      BoundLaunch launch = bind("sum", mine, y.unsqueeze(axis));
      const TensorView rows = axis == 1 ? mine.view() : mine.t(), result = y.view();
      return Work{std::move(mine), std::move(y), std::move(launch),
                  [this, name, rows, result] { check_sums(device_, name, rows, result); }};
    });
  }

  /// A row op (softmax, layernorm, rmsnorm) over x; weight and bias absent. The first row is checked.
  void rows_of(const std::string& name, double bound, const char* op, const Tensor& x) {
    add_rotating(name, bound, 2 * moved(x), [&, name, op] {
      Tensor mine = copy_of(x), y = poisoned(x.dtype(), {x.shape()[0], x.shape()[1]});
      BoundLaunch launch = bind(op, mine, y);
      const TensorView row = mine.select(0, 0), result = y.select(0, 0);
      return Work{std::move(mine), std::move(y), std::move(launch),
                  [this, name, op, row, result] { check_row(device_, name, op, row, result); }};
    });
  }

  bool wants(const std::string& name) const {
    const std::vector<std::string>& rows = options_.rows;
    return name.find(options_.only) != name.npos && (rows.empty() || std::ranges::find(rows, name) != rows.end());
  }
  const Device& device() const { return device_; }
  Tensor random(DType dtype, Shape shape) const { return random_tensor(device_, dtype, shape, 7); }
  Tensor poisoned(DType dtype, Shape shape) const {
    Tensor tensor = device_.empty(dtype, shape);
    tensor.fill_bytes(0xff, stream_);
    return tensor;
  }
  std::vector<Row> rows() && { return std::move(rows_); }

 private:
  template <class... Views>
  BoundLaunch bind(const char* name, const Views&... views) {
    return jit_.function(name).bind(stream_, views...);
  }
  void run(const BoundLaunch& launch) {
    launch(stream_);
    stream_.synchronize();
  }
  /// Bytes that a view's elements take.
  static double moved(const TensorView& x) {
    double bytes = double(size_of(x.dtype()));
    for (int axis = 0; axis < x.rank(); ++axis) bytes *= x.strides()[axis] == 0 ? 1 : double(x.shape()[axis]);
    return bytes;
  }

  void copy_bytes(const Tensor& to, const Tensor& from, std::int64_t bytes) {
    const Driver& driver = *device_.state()->driver;
    const CurrentContext current(driver, device_.context());
    driver.check(driver.call.cuMemcpyDtoDAsync(CUdeviceptr(to.data()), CUdeviceptr(from.data()), std::size_t(bytes),
                                               stream_.handle()),
                 "cuMemcpyDtoDAsync");
  }
  Tensor copy_of(const Tensor& x) {
    Tensor copy = device_.empty(x.dtype(), x.shape());
    copy_bytes(copy, x, x.elements() * size_of(x.dtype()));
    return copy;
  }

  /// memcpy of `bytes`, read and written, between buffers of its own.
  std::function<void()> memcpy_of(double bytes) {
    const auto half = std::int64_t(bytes / 2);
    const auto from = std::make_shared<const Tensor>(random(u8, {half}));
    const auto to = std::make_shared<const Tensor>(device_.empty(u8, {half}));
    return [this, from, to, half] { copy_bytes(*to, *from, half); };
  }

  /// A launch over tensors of its own, the output poisoned.
  struct Work {
    Tensor x, y;
    BoundLaunch launch;
    std::function<void()> check;
  };

  BufferSet beside_memcpy(Work made, double bytes) {
    const auto work = std::make_shared<const Work>(std::move(made));
    return {with_workspace({work, &work->launch}), memcpy_of(bytes), [work] { work->check(); }};
  }

  /// Enqueues the launch, with a workspace of its own, so that no allocation is timed or captured.
  std::function<void()> with_workspace(std::shared_ptr<const BoundLaunch> launch) {
    if (launch->workspace_bytes() == 0) return [this, launch] { (*launch)(stream_); };
    const auto workspace = std::make_shared<const Tensor>(device_.empty(u8, {std::int64_t(launch->workspace_bytes())}));
    return [this, launch, workspace] { (*launch)(stream_, *workspace); };
  }

  /// What may be short: `make` gives the same work over as many sets of buffers as a replay asks for.
  void add_rotating(const std::string& name, double bound, double bytes, const std::function<Work()>& make) {
    Work made = make();
    Contest contest = contest_of(name, bound, bytes, made.launch.config());
    const BufferSet first = beside_memcpy(std::move(made), bytes);
    first.ours();
    stream_.synchronize();
    first.check();
    contest.ours = first.ours;
    contest.theirs = first.theirs;
    contest.another = [&] { return beside_memcpy(make(), bytes); };
    contest.replay_below = options_.replay_below;
    keep(settle(contest, device_, stream_, options_.rounds));
  }

  void add(const std::string& name, double bound, double bytes, BoundLaunch launch) {
    Contest contest = contest_of(name, bound, bytes, launch.config());
    contest.ours = with_workspace(std::make_shared<const BoundLaunch>(std::move(launch)));
    contest.theirs = memcpy_of(bytes);
    keep(settle(contest, device_, stream_, options_.rounds));
  }

  /// Beside memcpy of `bytes`.
  static Contest contest_of(const std::string& name, double bound, double bytes, const Config& config) {
    Contest contest;
    contest.work = name;
    contest.config = to_string(config);
    contest.bound = bound;
    contest.peer = "memcpy";
    contest.amount = bytes;
    contest.their_amount = 2.0 * double(std::int64_t(bytes / 2));
    return contest;
  }

  /// Said at once: the whole table takes minutes, and may be cut short.
  void keep(Row row) {
    tool::print(fmt::format("{}: {:.2f} {}, {} {:.2f}, {:.3f} ({:.3f} to {:.3f}) {}\n", row.work, row.ours.median,
                            row.unit, row.peer, row.theirs.median, row.ratio.median, row.ratio.lowest,
                            row.ratio.highest, row.config));
    rows_.push_back(std::move(row));
  }

  const Jit& jit_;
  const Device device_;
  const Stream stream_;
  const BandwidthOptions options_;
  std::string why_no_cub_;
  const std::unique_ptr<Cub> cub_ = Cub::open(why_no_cub_);
  std::vector<Row> rows_;
};

constexpr DType of_bytes(int bytes) { return bytes == 1 ? u8 : bytes == 2 ? bf16 : bytes == 4 ? f32 : f64; }

void contiguous_copies(Bandwidth& family) {
  for (const int bytes : {1, 2, 4, 8}) {
    for (const std::int64_t megabytes : {256, 1024, 4096}) {
      const std::string name = fmt::format("copy of {} MB, {} bytes", megabytes, bytes);
      if (!family.wants(name)) continue;
      const std::int64_t rows = (megabytes << 20) / bytes / 16384;
      const Tensor x = family.random(of_bytes(bytes), {rows, 16384}),
                   y = family.poisoned(of_bytes(bytes), {rows, 16384});
      family.copy(name, 0.995, x, y);
    }
  }
}

void transposes(Bandwidth& family) {
  const auto bound_of = [](int bytes, bool odd) {
    if (odd) return bytes >= 4 ? 0.90 : 0.75;
    return bytes >= 4 ? 0.95 : bytes == 2 ? 0.92 : 0.85;
  };
  for (const std::int64_t edge : {8192, 16384, 8191}) {
    for (const int bytes : {8, 4, 2, 1}) {
      const std::string name = fmt::format("transpose {}^2, {} bytes", edge, bytes);
      if (!family.wants(name) || (edge == 8191 && bytes == 8)) continue;
      const Tensor x = family.random(of_bytes(bytes), {edge, edge}), y = family.poisoned(of_bytes(bytes), {edge, edge});
      family.copy(name, bound_of(bytes, edge == 8191), x.t(), y);
    }
  }
}

/// Counted in the 32-byte sectors that hold the elements.
void steps_and_paddings(Bandwidth& family) {
  constexpr std::int64_t n = 16384;
  constexpr double whole = 4.0 * n * n;
  if (const char* name = "copy of [:, ::2], 16384^2 f32"; family.wants(name)) {
    const Tensor x = family.random(f32, {n, n}), y = family.poisoned(f32, {n, n / 2});
    family.copy(name, 0.95, x.slice(1, 0, n, 2), y, whole + whole / 2);
  }
  if (const char* name = "copy of [::2, :], 16384^2 f32"; family.wants(name)) {
    const Tensor x = family.random(f32, {n, n}), y = family.poisoned(f32, {n / 2, n});
    family.copy(name, 0.95, x.slice(0, 0, n, 2), y, whole);
  }
  if (const char* name = "copy of rows 16384 f32, padded to 16400"; family.wants(name)) {
    const Tensor x = family.random(f32, {n, n + 16}), y = family.poisoned(f32, {n, n});
    family.copy(name, 0.95, x.slice(1, 0, n), y, 2 * whole);
  }
}

void additions(Bandwidth& family) {
  for (const DType dtype : {f32, bf16}) {
    const std::string name = fmt::format("add 2^28 {}", name_of(dtype));
    if (!family.wants(name)) continue;
    constexpr std::int64_t n = std::int64_t{1} << 28;
    const Tensor x = family.random(dtype, {n}), y = family.random(dtype, {n}), z = family.poisoned(dtype, {n});
    family.addition(name, dtype == f32 ? 1.01 : 0.95, x, y, z);
  }
}

void biases(Bandwidth& family) {
  constexpr std::int64_t n = 16384;
  for (const DType dtype : {f32, bf16}) {
    const std::string row = fmt::format("add bias row, 16384^2 {}", name_of(dtype));
    const std::string column = fmt::format("add bias column, 16384^2 {}", name_of(dtype));
    if (!family.wants(row) && !family.wants(column)) continue;
    const Tensor x = family.random(dtype, {n, n}), bias = family.random(dtype, {n}), z = family.poisoned(dtype, {n, n});
    if (family.wants(row)) family.addition(row, 0.95, x, bias, z);
    if (family.wants(column)) family.addition(column, 0.95, x, bias.unsqueeze(1), z);
  }
}

void permutes(Bandwidth& family) {
  if (const char* name = "copy (0, 2, 1) of 64x1024x1023 f32"; family.wants(name)) {
    const Tensor x = family.random(f32, {64, 1024, 1023}), y = family.poisoned(f32, {64, 1023, 1024});
    family.copy(name, 0.95, x.permute({0, 2, 1}), y);
  }
  if (const char* name = "copy NCHW to NHWC, 64x256x56x56 f32"; family.wants(name)) {
    const Tensor x = family.random(f32, {64, 256, 56, 56}), y = family.poisoned(f32, {64, 56, 56, 256});
    family.copy(name, 0.95, x.permute({0, 2, 3, 1}), y);
  }
}

void row_ops(Bandwidth& family) {
  struct Case {
    std::int64_t rows, cols;
    double softmax, norm;  // bounds for f32
  };
  const Case cases[] = {{16384, 256, 0.80, 0.80},   {16384, 781, 0.80, 0.80},  {16384, 1024, 0.90, 0.93},
                        {16384, 4096, 0.95, 0.93},  {16384, 8192, 0.97, 0.93}, {16384, 8320, 0.96, 0.93},
                        {16384, 32768, 0.97, 0.93}, {4096, 131072, 0.90, 0.90}};
  for (const char* op : {"softmax", "log_softmax", "layernorm", "rmsnorm"}) {
    for (const DType dtype : {f32, bf16}) {
      for (const Case& one : cases) {
        const bool log = std::string_view(op) == "log_softmax";
        if (log && one.cols < 131072) continue;  // shorter rows are softmax's again
        const std::string name = fmt::format("{} {}x{} {}", op, one.rows, one.cols, name_of(dtype));
        if (!family.wants(name)) continue;
        const bool softmax = std::string_view(op) == "softmax";
        const double bound = log ? 0 : softmax ? (dtype == f32 ? one.softmax : 0) : one.norm;
        const Tensor x = family.random(dtype, {one.rows, one.cols});
        family.rows_of(name, bound, op, x);
      }
    }
  }
}

void reductions(Bandwidth& family) {
  struct Case {
    int axis;
    std::int64_t rows, cols;
    DType dtype;
    double bound;
  };
  const Case cases[] = {{1, 131072, 128, f32, 0.85}, {1, 1000000, 32, f32, 0.85},  {0, 131072, 128, f32, 0.85},
                        {0, 1000000, 32, f32, 0.85}, {0, 16384, 16384, f32, 0.99}, {0, 65536, 4096, f32, 0.99},
                        {0, 4096, 65536, f32, 0.99}};
  for (const Case& one : cases) {
    const std::string name =
        fmt::format("{} sum {}x{} {}", one.axis == 1 ? "row" : "column", one.rows, one.cols, name_of(one.dtype));
    if (!family.wants(name)) continue;
    const Tensor x = family.random(one.dtype, {one.rows, one.cols});
    family.sums(name, one.bound, one.axis, x);
  }
}

void sums_beside_cub(Bandwidth& family) {
  for (const DType dtype : {f32, bf16}) {
    for (const auto& [rows, columns] :
         {std::pair<std::int64_t, std::int64_t>{16384, 16384}, {65536, 4096}, {1024, 262144}, {1, 1 << 30}}) {
      for (const bool whole : {false, true}) {
        if (rows == 1 && !whole) continue;
        const std::string name = fmt::format("{} sum {}x{} {}", whole ? "whole" : "row", rows, columns, name_of(dtype));
        if (!family.wants(name)) continue;
        family.sums_beside_cub(name, family.random(dtype, {rows, columns}), whole);
      }
    }
  }
}

}  // namespace

std::vector<Row> bandwidth_rows(const Jit& jit, const BandwidthOptions& options) {
  Bandwidth family(jit, options);
  contiguous_copies(family);
  transposes(family);
  steps_and_paddings(family);
  permutes(family);
  additions(family);
  biases(family);
  reductions(family);
  sums_beside_cub(family);
  row_ops(family);
  return std::move(family).rows();
}

}  // namespace tilejit::bench
