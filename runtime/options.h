#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tilejit/cache/log.h>
#include <tilejit/generator/template_library.h>
#include <tilejit/runtime/handles.h>

namespace tilejit {

enum class DeviceKind { gpu, emulated, any };

enum class Tuning {
  first_run,  ///< a Problem of a new bucket is tuned on its first call
  off,        ///< a stored result, else the default Config
};

/// Device memory for scratch and workspace, on the stream that uses it.
struct Allocator {
  std::function<DevicePointer(std::size_t bytes, StreamHandle stream)> allocate;
  std::function<void(DevicePointer pointer, StreamHandle stream)> release;
};

/// Read once, when a Jit or a Device is made. What is set in code beats the environment, which beats the defaults.
/// A variable that is set but empty counts as not set, except TILEJIT_CACHE_DIR. Programs with raised privileges
/// (setuid) see no variable at all.
struct TILEJIT_API Options {
  /// TILEJIT_CACHE_DIR, else XDG_CACHE_HOME/tilejit, else HOME/.cache/tilejit (absolute ones count); "": memory only.
  std::optional<std::string> cache_root;
  std::optional<DeviceKind>
      any;  ///< what DeviceKind::any stands for; TILEJIT_DEVICE=gpu|emulated; default: a GPU if any
  std::optional<std::string> nvrtc;          ///< TILEJIT_NVRTC: a libnvrtc file
  std::optional<std::string> emulator;       ///< a libtilejit_emulated_cuda.so
  std::optional<Tuning> tuning;              ///< TILEJIT_TUNING=first_run|off; default first_run
  std::optional<LogLevel> log_level;         ///< TILEJIT_LOG=trace|debug|info|warning|error|off; default warning
  LogSink log;                               ///< empty: standard error
  std::vector<std::string> template_paths;   ///< TILEJIT_TEMPLATES, separated by ':', goes before these
  std::vector<EmbeddedTemplates> templates;  ///< of the program's own
  std::optional<Allocator> allocator;        ///< default: cuMemAllocAsync on the stream
  int max_variants = 64;                     ///< loaded kernels a template and device; least recently used goes

  /// `given`, with what it leaves open taken from the environment and the defaults. What has no default (nvrtc,
  /// emulator, any, allocator) stays open. InvalidArgument: a variable's value is not one of those listed (variable and
  /// value named).
  static Options resolve(const Options& given);
  static Options resolve();  ///< all from the environment and the defaults
};

}  // namespace tilejit
