#include <tilejit/runtime/contiguous.h>

#include <fmt/format.h>

#include <algorithm>

namespace tilejit {

void copy(const Jit& jit, StreamRef stream, const TensorView& from, const TensorView& to) {
  if (from.dtype() != to.dtype() || !std::ranges::equal(from.shape(), to.shape())) {
    throw InvalidArgument(
        fmt::format("copy: from {} to {}: dtype and shape must agree", from.to_string(), to.to_string()));
  }
  jit.function("copy")(stream, from, to);
}

MaybeCopied contiguous(const Jit& jit, StreamRef stream, const TensorView& view) {
  if (view.is_contiguous()) return {view, std::nullopt};
  Tensor owner = jit.device().empty(view.dtype(), view.shape());
  copy(jit, stream, view, owner);
  const TensorView whole = owner;
  return {whole, std::move(owner)};
}

MaybeCopied reshape(const Jit& jit, StreamRef stream, const TensorView& view, std::span<const std::int64_t> shape) {
  const TensorView packed =
      TensorView(view.data(), view.dtype(), view.shape()).view(shape);  // throws where no copy would help
  try {
    return {view.view(shape), std::nullopt};
  } catch (const InvalidArgument&) {  // the strides do not allow it
    MaybeCopied copied = contiguous(jit, stream, view);
    copied.view = TensorView(copied.view.data(), view.dtype(), packed.shape());
    return copied;
  }
}

MaybeCopied reshape(const Jit& jit, StreamRef stream, const TensorView& view,
                    std::initializer_list<std::int64_t> shape) {
  return reshape(jit, stream, view, std::span(shape.begin(), shape.size()));
}

}  // namespace tilejit
