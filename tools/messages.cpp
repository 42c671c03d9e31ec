#include <tilejit/tools/messages.h>

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

namespace tilejit::tool {

struct Messages::Kept {
  mutable std::mutex mutex;
  std::vector<std::string> lines;
};

Messages::Messages() : kept_(std::make_shared<Kept>()) {}

void Messages::listen(Options& options, bool keep) {
  const LogLevel seen = options.log_level.value_or(LogLevel::warning);
  const bool progress = seen <= LogLevel::warning;
  options.log_level = keep || progress ? std::min(seen, LogLevel::info) : seen;
  options.log = [kept = kept_, seen, progress, keep](LogLevel level, std::string_view logger,
                                                     std::string_view message) {
    const bool waiting = progress && logger == "tilejit.progress";
    const std::lock_guard lock(kept->mutex);
    if (keep && level >= LogLevel::info && !waiting) kept->lines.push_back(fmt::format("{}: {}", logger, message));
    if (waiting) {
      fmt::print(stderr, "tilejit: {}\n", message);
    } else if (level >= seen) {
      const char* word = level < LogLevel::info      ? "debug"
                         : level < LogLevel::warning ? "info"
                         : level < LogLevel::error   ? "warning"
                                                     : "error";
      fmt::print(stderr, "{}: {}: {}\n", logger, word, message);
    }
  };
}

std::vector<std::string> Messages::lines() const {
  const std::lock_guard lock(kept_->mutex);
  return kept_->lines;
}

}  // namespace tilejit::tool
