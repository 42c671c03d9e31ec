#pragma once
#include <string>

#include <tilejit/generator/codegen.h>

namespace tilejit {

/// A tensor argument, what is known of it, and its place among the tensors.
struct TensorArgument {
  const ArgumentInfo& info;
  const TensorSpecialization& specialization;
  int index = 0;
};
std::vector<TensorArgument> tensor_arguments(const Template& kernel, const Specialization& specialization);

/// The value of an expression that depends on constants and element sizes alone. InvalidArgument: outside of
/// [lowest, highest]; `what` names it.
std::int64_t compile_time_value(const Expression& expression, const Template& kernel,
                                const Specialization& specialization, const std::string& what, std::int64_t lowest,
                                std::int64_t highest);

/// The type view_NAME of a tensor argument, as templates/block/tensor.cuh says.
std::string view_type(const Template& kernel, const Specialization& specialization, const TensorArgument& tensor);

/// The expression that makes it from the entry's parameters.
std::string view_value(const TensorArgument& tensor);

/// How the entry names a parameter.
std::string parameter_name(const Template& kernel, const Parameter& parameter);

}  // namespace tilejit
