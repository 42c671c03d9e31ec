#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include <tilejit/bench/works.h>
#include <tilejit/runtime/device_state.h>

namespace tilejit::bench {
namespace {

/// Bits that no two elements share a pattern in; never a NaN's.
std::vector<float> random_floats(std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  std::uint64_t state = 0x243f6a8885a308d3u;
  for (float& value : values) {
    state += 0x9e3779b97f4a7c15u;
    std::uint64_t bits = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
    bits ^= bits >> 27;
    value = float(std::int64_t(bits)) * 0x1p-63f;
  }
  return values;
}

void verify(const char* what, const Tensor& y, const std::vector<float>& host, std::int64_t edge, bool transposed,
            StreamRef stream) {
  const std::vector<float> got = y.to_host<float>(stream);
  for (std::int64_t i = 0; i < edge; ++i) {
    for (std::int64_t j = 0; j < edge; ++j) {
      const float expected = host[std::size_t(transposed ? j * edge + i : i * edge + j)];
      const float actual = got[std::size_t(i * edge + j)];
      if (std::memcmp(&expected, &actual, sizeof expected) != 0) {
        throw Error(fmt::format("{}: element ({}, {}) is {}, expected {}", what, i, j, actual, expected));
      }
    }
  }
}

struct Work {
  const char* name;
  bool transposed;
  std::function<void()> run;
  std::vector<double> gigabytes_per_second;
};

}  // namespace

std::vector<Row> copy_rows(const Jit& jit, std::int64_t edge, int rounds) {
  const Device& device = jit.device();
  const Driver& driver = *device.state()->driver;
  const Stream stream = device.stream();
  const std::vector<float> host = random_floats(edge * edge);
  const Tensor x = device.copy_of(host, {edge, edge}), y = device.empty(f32, {edge, edge});
  const TensorView transposed = x.t();
  const auto bytes = std::size_t(edge) * std::size_t(edge) * sizeof(float);

  const JitFunction copy = jit.function("copy_2d");
  const BoundLaunch plain = copy.bind(stream, x, y);
  const BoundLaunch across = copy.bind(stream, transposed, y);
  const CurrentContext current(driver, device.context());
  std::array<Work, 3> works{{
      {"copy_2d", false, [&] { plain(stream); }, {}},
      {"copy_2d, transposed view", true, [&] { across(stream); }, {}},
      {"cuMemcpyDtoDAsync",
       false,
       [&] {
         driver.check(
             driver.call.cuMemcpyDtoDAsync(CUdeviceptr(y.data()), CUdeviceptr(x.data()), bytes, stream.handle()),
             "cuMemcpyDtoDAsync");
       },
       {}},
  }};

  for (const Work& work : works) {
    y.fill_bytes(0xff, stream);
    work.run();
    verify(work.name, y, host, edge, work.transposed, stream);
  }

  const Tensor evictor = device.empty(u8, {std::max<std::int64_t>(2 * device.l2_bytes(), 1)});
  const Event start(device), stop(device);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t turn = 0; turn < works.size(); ++turn) {
      Work& work = works[(turn + std::size_t(round)) % works.size()];
      evictor.fill_bytes(static_cast<unsigned char>(round), stream);
      start.record(stream);
      work.run();
      stop.record(stream);
      stop.synchronize();
      work.gigabytes_per_second.push_back(2.0 * double(bytes) / (double(stop.milliseconds_since(start)) * 1e6));
    }
  }

  const std::vector<double>& memcpy_rates = works[2].gigabytes_per_second;
  std::vector<Row> rows;
  for (std::size_t i = 0; i < 2; ++i) {
    Row row;
    row.work = fmt::format("{} of {}^2 fp32", works[i].name, edge);
    row.config = to_string(i ? across.config() : plain.config());
    row.peer = works[2].name;
    row.unit = "GB/s";
    row.ours = spread_of(works[i].gigabytes_per_second);
    row.theirs = spread_of(memcpy_rates);
    std::vector<double> ratios;
    for (std::size_t round = 0; round < memcpy_rates.size(); ++round) {
      ratios.push_back(works[i].gigabytes_per_second[round] / memcpy_rates[round]);
    }
    row.ratio = spread_of(ratios);
    row.bound = edge == 16384 ? (i == 0 ? 0.93 : 0.90) : 0;
    row.rounds = rounds;
    rows.push_back(row);
  }
  return rows;
}

}  // namespace tilejit::bench
