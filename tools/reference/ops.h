#pragma once
#include <string_view>

#include <tilejit/tools/reference/reference.h>

namespace tilejit::tool {

/// What an op that is no formula computes, for tensors of any rank, slow and obvious, in double (integer sums in 64
/// bits). An absent tensor has no data. nullptr: no such op.
Reference op_reference_for(std::string_view op);

}  // namespace tilejit::tool
