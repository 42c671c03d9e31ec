#include <array>
#include <chrono>
#include <utility>

#include <tilejit/bench/works.h>
#include <tilejit/runtime/device_state.h>
#include <tilejit/runtime/kernel.h>

namespace tilejit::bench {
namespace {

constexpr int burst = 256;

/// The kernel that a call launches, launched by hand.
class RawLaunch {
 public:
  RawLaunch(const Jit& jit, const JitFunction& function, const TensorView& x, const TensorView& y)
      : driver_(*jit.device().state()->driver),
        kernel_(jit.device(), function.object_code(arguments(x, y)), function.object_code(arguments(x, y)).scratch) {
    const std::array views{x, y};
    const std::array sizes{x.size(0), x.size(1)};
    for (const Parameter& parameter : kernel_.object().parameters) {
      const auto index = std::size_t(parameter.index);
      switch (parameter.kind) {
        case Parameter::Kind::pointer:
          values_.push_back(std::int64_t(views[index].data()));
          break;
        case Parameter::Kind::size:
          values_.push_back(sizes[index]);
          break;
        case Parameter::Kind::stride:
          values_.push_back(views[index].stride(parameter.axis));
          break;
        default:
          throw Error("copy_2d has another kind of parameter than this benchmark knows");
      }
    }
    for (std::int64_t& value : values_) pointers_.push_back(&value);
    config_.gridDimX = config_.gridDimY = config_.gridDimZ = 1;
    config_.blockDimX = unsigned(kernel_.object().threads);
    config_.blockDimY = config_.blockDimZ = 1;
    config_.sharedMemBytes = kernel_.dynamic_shared();
  }

  void operator()(CUstream stream) {
    config_.hStream = stream;
    driver_.check(driver_.call.cuLaunchKernelEx(&config_, kernel_.function(), pointers_.data(), nullptr),
                  "cuLaunchKernelEx");
  }

 private:
  static std::array<Argument, 2> arguments(const TensorView& x, const TensorView& y) { return {x, y}; }
  const Driver& driver_;
  Kernel kernel_;
  std::vector<std::int64_t> values_;
  std::vector<void*> pointers_;
  CUlaunchConfig config_{};
};

template <class Launch>
double microseconds_each(const Stream& stream, Launch&& launch) {
  stream.synchronize();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < burst; ++i) launch();
  const auto stop = std::chrono::steady_clock::now();
  stream.synchronize();
  return std::chrono::duration<double, std::micro>(stop - start).count() / burst;
}

}  // namespace

std::vector<Row> launch_rows(const Jit& jit, int rounds) {
  const Device& device = jit.device();
  const Stream stream = device.stream();
  const Tensor x = device.empty(f32, {8, 8}), y = device.empty(f32, {8, 8});
  x.fill_bytes(0, stream);
  // The default Config makes it one program, so that the device keeps up with the host and both launch the same grid.
  const JitFunction copy = jit.function("copy_2d").with_config({});
  copy(stream, x, y);
  const BoundLaunch bound = copy.bind(stream, x, y);
  const CurrentContext current(*device.state()->driver, device.context());
  RawLaunch raw(jit, copy, x, y);

  std::vector<double> typed_times, bound_times, raw_times, typed_ratios, bound_ratios;
  const int warm_up = 5;
  for (int round = -warm_up; round < rounds; ++round) {
    std::array<double, 3> times{};
    for (int turn = 0; turn < 3; ++turn) {
      const int which = (turn + round + warm_up) % 3;
      if (which == 0) times[0] = microseconds_each(stream, [&] { copy(stream, x, y); });
      if (which == 1) times[1] = microseconds_each(stream, [&] { bound(stream); });
      if (which == 2) times[2] = microseconds_each(stream, [&] { raw(stream.handle()); });
    }
    if (round < 0) continue;
    typed_times.push_back(times[0]);
    bound_times.push_back(times[1]);
    raw_times.push_back(times[2]);
    typed_ratios.push_back(times[0] / times[2]);
    bound_ratios.push_back(times[1] / times[2]);
  }

  Row typed;
  typed.work = "launch, typed, two 2-D views";
  typed.config = to_string(bound.config());
  typed.peer = "cuLaunchKernelEx";
  typed.unit = "us";
  typed.ours = spread_of(typed_times);
  typed.theirs = spread_of(raw_times);
  typed.ratio = spread_of(typed_ratios);
  typed.bound = 1.5;
  typed.less_is_better = true;
  typed.rounds = rounds;
  Row again = typed;
  again.work = "launch, bound";
  again.ours = spread_of(bound_times);
  again.ratio = spread_of(bound_ratios);
  again.bound = 0;
  return {typed, again};
}

}  // namespace tilejit::bench
