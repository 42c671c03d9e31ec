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

}  // namespace

const Config& modelled_best(std::span<const Config> configs, const Template& kernel, const ProblemScope& scope,
                            const ProductSize& size, const Target& target) {
  const Config* best = &configs.front();
  double least = std::numeric_limits<double>::infinity();
  ProblemScope with_config = scope;
  for (const Config& config : configs) {
    with_config.set(config);
    const std::int64_t blocks = kernel.info.min_blocks ? kernel.info.min_blocks->evaluate(with_config.scope()) : 1;
    const double time = modelled_time(config, blocks, size, target);
    if (time >= least) continue;
    least = time;
    best = &config;
  }
  return *best;
}

}  // namespace tilejit
