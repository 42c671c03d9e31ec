#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tilejit/generator/object_code.h>
#include <tilejit/generator/ptx/facts.h>
#include <tilejit/tools/occupancy.h>

namespace tilejit::tool {

/// A line of the source that the PTX was made from: of the template, seen through what was inlined there.
struct InspectPlace {
  std::string file;  ///< "": none known
  int line = 0;
  std::string inner_file;  ///< where the instruction itself comes from, if elsewhere: a line of the block library
  int inner_line = 0;
  int ptx_line = 0;  ///< in the PTX; 0: the whole function
};

/// Something worth a look.
struct InspectNote {
  std::string text;
  InspectPlace place;
};

/// A row of facts.accesses with the place of its first site.
struct InspectAccess {
  ptx::AccessCount count;
  InspectPlace place;
};

/// What `tilejit inspect` shows of one entry. Counts are sites in the PTX, not executions.
struct InspectReport {
  std::string entry;
  std::string arch;         ///< "sm_90a": what the resources are for, else the PTX's own target
  std::string target;       ///< of the PTX
  std::string ptx_version;  ///< "9.0"
  std::string compiler;     ///< "NVVM 20.0.0"; empty: the PTX does not say
  ptx::Facts facts;
  std::vector<InspectAccess> accesses;
  Resources resources;                 ///< -1: not known (PTX alone)
  std::int64_t static_shared = 0;      ///< bytes: ptxas's word, else the PTX's declarations
  std::int64_t scratch = 0;            ///< dynamic shared bytes that the PTX asks for
  std::optional<Occupancy> occupancy;  ///< nothing: threads or registers are not known, or the arch is not in the table
  std::vector<InspectNote> notes;
};

/// `entry` empty: the module's only one. `resources` null: PTX alone. `arch` empty: the PTX's target.
/// InvalidArgument: no such entry, or several to choose from (all are named). ptx::SyntaxError: not PTX.
InspectReport report_of(const std::string& ptx, const std::string& entry = {}, const Resources* resources = nullptr,
                        const std::string& arch = {});

/// Whether its kernel's PTX has instructions of tensor cores.
bool uses_tensor_cores(const ObjectCode& object);

/// One report an entry, in order of the text. InvalidArgument: the module has none.
std::vector<InspectReport> reports_of(const std::string& ptx);

/// One screen. docs/inspect.md describes both forms.
std::string to_text(const InspectReport& report);
/// {"format": "tilejit.inspect", "version": 1, ...}, indented, with a closing newline.
std::string to_json(const InspectReport& report);

}  // namespace tilejit::tool
