#pragma once
#include <stdexcept>
#include <string>

#include <tilejit/cache/export.h>

namespace tilejit {

/// The base of everything that TileJIT throws on purpose.
class TILEJIT_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~Error() override;
};

/// A template that cannot be read: "file:line:column: what was expected".
class TILEJIT_API TemplateError : public Error {
 public:
  TemplateError(std::string file, int line, int column, const std::string& what_is_wrong);
  ~TemplateError() override;
  const std::string& file() const { return file_; }
  int line() const { return line_; }      ///< from 1
  int column() const { return column_; }  ///< from 1

 private:
  std::string file_;
  int line_, column_;
};

/// A call that does not fit: names the argument, axis, limit or config, and what would fit.
class TILEJIT_API InvalidArgument : public Error {
 public:
  using Error::Error;
  ~InvalidArgument() override;
};

/// The template does not compile. what() holds the first error on the template's own line, and the whole log.
class TILEJIT_API CompileError : public Error {
 public:
  CompileError(const std::string& what, std::string log, std::string source);
  ~CompileError() override;
  const std::string& log() const { return log_; }
  const std::string& source() const { return source_; }

 private:
  std::string log_, source_;
};

/// No usable NVRTC, or an arch it does not know: what was looked for and where, or what is supported.
class TILEJIT_API ToolchainError : public Error {
 public:
  using Error::Error;
  ~ToolchainError() override;
};

}  // namespace tilejit
