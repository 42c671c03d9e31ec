#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tilejit/runtime/ops/op.h>

namespace tilejit {

/// The op of this name; nullptr: there is none.
TILEJIT_API std::shared_ptr<const Op> op_named(std::string_view name);
TILEJIT_API std::vector<std::string> op_names();  ///< sorted

/// InvalidArgument, with the names that come near, where `name` is neither an op nor one of the library's templates.
TILEJIT_API void check_known(std::string_view name, const TemplateLibrary& library);

/// The op "elementwise" of a caller's own formula. FormulaError: it does not parse.
TILEJIT_API std::shared_ptr<const Op> elementwise_op(std::string_view formula);

}  // namespace tilejit
