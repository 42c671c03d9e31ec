#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tilejit/generator/dtype.h>
#include <tilejit/generator/expression.h>

namespace tilejit {

enum class Access { read, write, update };
/// How a kernel gets at a tensor; `either`: by a pointer, and by a TMA map too where one can describe it and its last
/// axis has stride 1.
enum class Via { pointer, tma, either };

/// One axis of a declared shape: a size's name ("M"), or a fixed extent.
struct Dimension {
  std::string name;         ///< empty: fixed
  std::int64_t extent = 0;  ///< where fixed
  bool operator==(const Dimension&) const = default;
};

/// A TMA map's box and swizzle; axes as in the tensor's shape. They depend on constants and element sizes alone.
struct TmaMap {
  std::vector<Expression> box;        ///< elements, one an axis
  std::optional<Expression> swizzle;  ///< bytes: 0, 32, 64, 128; none: 0
};

/// One parameter of the template's function, in call order.
struct ArgumentInfo {
  enum class Kind { tensor, scalar } kind = Kind::tensor;
  std::string name;
  // tensors
  std::vector<Dimension> shape;
  Access access = Access::read;
  std::vector<DType> dtypes;  ///< what is allowed; empty: all
  std::string same_dtype_as;  ///< another tensor's name, one that is never absent and has its own dtype; empty: its own
  bool optional = false;
  Via via = Via::pointer;
  TmaMap map;
  // scalars
  DType dtype = DType::f32;
  std::optional<double> default_value;  ///< exact in `dtype`
  std::string factor_of;                ///< of an f64: the tensor whose products' sums it multiplies; empty: none
  std::vector<std::string> choices;     ///< of an op: what its values 0, 1, ... are called
  int line = 0, column = 0;             ///< where it stands in the file
};

/// One tuning axis: a constant (or num_warps, num_stages) and its candidates.
struct ConfigAxis {
  std::string name;
  std::vector<std::int64_t> values;
};

/// From 1, in the template's file.
struct SourcePosition {
  int line = 0, column = 0;
  bool operator==(const SourcePosition&) const = default;
};

/// A template's front matter, parsed and validated: everything that host API, tuner and tool know of it.
/// docs/front_matter.md lists every key.
struct FrontMatter {
  int version = 1;  ///< of the front matter's format
  std::string summary;
  std::vector<ArgumentInfo> arguments;
  std::vector<std::string> sizes;      ///< names in order of first use in shapes
  std::vector<std::string> constants;  ///< constexpr names in order: of [config], then of `default`; no
                                       ///< num_warps/num_stages
  std::vector<ConfigAxis> config;      ///< as [config] lists them
  std::vector<std::pair<std::string, std::int64_t>>
      default_config;                 ///< a value for each of: constants, num_warps, num_stages; in that order
  Symbols symbols;                    ///< what the expressions below are bound to; see ProblemScope in specialization.h
  std::vector<Expression> grid;       ///< 1 to 3, x first
  std::vector<Expression> where;      ///< which Configs count
  std::vector<Expression> requires_;  ///< conditions on the Problem; one that names an absent tensor does not count
  std::vector<std::string> needs;     ///< device features
  std::vector<Expression> cluster;    ///< 0 to 3; of constants and element sizes
  std::optional<Expression> min_blocks;  ///< a multiprocessor; of constants and element sizes
  std::optional<Expression> shared;      ///< dynamic shared memory, bytes
  std::optional<Expression> cost_bytes, cost_flops;
  double relative_tolerance = 0, absolute_tolerance = 0;
  std::optional<Expression> tolerance_terms;  ///< numbers that a result sums: the tuner lets sums of many differ more
  std::vector<std::string> options;           ///< for NVRTC
  std::vector<std::string> use;               ///< block headers it includes; empty: all of block.cuh
  std::vector<SourcePosition> use_at;         ///< where each of them stands
};

/// What `needs` may name.
std::vector<std::string> known_features();

/// The template's name: the file's, without folder and suffix. It is also the function's.
TILEJIT_API std::string template_name_of(std::string_view file);

/// Whether `source` starts with front matter, white space aside: whether it is a template or a header.
TILEJIT_API bool has_front_matter(std::string_view source);

/// `source` is a whole template file, `file` its name in errors and the source of the template's name. TemplateError
/// with file, line, column, what was expected and the nearest known name. Checked beyond each key's own form:
/// [[arguments]] equal the function's parameters, the default Config is complete, among the candidates and passes what
/// `where` says of constants alone, every name in an expression is known.
TILEJIT_API FrontMatter parse_front_matter(std::string_view source, const std::string& file);

}  // namespace tilejit
