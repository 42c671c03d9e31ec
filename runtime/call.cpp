#include <tilejit/runtime/call.h>

#include <fmt/format.h>

#include <bit>

#include <tilejit/generator/error.h>
#include <tilejit/runtime/sum_factor.h>

namespace tilejit {
namespace {

std::string declared(const Template& kernel) {
  std::string text = kernel.name + "(";
  for (const ArgumentInfo& argument : kernel.info.arguments) {
    if (&argument != &kernel.info.arguments.front()) text += ", ";
    text += argument.name;
    if (argument.kind == ArgumentInfo::Kind::scalar) text += fmt::format(": {}", name_of(argument.dtype));
  }
  return text + ")";
}

bool may_be_left_out(const ArgumentInfo& info) {
  return info.kind == ArgumentInfo::Kind::tensor ? info.optional : info.default_value.has_value();
}

const TensorView& absent_tensor() { return *Argument(nullptr).tensor(); }

/// What factor_of asks of the scalars that are values; one in device memory is cast by the kernel.
void check_factors(const Template& kernel, const Call& call) {
  const std::vector<ArgumentInfo>& infos = kernel.info.arguments;
  int scalar = 0;
  for (const ArgumentInfo& info : infos) {
    if (info.kind != ArgumentInfo::Kind::scalar) continue;
    const int at = scalar++;
    if (info.factor_of.empty() || call.is_in_memory(at)) continue;
    std::size_t tensor = 0;
    for (const ArgumentInfo& other : infos) {
      if (other.kind != ArgumentInfo::Kind::tensor) continue;
      const TensorView& view = *call.tensors()[tensor++];
      if (other.name != info.factor_of) continue;
      check_sum_factor(kernel.name, info.name, std::bit_cast<double>(call.scalars()[std::size_t(at)]), view.dtype());
    }
  }
}

void refuse_overlap(const Template& kernel, const std::string& written, const std::string& other, Overlap found) {
  if (found == Overlap::no) return;
  const char* verb = found == Overlap::yes ? "overlaps" : "may overlap";
  const std::string whom = written == other ? std::string("itself") : other;
  throw InvalidArgument(
      fmt::format("{}: {} is written and {} {}{}", kernel.name, written, verb, whom,
                  written == other ? " (two of its elements share memory)" : "; give the output memory of its own"));
}

}  // namespace

void read_arguments(const Template& kernel, std::span<const Argument> args, Call& call) {
  const std::vector<ArgumentInfo>& infos = kernel.info.arguments;
  const auto wrong_count = [&] {
    std::size_t least = infos.size();  // what stands behind may be left out
    while (least > 0 && may_be_left_out(infos[least - 1])) --least;
    const std::string takes =
        least < infos.size() ? fmt::format("{} to {}", least, infos.size()) : std::to_string(least);
    return InvalidArgument(fmt::format("{} takes {} argument{}, {} given: {}", kernel.name, takes,
                                       takes == "1" ? "" : "s", args.size(), declared(kernel)));
  };
  if (args.size() > infos.size() || infos.size() > max_arguments) throw wrong_count();
  for (std::size_t i = 0; i < infos.size(); ++i) {
    const ArgumentInfo& info = infos[i];
    if (i >= args.size()) {  // what may be left out at the end
      if (info.kind == ArgumentInfo::Kind::tensor && info.optional) {
        call.tensor_storage[call.tensor_count++] = &absent_tensor();
      } else if (info.kind == ArgumentInfo::Kind::scalar && info.default_value) {
        call.scalar_storage[call.scalar_count++] = Scalar(*info.default_value).bits_as(info.dtype, info.name);
      } else {
        throw wrong_count();
      }
      continue;
    }
    const TensorView* tensor = args[i].tensor();
    if (info.kind == ArgumentInfo::Kind::scalar) {
      if (tensor != nullptr) {
        if (!tensor->present() || tensor->rank() != 0 || tensor->dtype() != info.dtype) {
          throw InvalidArgument(
              fmt::format("{}: {} is a scalar ({}): a value or a tensor of rank 0 and that dtype; given {}",
                          kernel.name, info.name, name_of(info.dtype), tensor->to_string()));
        }
        if (reinterpret_cast<std::uintptr_t>(tensor->data()) % static_cast<std::uintptr_t>(size_of(info.dtype)) != 0) {
          throw InvalidArgument(fmt::format("{}: {} lies at {}, which is not aligned to its {} bytes", kernel.name,
                                            info.name, tensor->data(), size_of(info.dtype)));
        }
        call.in_memory |= 1u << call.scalar_count;
        call.scalar_view_storage[call.scalar_count] = tensor;
        call.scalar_storage[call.scalar_count++] = reinterpret_cast<std::uintptr_t>(tensor->data());
        continue;
      }
      call.scalar_storage[call.scalar_count++] = args[i].scalar().bits_as(info.dtype, info.name);
      continue;
    }
    if (tensor == nullptr) {
      throw InvalidArgument(fmt::format("{}: {} is a tensor, the scalar {} was given", kernel.name, info.name,
                                        args[i].scalar().to_string()));
    }
    if (!tensor->present() && !info.optional) {
      throw InvalidArgument(fmt::format("{}: {} is not optional", kernel.name, info.name));
    }
    call.tensor_storage[call.tensor_count++] = tensor;
  }
  if (call.scalar_count > 0) check_factors(kernel, call);
}

Problem problem_of(const Template& kernel, const Call& call) {
  Problem problem;
  problem.tensors.reserve(call.tensor_count);
  for (const TensorView* view : call.tensors()) problem.tensors.push_back(view->problem());
  for (const ArgumentInfo& info : kernel.info.arguments) {
    if (info.kind != ArgumentInfo::Kind::scalar) continue;
    problem.scalars.emplace_back(info.dtype, call.is_in_memory(static_cast<int>(problem.scalars.size())));
  }
  return problem;
}

void check_overlap(const Template& kernel, const Call& call) {
  const std::vector<ArgumentInfo>& infos = kernel.info.arguments;
  const std::span<const TensorView* const> tensors = call.tensors();
  std::size_t i = 0;
  for (const ArgumentInfo& info : infos) {
    if (info.kind != ArgumentInfo::Kind::tensor) continue;
    const TensorView& written = *tensors[i++];
    if (info.access == Access::read || !written.present()) continue;
    std::size_t k = 0;
    for (const ArgumentInfo& other : infos) {
      if (other.kind != ArgumentInfo::Kind::tensor) continue;
      const TensorView& view = *tensors[k++];
      if (&other == &info || !view.present()) continue;
      if (k < i && other.access != Access::read) continue;  // that pair was looked at from the other side
      refuse_overlap(kernel, info.name, other.name, overlap(written, view));
    }
    if (call.in_memory == 0) continue;
    int scalar = 0;
    for (const ArgumentInfo& other : infos) {
      if (other.kind != ArgumentInfo::Kind::scalar) continue;
      if (call.is_in_memory(scalar)) {
        refuse_overlap(kernel, info.name, other.name, overlap(written, *call.scalar_view_storage[scalar]));
      }
      ++scalar;
    }
  }
}

void check_self_overlap(const Template& kernel, std::span<const TensorView* const> tensors) {
  std::size_t i = 0;
  for (const ArgumentInfo& info : kernel.info.arguments) {
    if (info.kind != ArgumentInfo::Kind::tensor) continue;
    const TensorView& view = *tensors[i++];
    if (info.access == Access::read || !view.present()) continue;
    refuse_overlap(kernel, info.name, info.name, self_overlap(view));
  }
}

}  // namespace tilejit
