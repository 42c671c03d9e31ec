#pragma once
#include <array>
#include <string_view>

#include <tilejit/generator/formula.h>

namespace tilejit {

/// A function that a formula may call.
struct FormulaFunction {
  std::string_view name;
  Formula::Operation operation;
  int arguments;
  bool keeps_integers;  ///< of integers it gives the integer that it gives of reals
};

inline constexpr std::array<FormulaFunction, 24> formula_functions{{
    {"abs", Formula::Operation::absolute, 1, true}, {"ceil", Formula::Operation::ceil, 1, true},
    {"cos", Formula::Operation::cos, 1, false},     {"erf", Formula::Operation::erf, 1, false},
    {"exp", Formula::Operation::exp, 1, false},     {"exp2", Formula::Operation::exp2, 1, false},
    {"floor", Formula::Operation::floor, 1, true},  {"fma", Formula::Operation::fma, 3, true},
    {"gelu", Formula::Operation::gelu, 1, false},   {"log", Formula::Operation::log, 1, false},
    {"log2", Formula::Operation::log2, 1, false},   {"max", Formula::Operation::maximum, 2, true},
    {"min", Formula::Operation::minimum, 2, true},  {"pow", Formula::Operation::pow, 2, false},
    {"relu", Formula::Operation::relu, 1, true},    {"round", Formula::Operation::round, 1, true},
    {"rsqrt", Formula::Operation::rsqrt, 1, false}, {"sigmoid", Formula::Operation::sigmoid, 1, false},
    {"silu", Formula::Operation::silu, 1, false},   {"sin", Formula::Operation::sin, 1, false},
    {"sqrt", Formula::Operation::sqrt, 1, false},   {"tanh", Formula::Operation::tanh, 1, false},
    {"trunc", Formula::Operation::trunc, 1, true},  {"where", Formula::Operation::where, 3, true},
}};

}  // namespace tilejit
