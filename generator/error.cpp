#include <tilejit/generator/error.h>

#include <utility>

namespace tilejit {

Error::~Error() = default;

TemplateError::TemplateError(std::string file, int line, int column, const std::string& what_is_wrong)
    : Error(file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + what_is_wrong),
      file_(std::move(file)),
      line_(line),
      column_(column) {}
TemplateError::~TemplateError() = default;

InvalidArgument::~InvalidArgument() = default;

CompileError::CompileError(const std::string& what, std::string log, std::string source)
    : Error(what), log_(std::move(log)), source_(std::move(source)) {}
CompileError::~CompileError() = default;

ToolchainError::~ToolchainError() = default;

}  // namespace tilejit
