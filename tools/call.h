#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <tilejit/generator/problem.h>
#include <tilejit/generator/specialization.h>
#include <tilejit/generator/template_library.h>
#include <tilejit/runtime/jit_function.h>
#include <tilejit/runtime/options.h>
#include <tilejit/tools/tensor_argument.h>

namespace CLI {
class App;
}

namespace tilejit::tool {

/// TEMPLATE NAME=... [--set NAME=VALUE] [--templates DIR] as typed.
struct CallText {
  std::string template_name;             ///< a name, or a path that ends in .cuh
  std::vector<std::string> arguments;    ///< NAME=DTYPE:SHAPE..., NAME=VALUE, NAME=none
  std::vector<std::string> settings;     ///< BLOCK_M=64
  std::vector<std::string> paths;        ///< folders and files with templates
  std::vector<std::string> fix_strides;  ///< tensors whose strides are compiled in
  bool debug = false;                    ///< a debug build
};

/// What an optional tensor is given as when it is left out.
struct Absent {};
/// An Argument here is a scalar.
using CallArgument = std::variant<TensorArgument, Argument, Absent>;

/// A call that was read and checked against its template; no device is involved.
struct Call {
  std::shared_ptr<const Template> kernel;
  std::vector<CallArgument> arguments;  ///< one a declared argument, in call order
  Problem problem;
  FixedStrides fixed;
  std::vector<std::pair<std::string, std::int64_t>> settings;
  Config config;  ///< the default with the settings
  bool debug = false;
};

void add_template_option(CLI::App& command, std::vector<std::string>& paths);  ///< --templates
void add_debug_option(CLI::App& command, CallText& text);                      ///< --debug
void add_call_options(CLI::App& command, CallText& text);  ///< TEMPLATE, arguments, --set, --fix-strides, --templates

/// The paths that a run with these names needs: --templates, then the template's own file where it is given as one.
std::vector<std::string> template_paths_of(const CallText& text);
/// The name under which the library then knows it.
std::string template_name_of(const CallText& text);

/// TileJIT's own templates, those that `options` bring, and the call's; a later one wins over an earlier of its name.
TemplateLibrary library_of(const Options& options, const std::vector<std::string>& paths);

/// A Config as parameters by name, num_warps and num_stages last.
std::vector<std::pair<std::string, std::int64_t>> settings_of(const Config& config);
std::string config_json(const Config& config);  ///< the same as a JSON object's text

/// InvalidArgument: unknown or missing names (with the nearest known), wrong rank or dtype, sizes that disagree, bad
/// settings. TemplateError: the template cannot be read.
Call resolve(const CallText& text, const TemplateLibrary& library);

}  // namespace tilejit::tool
