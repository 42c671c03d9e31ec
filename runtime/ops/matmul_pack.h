#pragma once
#include <optional>
#include <string>
#include <vector>

#include <tilejit/runtime/ops/matmul_choice.h>

namespace tilejit {

/// A product some of whose operands were copied to where TMA can take them.
struct PackedProduct {
  Product product;
  Step copy;
  std::size_t workspace_bytes = 0;
  std::vector<std::string> notes;  ///< which operand, and why
};

/// One launch that copies the operands that no TMA map can describe (a base or stride that is no multiple of 16 bytes,
/// no unit stride), each into rows of a multiple of 16 bytes, along the axis of stride 1 where it has one. None:
/// nothing is in the way of matmul_wgmma, or it takes no such product, or the copies would cost more than tensor cores
/// win.
std::optional<PackedProduct> packed_for_maps(const Product& product, const Call& call, const PlanContext& context);

}  // namespace tilejit
