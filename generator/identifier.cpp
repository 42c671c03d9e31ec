#include <tilejit/generator/identifier.h>

#include <algorithm>
#include <string>

namespace tilejit {
namespace {

constexpr std::string_view keywords =
    " __constant__ __device__ __global__ __host__ __managed__ __restrict__ __shared__ alignas alignof and and_eq"
    " asm auto bitand bitor blockDim blockIdx bool break case catch char char16_t char32_t char8_t class co_await"
    " co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default"
    " delete do double dynamic_cast else enum explicit export extern false float for friend goto gridDim if inline"
    " int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public"
    " register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch"
    " template this threadIdx thread_local throw true try typedef typeid typename union unsigned using virtual"
    " void volatile warpSize wchar_t while xor xor_eq"
    " ";

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

bool is_identifier(std::string_view text) {
  return !text.empty() && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

bool is_keyword(std::string_view text) {
  return is_identifier(text) && keywords.find(" " + std::string(text) + " ") != keywords.npos;
}

}  // namespace tilejit
