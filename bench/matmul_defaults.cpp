#include <fmt/format.h>

#include <cmath>

#include <tilejit/bench/contest.h>
#include <tilejit/bench/matmul_operands.h>
#include <tilejit/bench/samples.h>
#include <tilejit/bench/works.h>
#include <tilejit/tools/output.h>

namespace tilejit::bench {
namespace {

constexpr double bound = 0.85;
constexpr int random_shapes = 20, samples = 500;
constexpr unsigned seed = 5;

struct Named {
  std::string name;
  MatmulShape shape;
};

std::vector<Named> all_shapes() {
  std::vector<Named> all;
  for (const MatmulShape& shape : matmul_shapes()) all.push_back({shape.name(), shape});
  int number = 0;
  for (const MatmulShape& shape : random_matmul_shapes(random_shapes, seed))
    all.push_back({fmt::format("random {}: {}", ++number, shape.name()), shape});
  return all;
}

Row row_of(const Named& named, const Jit& tuning, const Jit& untuned, const Stream& stream, int rounds) {
  const MatmulShape& shape = named.shape;
  const Device device = tuning.device();
  const Operand a = operand(device, shape, true), b = operand(device, shape, false);
  const Tensor by_default = device.empty(shape.dtype, {shape.m, shape.n}),
               tuned = device.empty(shape.dtype, {shape.m, shape.n});
  by_default.fill_bytes(0xff, stream);
  const BoundLaunch ours = untuned.function("matmul").bind(stream, a.view, b.view, by_default),
                    theirs = tuning.function("matmul").bind(stream, a.view, b.view, tuned);
  const auto workspace = [&](const BoundLaunch& launch) {
    return device.empty(u8, {std::max<std::int64_t>(std::int64_t(launch.workspace_bytes()), 1)});
  };
  const Tensor our_workspace = workspace(ours), their_workspace = workspace(theirs);

  Contest contest;
  contest.work = named.name;
  contest.config = fmt::format("{}; tuned {}", to_string(ours.config()), to_string(theirs.config()));
  contest.peer = ours.config() == theirs.config() ? "tuned, alike" : "tuned";
  contest.unit = "TFLOP/s";
  contest.unit_size = 1e12;
  contest.amount = contest.their_amount = 2.0 * double(shape.m) * double(shape.n) * double(shape.k);
  contest.bound = bound;
  contest.ours = [&] { ours(stream, our_workspace); };
  contest.theirs = [&] { theirs(stream, their_workspace); };
  const Row row = settle(contest, device, stream, rounds);
  each_sample(by_default.view().shape(), samples, [&](std::span<const std::int64_t> at) {
    const double mine = number_at(device, by_default, at), other = number_at(device, tuned, at);
    const double allowed = shape.dtype == f32 ? 1e-4 : 1e-2;
    if (!(std::abs(mine - other) <= allowed * (std::abs(other) + std::sqrt(double(shape.k)) / 3)))
      throw Error(fmt::format("{}: element ({}) is {}, tuned {}", named.name, fmt::join(at, ", "), mine, other));
  });
  return row;
}

}  // namespace

std::vector<Row> matmul_default_rows(const Jit& jit, int rounds, const std::string& only) {
  Options options;
  options.cache_root = "";
  options.tuning = Tuning::off;
  const Jit untuned(jit.device(), options);
  const Stream stream = jit.device().stream();
  std::vector<Row> rows;
  for (const Named& named : all_shapes()) {
    if (!only.empty() && named.name.find(only) == std::string::npos) continue;
    rows.push_back(row_of(named, jit, untuned, stream, rounds));
    tool::print(fmt::format("{}: {:.3f}\n", named.name, rows.back().ratio.median));
  }
  if (rows.empty()) return rows;
  double logarithms = 0;
  const Row* least = &rows.front();
  for (const Row& row : rows) {
    logarithms += std::log(row.ratio.median);
    if (row.ratio.median < least->ratio.median) least = &row;
  }
  tool::print(fmt::format("default over tuned, {} shapes: geometric mean {:.3f}, least {:.3f} ({})\n\n", rows.size(),
                          std::exp(logarithms / double(rows.size())), least->ratio.median, least->work));
  return rows;
}

}  // namespace tilejit::bench
