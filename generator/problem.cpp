#include <tilejit/generator/problem.h>

#include <fmt/format.h>

#include <algorithm>

#include <tilejit/generator/error.h>

namespace tilejit {
namespace {

std::string declared(const ArgumentInfo& info) {
  std::string text = "(";
  for (const Dimension& dimension : info.shape)
    text +=
        (text.size() > 1 ? ", " : "") + (dimension.name.empty() ? std::to_string(dimension.extent) : dimension.name);
  return text + ")";
}

std::string given(const TensorProblem& tensor) {
  return fmt::format("({})", fmt::join(tensor.shape.begin(), tensor.shape.begin() + tensor.rank, ", "));
}

void check_dtype(const std::string& kernel, const ArgumentInfo& info, DType dtype) {
  if (info.dtypes.empty() || std::find(info.dtypes.begin(), info.dtypes.end(), dtype) != info.dtypes.end()) return;
  std::string allowed;
  for (DType each : info.dtypes) allowed += (allowed.empty() ? "" : ", ") + std::string(name_of(each));
  throw InvalidArgument(fmt::format("{}: {} is {}; it may be {}", kernel, info.name, name_of(dtype), allowed));
}

/// The tensor that first said how long a size is.
struct Origin {
  std::size_t tensor = 0;
  int axis = -1;
};

class SizeReader {
 public:
  SizeReader(const Template& kernel, const Problem& problem) : kernel_(kernel), problem_(problem) {
    for (const ArgumentInfo& argument : kernel.info.arguments)
      if (argument.kind == ArgumentInfo::Kind::tensor) infos_.push_back(&argument);
    sizes_.resize(kernel.info.sizes.size());
    origins_.resize(sizes_.size());
  }

  std::vector<std::int64_t> sizes() && {
    check_counts();
    for (std::size_t i = 0; i < infos_.size(); ++i) {
      if (problem_.tensors[i].present)
        read(i);
      else if (!infos_[i]->optional)
        throw InvalidArgument(fmt::format("{}: {} is missing, and it is not optional", kernel_.name, infos_[i]->name));
    }
    for (std::size_t i = 0; i < infos_.size(); ++i) check_same_dtype(i);
    return std::move(sizes_);
  }

 private:
  void check_counts() const {
    if (problem_.tensors.size() != infos_.size())
      throw InvalidArgument(
          fmt::format("{} takes {} tensors, {} were given", kernel_.name, infos_.size(), problem_.tensors.size()));
    const std::size_t scalars = kernel_.info.arguments.size() - infos_.size();
    if (problem_.scalars.size() != scalars)
      throw InvalidArgument(
          fmt::format("{} takes {} scalars, {} were given", kernel_.name, scalars, problem_.scalars.size()));
  }

  void read(std::size_t i) {
    const ArgumentInfo& info = *infos_[i];
    const TensorProblem& tensor = problem_.tensors[i];
    check_dtype(kernel_.name, info, tensor.dtype);
    if (tensor.rank != static_cast<int>(info.shape.size()))
      throw InvalidArgument(fmt::format("{}: {} has {} axes {}; {} axes {} are declared", kernel_.name, info.name,
                                        tensor.rank, given(tensor), info.shape.size(), declared(info)));
    for (int axis = 0; axis < tensor.rank; ++axis) {
      const auto at = static_cast<std::size_t>(axis);
      const Dimension& dimension = info.shape[at];
      if (!dimension.name.empty())
        read_size(i, axis, dimension.name);
      else if (tensor.shape[at] != dimension.extent)
        throw InvalidArgument(fmt::format("{}: axis {} of {} is {} long; {} is declared", kernel_.name, axis, info.name,
                                          tensor.shape[at], dimension.extent));
    }
  }

  void read_size(std::size_t i, int axis, const std::string& name) {
    const std::vector<std::string>& names = kernel_.info.sizes;
    const auto index = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    const std::int64_t extent = problem_.tensors[i].shape[static_cast<std::size_t>(axis)];
    Origin& origin = origins_[index];
    if (origin.axis < 0) {
      origin = {i, axis};
      sizes_[index] = extent;
    } else if (sizes_[index] != extent) {
      throw InvalidArgument(fmt::format("{}: {} is {} by axis {} of {} {} and {} by axis {} of {} {}", kernel_.name,
                                        name, sizes_[index], origin.axis, infos_[origin.tensor]->name,
                                        given(problem_.tensors[origin.tensor]), extent, axis, infos_[i]->name,
                                        given(problem_.tensors[i])));
    }
  }

  void check_same_dtype(std::size_t i) const {
    const std::string& other = infos_[i]->same_dtype_as;
    if (other.empty() || !problem_.tensors[i].present) return;
    for (std::size_t k = 0; k < infos_.size(); ++k)
      if (infos_[k]->name == other && problem_.tensors[k].dtype != problem_.tensors[i].dtype)
        throw InvalidArgument(fmt::format("{}: {} is {}; it must have the dtype of {}, which is {}", kernel_.name,
                                          infos_[i]->name, name_of(problem_.tensors[i].dtype), other,
                                          name_of(problem_.tensors[k].dtype)));
  }

  const Template& kernel_;
  const Problem& problem_;
  std::vector<const ArgumentInfo*> infos_;
  std::vector<std::int64_t> sizes_;
  std::vector<Origin> origins_;
};

}  // namespace

std::vector<std::int64_t> sizes_of(const Template& kernel, const Problem& problem) {
  return SizeReader(kernel, problem).sizes();
}

std::array<std::int64_t, max_rank> settled_strides(const TensorProblem& tensor) {
  std::array<std::int64_t, max_rank> strides = tensor.strides;
  for (int axis = tensor.rank - 1; axis >= 0; --axis) {
    const auto at = static_cast<std::size_t>(axis);
    if (tensor.shape[at] > 1) continue;
    if (axis == tensor.rank - 1)
      strides[at] = 1;
    else  // wraps where it is beyond int64: no element depends on it
      strides[at] =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(strides[at + 1]) *
                                    static_cast<std::uint64_t>(std::max<std::int64_t>(tensor.shape[at + 1], 1)));
  }
  return strides;
}

int unit_stride_axis(const TensorProblem& tensor) {
  for (int axis = tensor.rank - 1; axis >= 0; --axis)
    if (tensor.strides[static_cast<std::size_t>(axis)] == 1 && tensor.shape[static_cast<std::size_t>(axis)] > 1)
      return axis;
  const int last = tensor.rank - 1;
  return last >= 0 && tensor.shape[static_cast<std::size_t>(last)] <= 1 ? last : -1;
}

int alignment_class(const TensorProblem& tensor, const std::string& tensor_name) {
  const int size = static_cast<int>(size_of(tensor.dtype));
  if (tensor.address_align < size)
    throw InvalidArgument(fmt::format("{}: the address is aligned to {} bytes, an element of {} needs {}", tensor_name,
                                      tensor.address_align, name_of(tensor.dtype), size));
  const int unit = unit_stride_axis(tensor);
  if (unit < 0) return size;
  // Only the low bits count, so a product that wraps does no harm.
  std::uint64_t bits = 16 | static_cast<std::uint64_t>(tensor.address_align);
  for (int axis = 0; axis < tensor.rank; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    const std::int64_t count = axis == unit ? tensor.shape[at] : tensor.shape[at] > 1 ? tensor.strides[at] : 0;
    bits |= static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size);
  }
  return static_cast<int>(bits & (~bits + 1));
}

}  // namespace tilejit
