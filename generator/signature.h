#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tilejit {

/// A `__device__` function that a source file defines outside of classes, namespaces and other functions, as read
/// without a compiler: comments, literals and preprocessor lines skipped.
struct DeviceFunction {
  struct Parameter {
    std::string name;  ///< empty: it has none
    int line = 0, column = 0;
  };
  std::string name;
  int line = 0, column = 0;  ///< of the name, from 1
  std::vector<Parameter> parameters;
};

/// All of them, in the file's order. Never fails: what is not C++ holds no function.
std::vector<DeviceFunction> device_functions(std::string_view source);

}  // namespace tilejit
