#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tilejit/runtime/tensor_view.h>

namespace tilejit {

/// The axes that several operands walk through together: extents, and for each operand its strides and how far its
/// first element lies from its address. Kept in the order in which loops would nest, the last one innermost.
class Axes {
 public:
  struct Operand {
    std::array<std::int64_t, max_rank> strides{};
    std::int64_t offset = 0;  ///< elements
  };

  int rank = 0;
  std::array<std::int64_t, max_rank> extents{};
  std::vector<Operand> operands;

  /// All operands over `shape`: each view's axes stand at the shape's last ones, extents of 1 and axes it does not have
  /// repeat (stride 0). Shapes must fit; see check_broadcast.
  static Axes over(std::span<const std::int64_t> shape, std::span<const TensorView* const> views);

  /// Leaves out axes of extent 1, turns axes around along which `leader` goes backwards, nests them by the size of
  /// `leader`'s strides, and folds neighbours that all operands step through as through one.
  void simplify(std::size_t leader);
  void move_to(int from, int to);  ///< the axis `from` to the place `to`, the others keep their order
  void require(int at_least);      ///< axes of extent 1 in front until there are so many

  /// Operand `i` as a layout over these axes.
  TensorView layout(std::size_t i, DType dtype) const;

 private:
  void swap(int a, int b);
  void fold();
};

/// A tensor by name, for messages.
struct NamedView {
  const std::string* name;
  const TensorView* view;
};

/// InvalidArgument, both tensors and the axis named, where inputs do not broadcast to each other or to the output (the
/// last one), whose shape is the result's.
void check_broadcast(const std::string& op, std::span<const NamedView> inputs, const NamedView& output);

}  // namespace tilejit
