#include <tilejit/bench/cub.h>

#include <cuda.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

namespace tilejit::bench {

struct Cub::Entries {
  void* library = nullptr;
  int (*row_sums)(int, const void*, float*, long long, long long, void*, std::size_t*, CUstream) = nullptr;
  int (*sum)(int, const void*, float*, long long, void*, std::size_t*, CUstream) = nullptr;
};

Cub::Cub(std::unique_ptr<Entries> entries) : entries_(std::move(entries)) {}
Cub::~Cub() { dlclose(entries_->library); }

std::unique_ptr<Cub> Cub::open(std::string& why) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string file = (program.parent_path() / "libtilejit_bench_cub.so").string();
  auto entries = std::make_unique<Entries>();
  entries->library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (entries->library == nullptr) {
    why = fmt::format("not built: no nvcc was found ({})", dlerror());
    return nullptr;
  }
  const auto find = [&](const char* name, auto& entry) {
    entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(dlsym(entries->library, name));
    if (entry == nullptr) why = fmt::format("{} has no {}", file, name);
  };
  find("tilejit_cub_row_sums", entries->row_sums);
  find("tilejit_cub_sum", entries->sum);
  auto cub = std::unique_ptr<Cub>(new Cub(std::move(entries)));
  return why.empty() ? std::move(cub) : nullptr;
}

std::function<void()> Cub::sum(const Device& device, const TensorView& x, const TensorView& y, bool whole,
                               StreamRef stream) const {
  const Entries& entries = *entries_;
  const bool bf16 = x.dtype() == DType::bf16;
  const long long rows = whole ? 1 : x.shape()[0], columns = x.elements() / rows;
  const auto call = [&entries, bf16, rows, columns, whole, in = x.data(), out = static_cast<float*>(y.data()),
                     handle = stream.handle()](void* workspace, std::size_t* bytes) {
    const int status = whole ? entries.sum(bf16, in, out, columns, workspace, bytes, handle)
                             : entries.row_sums(bf16, in, out, rows, columns, workspace, bytes, handle);
    if (status != 0) throw Error(fmt::format("CUB: error {}", status));
  };
  std::size_t bytes = 0;
  call(nullptr, &bytes);
  const auto workspace = std::make_shared<Tensor>(device.empty(DType::u8, {std::int64_t(bytes) + 1}));
  return [call, workspace, bytes]() mutable { call(workspace->data(), &bytes); };
}

}  // namespace tilejit::bench
