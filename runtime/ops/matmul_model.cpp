#include <tilejit/runtime/ops/matmul_model.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilejit {
namespace {

std::int64_t constant(const Config& config, std::string_view name) {
  for (const auto& [known, value] : config.constants)
    if (known == name) return value;
  return 1;
}

double rounded_up(double a, double b) { return std::ceil(a / b); }

/// In no unit: multiply-adds that the busiest multiprocessor does one after the other, each as long as it takes there.
double modelled_time(const Config& config, std::int64_t blocks_at_once, const ProductSize& size, const Target& target) {
  const double rows = double(constant(config, "BLOCK_M")), cols = double(constant(config, "BLOCK_N"));
  const double tiles = rounded_up(double(size.m), rows) * rounded_up(double(size.n), cols);
  const double tiles_in_turn = rounded_up(tiles, target.sms);
  const double at_once = std::min(tiles_in_turn, double(blocks_at_once));
  // A tile's operands are read once for all of it: small tiles read more for each product.
  const double reads = 1 + 12 / rows + 12 / cols;
  // Sixteen warps hide what each of them waits for.
  const double waits = 1 + 0.5 * std::max(0.0, 1 - at_once * config.num_warps / 16.0);
  constexpr double fill_and_drain = 48;  // steps of K that a tile takes beyond its own
  return tiles_in_turn * rows * cols * (double(size.k) + fill_and_drain) * reads * waits;
}

/// Of matmul_wgmma: cycles of a multiprocessor. Tiles go round the programs; a step of K costs the tensor cores' time
/// or that of bringing its operands, 64 bytes a cycle. Groups that share a tile all store it before the next one;
/// groups that take tiles in turn store while the other one multiplies. The factors are an H200's
/// (docs/performance.md).
double warp_group_cycles(const Config& config, const ProductSize& size, const Target& target) {
  const double rows = double(constant(config, "BLOCK_M")), cols = double(constant(config, "BLOCK_N"));
  const double together = double(constant(config, "CLUSTER"));
  const bool in_turn = constant(config, "IN_TURN") != 0;
  const double tiles = rounded_up(double(size.m), rows * together) * rounded_up(double(size.n), cols);
  const double turns = rounded_up(tiles, std::floor(double(target.sms) / together));
  constexpr double step = 64;
  const double multiplying = rows * cols * step * 2 / 4096, bringing = (rows + cols) * step * 2 / 64;
  // The nearer bringing comes to multiplying, the less hides what either waits for; and the more it takes of the power
  // that long products are limited by.
  const double near = std::clamp((bringing / multiplying - 0.8) / 0.2, 0.0, 1.0);
  const double steps = rounded_up(double(size.k), step) * std::max(multiplying, bringing);
  const double lasting = std::clamp((turns * steps - 230e3) / 300e3, 0.0, 1.0);
  const double slower = (1 + (0.025 + 0.1 * lasting) * near) * (in_turn ? 1.005 : 1.0) * (together > 1 ? 1.015 : 1.0);
  const double of_tile = steps * slower;
  // By lanes c goes through the shared memory that multiplying needs, so that taking turns does not hide it.
  const double storing = 1000 + rows * cols / ((size.by_lanes ? 1.5 : 16.0) * (config.num_warps / 4 - 1));
  const double in_the_way = in_turn && !size.by_lanes ? 0 : storing;
  // Few stages wait for memory; few buffers wait for the stores before, which shows where sums are short.
  const bool thin = size.k <= 256;
  const double waiting = thin ? 600.0 / double(constant(config, "OUT_PARTS")) : 600.0 / config.num_stages;
  // Bands of many tiles share operands in L2; narrow ones write whole lines of c, which is most of a thin product.
  const double order = (constant(config, "GROUP_M") <= 4) == (size.k <= 512) ? 0 : 100;
  return 3000 + turns * (of_tile + in_the_way + waiting + order) + (in_turn ? storing : 0);
}

}  // namespace

const Config& modelled_best(std::span<const Config> configs, const Template& kernel, const ProblemScope& scope,
                            const ProductSize& size, const Target& target) {
  const Config* best = &configs.front();
  double least = std::numeric_limits<double>::infinity();
  ProblemScope with_config = scope;
  for (const Config& config : configs) {
    with_config.set(config);
    const std::int64_t blocks = kernel.info.min_blocks ? kernel.info.min_blocks->evaluate(with_config.scope()) : 1;
    const bool warp_groups = kernel.name == "matmul_wgmma";
    const double time =
        warp_groups ? warp_group_cycles(config, size, target) : modelled_time(config, blocks, size, target);
    if (time >= least) continue;
    least = time;
    best = &config;
  }
  return *best;
}

}  // namespace tilejit
