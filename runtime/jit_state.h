#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <tilejit/cache/store.h>
#include <tilejit/generator/nvrtc.h>
#include <tilejit/runtime/device_state.h>
#include <tilejit/runtime/dispatch.h>
#include <tilejit/runtime/jit.h>
#include <tilejit/runtime/kernel_map.h>
#include <tilejit/runtime/tuning/tuning_store.h>

namespace tilejit {

/// How a JitFunction differs from its template's plain one.
struct Flavour {
  FixedStrides fixed;
  std::optional<Config> pinned;
  std::optional<std::array<std::int64_t, 3>> programs;
  bool debug = false;
  std::string text() const;  ///< equal texts: equal flavours
};

/// One template on one device: what is loaded, and what is settled for which call. `mutex` is held by every call that
/// is not warm.
struct LoadedTemplate {
  LoadedTemplate(std::shared_ptr<const Template> source_, int max_variants)
      : source(std::move(source_)), kernels(dispatch, max_variants) {}
  const std::shared_ptr<const Template> source;
  Dispatch dispatch;
  std::mutex mutex;
  KernelMap kernels;                              ///< under mutex
  std::map<std::string, std::uint32_t> flavours;  ///< under mutex: numbers that enter signatures
};

struct LoadedOp;

struct Jit::State {
  State(const Device& device_, const Options& options_);

  const Device device;
  const Options options;
  const Logger log, tuning_log, progress_log;
  TemplateLibrary library;
  Nvrtc nvrtc;
  Store store;
  TuningStore tuning;
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<LoadedTemplate>, std::less<>> templates;  ///< under mutex; by name and text
  std::map<std::string, std::shared_ptr<LoadedOp>, std::less<>> ops;              ///< under mutex; by name, or formula
  std::atomic<bool> said_newer{false};                                            ///< that the GPU is newer than NVRTC
  std::atomic<unsigned long> cache_hits{0}, loads{0}, tunings{0}, trials{0};

  const Driver& driver() const { return *device.state()->driver; }
  std::shared_ptr<LoadedTemplate> loaded_template(std::string_view name);
  std::shared_ptr<LoadedTemplate> loaded_template(std::shared_ptr<const Template> source);
  const TemplateLibrary& own_templates();  ///< TileJIT's own alone: what ops are made of

 private:
  std::optional<TemplateLibrary> own_;  ///< under mutex while it is made
};

struct JitFunction::State {
  std::shared_ptr<Jit::State> jit;
  std::shared_ptr<LoadedTemplate> loaded;
  Flavour flavour;
  std::uint32_t flavour_id = 0;
  std::optional<Config> first;                                 ///< of a step: what runs where nothing was tuned
  bool is_step = false;                                        ///< of an op, which has looked at overlaps and addresses
  std::shared_ptr<LoadedOp> op;                                ///< of an op; then there is no `loaded`
  std::vector<std::pair<std::string, std::int64_t>> settings;  ///< of an op: for its main step
};

}  // namespace tilejit
