#include <tilejit/generator/nvrtc.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include <tilejit/generator/error.h>
#include <tilejit/generator/nvrtc_library.h>

namespace tilejit {

struct Nvrtc::Impl {
  NvrtcFile file;
  std::string why_none;  // not empty: there is no file
  std::mutex mutex;
  std::optional<NvrtcTable> table;
  std::atomic<bool> loaded{false};
  std::atomic<unsigned long> compiles{0};

  void require_file() const {
    if (!why_none.empty()) throw ToolchainError(why_none);
  }
};

Nvrtc::Nvrtc(const std::string& path) : impl_(std::make_shared<Impl>()) {
  try {
    impl_->file = find_nvrtc(path);
  } catch (const ToolchainError& error) {
    impl_->why_none = error.what();
  }
}

Nvrtc::Nvrtc(NvrtcFile file, const NvrtcTable& table) : impl_(std::make_shared<Impl>()) {
  impl_->file = std::move(file);
  impl_->table = table;
  impl_->loaded = true;
}

const NvrtcFile& Nvrtc::file() const {
  impl_->require_file();
  return impl_->file;
}

const NvrtcTable& Nvrtc::table() const {
  impl_->require_file();
  if (!impl_->loaded) {
    const std::lock_guard guard(impl_->mutex);
    if (!impl_->table) impl_->table = load_nvrtc(impl_->file);
    impl_->loaded = true;
  }
  return *impl_->table;
}

bool Nvrtc::loaded() const { return impl_->loaded; }

std::string Nvrtc::version() const {
  int major = 0, minor = 0;
  table().version(&major, &minor);
  return std::to_string(major) + "." + std::to_string(minor);
}

std::vector<int> Nvrtc::archs() const {
  int count = 0;
  if (table().num_supported_archs(&count) != 0 || count <= 0) return {};
  std::vector<int> archs(static_cast<std::size_t>(count));
  if (table().supported_archs(archs.data()) != 0) return {};
  return archs;
}

unsigned long Nvrtc::compiles() const { return impl_->compiles; }
void Nvrtc::count_compile() const { ++impl_->compiles; }

}  // namespace tilejit
