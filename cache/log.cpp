#include <tilejit/cache/log.h>

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <utility>

namespace tilejit {
namespace {

spdlog::level::level_enum level_of(LogLevel level) {
  switch (level) {
    case LogLevel::trace:
      return spdlog::level::trace;
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
    case LogLevel::off:
      return spdlog::level::off;
  }
  return spdlog::level::off;
}

}  // namespace

struct Logger::Target {
  std::string name;
  LogLevel level;
  LogSink sink;
  std::shared_ptr<spdlog::logger> stderr_logger;  // where there is no sink of the caller's
};

Logger::Logger() = default;

Logger::Logger(std::string_view name, const LogOptions& options) {
  auto target = std::make_shared<Target>(Target{std::string(name), options.level, options.sink, nullptr});
  if (!target->sink) {
    // Made by hand: spdlog's registry is the process's, and so not ours to fill.
    auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    target->stderr_logger = std::make_shared<spdlog::logger>(target->name, std::move(sink));
    target->stderr_logger->set_pattern("%n: %l: %v");
    target->stderr_logger->set_level(level_of(options.level));
    target->stderr_logger->flush_on(spdlog::level::trace);
    target->stderr_logger->set_error_handler([](const std::string&) {});
  }
  target_ = std::move(target);
}

bool Logger::enabled(LogLevel level) const noexcept {
  return target_ != nullptr && level != LogLevel::off && level >= target_->level;
}

void Logger::write(LogLevel level, std::string_view message) const noexcept {
  if (!enabled(level)) return;
  try {
    if (target_->sink) {
      target_->sink(level, target_->name, message);
    } else {
      target_->stderr_logger->log(level_of(level), spdlog::string_view_t(message.data(), message.size()));
    }
  } catch (...) {
    // A log that cannot be written must not change what the program does.
  }
}

}  // namespace tilejit
