#pragma once
#include <string>

#include <tilejit/generator/front_matter.h>
#include <tilejit/generator/problem.h>

namespace tilejit {

/// Why no TMA map can describe a tensor as this argument wants it ("axis 0 has stride 33 ..."); empty: one can.
TILEJIT_API std::string why_no_map(const ArgumentInfo& info, const TensorProblem& tensor);

}  // namespace tilejit
