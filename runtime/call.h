#pragma once
#include <array>
#include <cstdint>
#include <span>

#include <tilejit/generator/template_library.h>
#include <tilejit/runtime/jit_function.h>

namespace tilejit {

inline constexpr int max_arguments = 32;

/// A call's arguments sorted into what a launch needs, on the stack. Views are borrowed; scalars are bits of the
/// declared dtypes, or the device address of one that lies in memory.
struct Call {
  std::array<const TensorView*, max_arguments> tensor_storage;
  std::array<std::uint64_t, max_arguments> scalar_storage;
  std::array<const TensorView*, max_arguments> scalar_view_storage;  ///< where in_memory says so
  int tensor_count = 0, scalar_count = 0;
  std::uint32_t in_memory = 0;  ///< a bit a scalar
  std::uint32_t floating = 0;   ///< of an op's scalars without a declared dtype: a bit where the bits are a double's
  std::size_t pointer_count() const { return std::size_t(tensor_count + scalar_count); }
  bool is_in_memory(int scalar) const { return (in_memory >> scalar & 1) != 0; }
  std::span<const TensorView* const> tensors() const { return {tensor_storage.data(), std::size_t(tensor_count)}; }
  std::span<const std::uint64_t> scalars() const { return {scalar_storage.data(), std::size_t(scalar_count)}; }
};

/// InvalidArgument: another count than the template declares, a tensor where a scalar is declared or the other way
/// round, an absent tensor that is not optional, a scalar that does not convert exactly, a tensor for a scalar that is
/// not of rank 0 and the declared dtype, a factor of sums that their type does not hold.
void read_arguments(const Template& kernel, std::span<const Argument> args, Call& call);

/// The Problem of a call whose kinds are settled.
Problem problem_of(const Template& kernel, const Call& call);

/// InvalidArgument where a tensor that is written overlaps another argument, by name; also where that cannot be
/// decided. Depends on addresses: asked on every call.
void check_overlap(const Template& kernel, const Call& call);

/// InvalidArgument where two elements of a tensor that is written share memory, or might.
void check_self_overlap(const Template& kernel, std::span<const TensorView* const> tensors);

}  // namespace tilejit
