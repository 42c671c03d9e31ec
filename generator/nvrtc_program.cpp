#include <tilejit/generator/nvrtc_program.h>

#include <tilejit/generator/error.h>

namespace tilejit {
namespace {

/// NVRTC counts a final zero in the sizes of its texts.
std::string without_zero(std::string text) {
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

}  // namespace

NvrtcProgram::NvrtcProgram(const NvrtcTable& table, const GeneratedSource& source) : table_(table) {
  std::vector<const char*> texts, names;
  for (const SourceFile& header : source.headers) {
    texts.push_back(header.text.c_str());
    names.push_back(header.name.c_str());
  }
  check(table.create_program(&program_, source.text.c_str(), source.name.c_str(), static_cast<int>(names.size()),
                             texts.data(), names.data()),
        "nvrtcCreateProgram");
}

NvrtcProgram::~NvrtcProgram() {
  if (program_ != nullptr) table_.destroy_program(&program_);
}

int NvrtcProgram::compile(const std::vector<std::string>& options) {
  std::vector<const char*> texts;
  for (const std::string& option : options) texts.push_back(option.c_str());
  return table_.compile_program(program_, static_cast<int>(texts.size()), texts.data());
}

std::string NvrtcProgram::log() const { return without_zero(bytes(table_.log_size, table_.log, "nvrtcGetProgramLog")); }

std::string NvrtcProgram::ptx() const { return without_zero(bytes(table_.ptx_size, table_.ptx, "nvrtcGetPTX")); }

std::string NvrtcProgram::ptx_if_any() const {
  std::size_t size = 0;
  return table_.ptx_size(program_, &size) == nvrtc_result::success && size > 1 ? ptx() : std::string();
}

std::string NvrtcProgram::cubin() const { return bytes(table_.cubin_size, table_.cubin, "nvrtcGetCUBIN"); }

void NvrtcProgram::check(int result, const char* call) const {
  if (result == nvrtc_result::success) return;
  const char* text = table_.error_string(result);
  throw ToolchainError(std::string(call) + " failed: " + (text != nullptr ? text : std::to_string(result).c_str()));
}

std::string NvrtcProgram::bytes(Size size, Get get, const char* call) const {
  std::size_t count = 0;
  check(size(program_, &count), call);
  std::string result(count, '\0');
  if (count > 0) check(get(program_, result.data()), call);
  return result;
}

}  // namespace tilejit
