#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <tilejit/runtime/jit.h>
#include <tilejit/runtime/ops/op.h>
#include <tilejit/tools/call.h>
#include <tilejit/tools/expected.h>

namespace tilejit::tool {

/// A call of an op, read and checked; no device is involved. `call.kernel` is what the op declares; problem and config
/// are a template's matter and stay empty.
struct OpCall {
  std::shared_ptr<const Op> op;
  Call call;
};

/// nullopt: no op has this name, or a template of the user's does. "elementwise" wants its formula among the arguments
/// ("out = gelu(x * alpha + bias)"): InvalidArgument where there is none; an output that is not given has the broadcast
/// shape of the inputs, and the widest of their dtypes. InvalidArgument, FormulaError: as the op says.
std::optional<OpCall> resolve_op(const CallText& text, const TemplateLibrary& library);

/// The function that makes the call.
JitFunction function_of(const Jit& jit, const OpCall& call);

/// What the call's tensors should hold afterwards, by the slow CPU reference.
Expected expected_of_op(const OpCall& call, std::uint64_t seed);

/// Bytes that the call's tensors hold.
std::int64_t bytes_of(const Call& call);

/// The main step as a template's call on `arch`, for what compiles it. InvalidArgument: nothing is launched.
Call main_step(const OpCall& call, const std::string& arch);

/// For `what`, a subcommand that takes templates alone: InvalidArgument where an op is named, which says so and with
/// which template of it to go on, on `arch`.
void refuse_op(const CallText& text, const TemplateLibrary& library, const std::string& what, const std::string& arch);

/// Whether "elementwise" is named alone, without a formula that would say what its arguments are; then elementwise_text
/// tells of it.
bool asks_for_elementwise(const CallText& text, const TemplateLibrary& library);
std::string elementwise_text();

std::string op_text(const Op& op);  ///< name, summary, arguments
/// The steps that the call takes on `arch`, with the templates, the views that they get, and the workspace; where the
/// call sets constants, with what they make of the main step.
std::string plan_text(const OpCall& call, const std::string& arch);
/// {"op": ..., "summary": ..., "arguments": [...], and with a call "steps", "workspace_bytes"} as JSON.
std::string op_json(const Op& op, const OpCall* call, const std::string& arch);

}  // namespace tilejit::tool
