#pragma once
#include <initializer_list>
#include <optional>
#include <span>

#include <tilejit/runtime/jit.h>
#include <tilejit/runtime/tensor.h>

namespace tilejit {

/// A view, and the memory behind it where a copy had to be made.
struct MaybeCopied {
  TensorView view;
  std::optional<Tensor> owner;  ///< empty: `view` is of the original's memory
  bool copied() const { return owner.has_value(); }
};

/// `view` itself where it is contiguous, else a row-major copy made on `stream` by the op copy.
TILEJIT_API MaybeCopied contiguous(const Jit& jit, StreamRef stream, const TensorView& view);

/// Like TensorView::view, but copies where the strides do not allow a view. One extent may be -1.
TILEJIT_API MaybeCopied reshape(const Jit& jit, StreamRef stream, const TensorView& view,
                                std::span<const std::int64_t> shape);
TILEJIT_API MaybeCopied reshape(const Jit& jit, StreamRef stream, const TensorView& view,
                                std::initializer_list<std::int64_t> shape);

/// `to` = `from`, elements of the same shape and dtype at any strides, on `stream`.
TILEJIT_API void copy(const Jit& jit, StreamRef stream, const TensorView& from, const TensorView& to);

}  // namespace tilejit
