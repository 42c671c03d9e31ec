#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <tilejit/cache/export.h>

namespace tilejit {

enum class LogLevel { trace, debug, info, warning, error, off };

/// Receives every message at or above the level. Called from any thread; must be safe for that and must not throw.
using LogSink = std::function<void(LogLevel level, std::string_view logger, std::string_view message)>;

struct LogOptions {
  LogLevel level = LogLevel::warning;
  LogSink sink;  ///< empty: standard error
};

/// A named logger ("tilejit.cache"). A cheap value; copies share one target. Safe from all threads; never throws.
class TILEJIT_API Logger {
 public:
  Logger();  ///< drops everything
  Logger(std::string_view name, const LogOptions& options);
  bool enabled(LogLevel level) const noexcept;
  void write(LogLevel level, std::string_view message) const noexcept;
  void debug(std::string_view message) const noexcept { write(LogLevel::debug, message); }
  void info(std::string_view message) const noexcept { write(LogLevel::info, message); }
  void warn(std::string_view message) const noexcept { write(LogLevel::warning, message); }
  void error(std::string_view message) const noexcept { write(LogLevel::error, message); }

 private:
  struct Target;
  std::shared_ptr<const Target> target_;
};

}  // namespace tilejit
