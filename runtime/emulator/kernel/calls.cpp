#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/kernel/decoder.h>

/// call: the callee's instructions take the call's place. What a device function gets and gives lies in local memory.
namespace tilejit::emulator {
namespace {

constexpr int deepest = 64;

}  // namespace

void Decoder::decode_call() {
  const std::vector<ptx::Operand>& all = in_->operands;
  using Kind = ptx::Operand::Kind;
  std::size_t at = 0;
  std::vector<ptx::Operand> results, arguments;
  if (at < all.size() && all[at].kind == Kind::list) results = all[at++].elements;
  if (at >= all.size() || all[at].kind != Kind::name) throw DecodeError("a function's name is wanted");
  const ptx::Operand& target = all[at++];
  if (at < all.size() && all[at].kind == Kind::list) arguments = all[at++].elements;
  out_.site();
  program_.calls = true;

  if (is_register(target)) {  // one of the functions whose address may be there
    const Value where = read(target, Width::b64);
    const std::string_view prototype = at < all.size() ? all[at].text : std::string_view{};
    return around_guard([&] { call_through(where, prototype, results, arguments); });
  }
  const auto alias = image_.module->aliases.find(target.text);
  const std::string_view name = alias != image_.module->aliases.end() ? alias->second : target.text;
  const ptx::Function* callee = image_.module->find(name);
  if (callee == nullptr) throw DecodeError("the function '" + std::string(name) + "' is not defined");
  around_guard([&] {
    if (callee->declaration)
      call_builtin(name, results, arguments);
    else
      inline_call(*callee, results, arguments);
  });
}

void Decoder::call_through(Value where, std::string_view, const std::vector<ptx::Operand>& results,
                           const std::vector<ptx::Operand>& arguments) {
  const std::uint32_t behind = out_.new_label();
  const ptx::Instruction* call = in_;
  Frame* caller = frame_;
  for (std::size_t f = 0; f < image_.module->functions.size(); ++f) {
    const ptx::Function& candidate = image_.module->functions[f];
    if (candidate.entry || candidate.declaration || candidate.parameters.size() != arguments.size() ||
        candidate.results.size() != results.size()) {
      continue;
    }
    bool inside = false;
    for (const Frame* frame = caller; frame != nullptr; frame = frame->caller) inside |= frame->function == &candidate;
    if (inside) continue;
    const Value other = out_.new_register(Width::predicate);
    const std::uint32_t next = out_.new_label();
    out_.emit(table_.handler("setp.ne.u64"), other, where,
              out_.constant(static_cast<std::uint64_t>(symbol(candidate.name).address), Width::b64));
    out_.set_guard(other, false);
    jump(next);
    out_.clear_guard();
    inline_call(candidate, results, arguments);
    Site again;
    again.function = frame_->function;
    again.instruction = call;
    again.called_from = frame_->call_site;
    out_.begin_site(again);
    jump(behind);
    out_.place_label(next);
  }
  out_.emit(run_unsupported, {});
  out_.last().immediate = out_.message("a call through an address that is no function of this signature");
  out_.place_label(behind);
}

void Decoder::inline_call(const ptx::Function& callee, const std::vector<ptx::Operand>& results,
                          const std::vector<ptx::Operand>& arguments) {
  int depth = 0;
  for (const Frame* frame = frame_; frame != nullptr; frame = frame->caller) {
    ++depth;
    if (frame->function == &callee)
      throw DecodeError("recursion through '" + std::string(callee.name) + "' is not supported");
  }
  if (depth > deepest) throw DecodeError("calls are nested too deeply");
  if (callee.parameters.size() != arguments.size() || callee.results.size() != results.size()) {
    throw DecodeError("'" + std::string(callee.name) + "' takes " + std::to_string(callee.parameters.size()) +
                      " arguments and gives " + std::to_string(callee.results.size()) + " results");
  }
  frames_.push_back(std::make_unique<Frame>());
  Frame& frame = *frames_.back();
  Frame* caller = frame_;
  const ptx::Instruction* call = in_;
  frame.function = &callee;
  frame.caller = caller;
  frame.call_site = static_cast<int>(out_.site_index());
  frame.return_label = out_.new_label();
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (arguments[k].kind != ptx::Operand::Kind::name || is_register(arguments[k])) {
      throw DecodeError("arguments in registers are not supported");
    }
    frame.bound[callee.parameters[k].name] = symbol(arguments[k].text);
  }
  for (std::size_t k = 0; k < results.size(); ++k) frame.bound[callee.results[k].name] = symbol(results[k].text);
  walk(frame);
  out_.clear_guard();
  out_.place_label(frame.return_label);
  frame_ = caller;
  in_ = call;
}

void Decoder::call_builtin(std::string_view name, const std::vector<ptx::Operand>& results,
                           const std::vector<ptx::Operand>& arguments) {
  const auto local_offset = [&](const ptx::Operand& o) {
    const Symbol found = symbol(o.text);
    if (found.space != Space::local) throw DecodeError("an argument of '" + std::string(name) + "' is not a parameter");
    return out_.constant(static_cast<std::uint64_t>(found.address), Width::b64);
  };
  if (name == "vprintf" && arguments.size() == 2) {
    const Value format = local_offset(arguments[0]), values = local_offset(arguments[1]);
    const Value result = results.empty() ? Value{} : local_offset(results[0]);
    out_.emit(run_printf, result, format, values, {}, false);
    return;
  }
  if (name == "__assertfail" && arguments.size() >= 4) {
    std::vector<Value> where;
    for (const ptx::Operand& argument : arguments) where.push_back(local_offset(argument));
    out_.emit(run_assert_fail, {});
    out_.list(where, false);
    return;
  }
  throw DecodeError("the function '" + std::string(name) + "' is declared but not defined");
}

}  // namespace tilejit::emulator
