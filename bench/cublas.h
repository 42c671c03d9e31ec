#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <tilejit/runtime/device.h>

namespace tilejit::bench {

/// cuBLAS and cublasLt by dlopen, with a workspace of 32 MiB on one stream. Not found: open() says what was looked for.
class Cublas {
 public:
  /// Null where the libraries are not there; `why` then says so.
  static std::unique_ptr<Cublas> open(const Device& device, StreamRef stream, std::string& why);
  ~Cublas();
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  /// The ways that cuBLAS has for c = a b (2-D views, one unit-stride axis each, c's rows contiguous): cublasGemmEx
  /// first, then what at most 8 heuristics of cublasLt propose. f32 is computed in f32. Each enqueues one product;
  /// Error where the library refuses a shape that GemmEx should take. The views' memory must outlive what is returned.
  struct Way {
    std::string name;
    std::function<void()> run;
  };
  std::vector<Way> ways(const TensorView& a, const TensorView& b, const TensorView& c) const;

 private:
  struct Impl;
  explicit Cublas(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tilejit::bench
