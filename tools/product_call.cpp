#include <tilejit/tools/product_call.h>

#include <algorithm>
#include <cmath>

namespace tilejit::tool {
namespace {

/// Of sums of k products of values that spread about 0 alike; what is stored in 16 bits is compared with the reference
/// rounded to it.
double bound(DType operands, DType result, bool tf32, std::int64_t k) {
  if (!is_floating(result)) return 0;
  const auto narrow = [](DType dtype) { return size_of(dtype) <= 2; };
  if (narrow(operands) || narrow(result)) return 1e-2;
  if (tf32) return 1e-3;
  const double terms = std::sqrt(double(std::max<std::int64_t>(k, 32))) / 32;
  return operands == DType::f64 && result == DType::f64 ? 1e-14 * terms : 1e-5 * terms;
}

}  // namespace

std::optional<ProductCall> product_of(const OpCall& call) {
  if (call.op->name() != "matmul" || call.call.arguments.empty()) return std::nullopt;
  const auto& arguments = call.call.arguments;
  const auto& a = std::get<TensorArgument>(arguments[0]);
  const auto& c = std::get<TensorArgument>(arguments[2]);
  ProductCall product;
  product.m = c.shape[0], product.n = c.shape[1], product.k = a.shape[1];
  product.flops = 2 * product.m * product.n * product.k;
  product.bytes = bytes_of(call.call);
  if (call.call.kernel->info.arguments[2].access == Access::update)
    product.bytes += product.m * product.n * std::int64_t(size_of(c.dtype));
  const bool tf32 = std::get<Argument>(arguments[8]).scalar().as_integer() == 1;
  product.arithmetic = tf32 ? "tf32" : std::string(name_of(a.dtype));
  product.norm_bound = bound(a.dtype, c.dtype, tf32, product.k);
  return product;
}

}  // namespace tilejit::tool
