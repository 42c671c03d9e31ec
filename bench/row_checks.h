#pragma once
#include <span>
#include <string>
#include <string_view>

#include <tilejit/runtime/device.h>

namespace tilejit::bench {

[[noreturn]] void wrong(const std::string& work, std::span<const std::int64_t> at);  ///< Error: which element of which

/// y[i] is the sum of x's row i: the first, the middle and the last row. Error where one is wrong.
void check_sums(const Device& device, const std::string& work, const TensorView& x, const TensorView& y);

/// y is op (softmax, log_softmax, layernorm or rmsnorm without weight and bias) of the row x: every 97th element. Error
/// where one is wrong.
void check_row(const Device& device, const std::string& work, std::string_view op, const TensorView& x,
               const TensorView& y);

}  // namespace tilejit::bench
