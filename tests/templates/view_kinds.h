#pragma once
#include <array>
#include <string>
#include <vector>

#include <tilejit/generator/problem.h>
#include <tilejit/tests/templates/tensor_case.h>

namespace tilejit::test {

using Shape = std::array<std::int64_t, 2>;
using Strides = std::vector<std::int64_t>;

/// A way in which a tensor of two axes may lie in memory.
struct ViewKind {
  std::string name;
  Strides (*strides)(const Shape& shape);
  std::int64_t offset = 0;

  ViewSpec of(DType dtype, const Shape& shape) const {
    return {dtype, {shape[0], shape[1]}, strides(shape), offset, false};
  }
  ViewSpec output(DType dtype, const Shape& shape) const {
    return {dtype, {shape[0], shape[1]}, strides(shape), offset, true};
  }
};

/// Those whose elements are all places of their own.
inline const std::vector<ViewKind>& output_kinds() {
  static const std::vector<ViewKind> kinds{
      {"contiguous",
       [](const Shape& s) {
         return Strides{s[1], 1};
       }},
      {"transposed",
       [](const Shape& s) {
         return Strides{1, s[0]};
       }},
      {"offset",
       [](const Shape& s) {
         return Strides{s[1], 1};
       },
       1},
      {"padded",
       [](const Shape& s) {
         return Strides{s[1] + 16, 1};
       }},
      {"transposed and padded by 3",
       [](const Shape& s) {
         return Strides{1, s[0] + 3};
       }},
      {"columns stepped",
       [](const Shape& s) {
         return Strides{2 * s[1], 2};
       }},
      {"rows stepped",
       [](const Shape& s) {
         return Strides{2 * s[1], 1};
       }},
      {"columns backwards",
       [](const Shape& s) {
         return Strides{s[1], -1};
       }},
  };
  return kinds;
}

inline const std::vector<ViewKind>& input_kinds() {
  static const std::vector<ViewKind> kinds = [] {
    std::vector<ViewKind> all = output_kinds();
    all.push_back({"rows backwards", [](const Shape& s) { return Strides{-s[1], 1}; }});
    all.push_back({"rows repeated", [](const Shape&) { return Strides{0, 1}; }});
    all.push_back({"columns repeated", [](const Shape&) { return Strides{1, 0}; }});
    all.push_back({"one element", [](const Shape&) { return Strides{0, 0}; }});
    all.push_back({"overlapping rows", [](const Shape&) { return Strides{2, 1}; }});
    all.push_back({"stepped and turned", [](const Shape& s) { return Strides{3, 3 * s[0] + 1}; }});
    return all;
  }();
  return kinds;
}

inline const ViewKind& kind(const std::string& name) {
  for (const ViewKind& one : input_kinds())
    if (one.name == name) return one;
  throw std::invalid_argument("no such kind of view: " + name);
}

inline ViewSpec line_output(DType dtype, std::int64_t n, std::int64_t stride) {
  return {dtype, {n}, {stride}, 0, true};
}

/// What a call with this view would bring.
inline TensorProblem problem_of(const ViewSpec& view) {
  TensorProblem problem;
  problem.dtype = view.dtype;
  problem.rank = int(view.shape.size());
  std::copy(view.shape.begin(), view.shape.end(), problem.shape.begin());
  std::copy(view.strides.begin(), view.strides.end(), problem.strides.begin());
  return problem;
}

}  // namespace tilejit::test
