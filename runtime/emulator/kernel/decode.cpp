#include <algorithm>
#include <map>

#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/kernel/decoder.h>

/// The walk over a kernel's instructions: one Site each, its ops behind its guard, and a family for every opcode.
namespace tilejit::emulator {

const char* name_of(Space space) {
  switch (space) {
    case Space::global:
      return "global";
    case Space::shared:
      return "shared";
    case Space::local:
      return "local";
    case Space::constant:
      return "const";
    case Space::param:
      return "param";
    case Space::generic:
      return "generic";
    case Space::none:
      break;
  }
  return "none";
}

namespace {

/// A thread's registers such that the block, and as many as the kernel asks for, fit a multiprocessor's 65536: what
/// ptxas would spill to keep.
int most_registers(const ptx::Function& kernel, int max_threads) {
  const auto directive = [&](const char* name) {
    const auto found = kernel.directives.find(name);
    return found == kernel.directives.end() || found->second.empty() ? 0 : static_cast<int>(found->second.front());
  };
  int most = 255;
  if (directive("maxntid") != 0 || directive("reqntid") != 0) {
    const int warps = (max_threads + 31) / 32 * std::clamp(directive("minnctapersm"), 1, 32);
    most = std::min(most, 65536 / 32 / warps / 8 * 8);
  }
  if (directive("maxnreg") > 0) most = std::min(most, directive("maxnreg"));
  return most;
}

}  // namespace

Decoder::Decoder(const Image& image, const OpTable& table) : image_(image), table_(table) {}

std::shared_ptr<const Program> Decoder::decode(const ptx::Function& kernel) {
  program_.name = std::string(kernel.name);
  program_.module = image_.module;
  program_.function = &kernel;

  std::uint32_t offset = 0;
  for (const ptx::Variable& parameter : kernel.parameters) {
    const auto bytes = static_cast<std::uint32_t>(ptx::bytes_of(parameter));
    const auto align = static_cast<std::uint32_t>(std::max({parameter.align, ptx::bytes_of(parameter.type), 1}));
    offset = (offset + align - 1) / align * align;
    program_.param_offsets.push_back(offset);
    program_.param_sizes.push_back(bytes);
    offset += bytes;
  }
  program_.param_bytes = offset;

  const auto product = [](const std::vector<std::int64_t>& values) {
    std::int64_t all = 1;
    for (const std::int64_t v : values) all *= v;
    return static_cast<int>(std::min<std::int64_t>(all, 1024));
  };
  if (const auto found = kernel.directives.find("maxntid"); found != kernel.directives.end()) {
    program_.max_threads = product(found->second);
  }
  if (const auto found = kernel.directives.find("reqntid"); found != kernel.directives.end()) {
    program_.max_threads = product(found->second);
    for (int k = 0; k < 3; ++k) {
      const auto index = static_cast<std::size_t>(k);
      program_.required_threads[k] = index < found->second.size() ? static_cast<int>(found->second[index]) : 1;
    }
  }
  program_.most_registers = most_registers(kernel, program_.max_threads);

  frames_.push_back(std::make_unique<Frame>());
  Frame& frame = *frames_.back();
  frame.function = &kernel;
  for (std::size_t k = 0; k < kernel.parameters.size(); ++k) {
    frame.bound[kernel.parameters[k].name] = {Space::param, program_.param_offsets[k], program_.param_sizes[k]};
  }
  place_shared(kernel);
  carry_ = out_.new_register(Width::predicate);
  walk(frame);
  Site end;
  end.function = &kernel;
  out_.begin_site(end);
  out_.clear_guard();
  out_.emit_control(run_exit, run_exit, Leads::out);
  program_.global_access = table_.handler("access.global.b64");
  program_.shared_access = table_.handler("access.shared.b64");
  program_.check[0][0] = table_.handler("check.global.b32");
  program_.check[0][1] = table_.handler("check.global.b64");
  program_.check[1][0] = table_.handler("check.shared.b32");
  program_.check[1][1] = table_.handler("check.shared.b64");
  out_.finish(program_, run_guarded);
  return std::make_shared<const Program>(std::move(program_));
}

void Decoder::walk(Frame& frame) {
  frame_ = &frame;
  const ptx::Function& function = *frame.function;
  std::multimap<int, std::uint32_t> at;
  for (std::size_t s = 0; s < function.scopes.size(); ++s) {
    for (const auto& [name, index] : function.scopes[s].labels) {
      const std::uint32_t label = out_.new_label();
      frame.labels[{static_cast<int>(s), name}] = label;
      at.emplace(index, label);
    }
  }
  const auto place_labels = [&](int index) {
    const auto [from, to] = at.equal_range(index);
    for (auto it = from; it != to; ++it) out_.place_label(it->second);
  };
  for (int index = 0; index < static_cast<int>(function.body.size()); ++index) {
    place_labels(index);
    instruction(function.body[static_cast<std::size_t>(index)]);
    frame_ = &frame;
  }
  place_labels(static_cast<int>(function.body.size()));
}

void Decoder::instruction(const ptx::Instruction& in) {
  in_ = &in;
  Site site;
  site.function = frame_->function;
  site.instruction = &in;
  site.called_from = frame_->call_site;
  out_.begin_site(site);
  out_.clear_guard();
  try {
    if (!in.guard.empty()) {
      const Value guard = register_named(in.guard);
      if (guard.width != Width::predicate) throw DecodeError("the guard " + std::string(in.guard) + " is no predicate");
      out_.set_guard(guard, in.guard_negated);
    }
    dispatch();
  } catch (const DecodeError& error) {
    unsupported(error.what());
  }
}

void Decoder::unsupported(const std::string& why) {
  around_guard([&] {
    out_.emit(run_unsupported, {});
    out_.last().immediate = out_.message(why);
  });
}

const ptx::Operand& Decoder::operand(std::size_t index) const {
  if (index >= in_->operands.size()) {
    throw DecodeError("operand " + std::to_string(index + 1) + " is missing, there are " +
                      std::to_string(in_->operands.size()));
  }
  return in_->operands[index];
}

void Decoder::dispatch() {
  using Family = void (Decoder::*)();
  static const std::map<std::string_view, Family, std::less<>> families = {
      {"setp", &Decoder::decode_compare},
      {"set", &Decoder::decode_compare},
      {"mov", &Decoder::decode_mov},
      {"cvta", &Decoder::decode_cvta},
      {"isspacep", &Decoder::decode_isspacep},
      {"ld", &Decoder::decode_load},
      {"ldu", &Decoder::decode_load},
      {"st", &Decoder::decode_store},
      {"atom", &Decoder::decode_atomic},
      {"red", &Decoder::decode_atomic},
      {"prefetch", &Decoder::decode_prefetch},
      {"prefetchu", &Decoder::decode_prefetch},
      {"membar", &Decoder::decode_fence},
      {"fence", &Decoder::decode_fence},
      {"bra", &Decoder::decode_branch},
      {"brx", &Decoder::decode_indexed_branch},
      {"ret", &Decoder::decode_return},
      {"exit", &Decoder::decode_exit},
      {"trap", &Decoder::decode_trap},
      {"call", &Decoder::decode_call},
      {"brkpt", &Decoder::decode_nothing},
      {"pmevent", &Decoder::decode_nothing},
      {"applypriority", &Decoder::decode_prefetch},
      {"discard", &Decoder::decode_prefetch},
      {"bar", &Decoder::decode_barrier},
      {"barrier", &Decoder::decode_barrier},
      {"shfl", &Decoder::decode_shuffle},
      {"vote", &Decoder::decode_vote},
      {"match", &Decoder::decode_match},
      {"redux", &Decoder::decode_redux},
      {"activemask", &Decoder::decode_active_mask},
      {"elect", &Decoder::decode_elect},
      {"nanosleep", &Decoder::decode_nanosleep},
      {"griddepcontrol", &Decoder::decode_nothing},
      {"mma", &Decoder::decode_mma},
      {"ldmatrix", &Decoder::decode_matrix},
      {"stmatrix", &Decoder::decode_matrix},
      {"movmatrix", &Decoder::decode_matrix},
      {"cp", &Decoder::decode_copy},
      {"wgmma", &Decoder::decode_beyond},
      {"wmma", &Decoder::decode_beyond},
      {"mbarrier", &Decoder::decode_beyond},
      {"tcgen05", &Decoder::decode_beyond},
      {"tensormap", &Decoder::decode_beyond},
      {"mapa", &Decoder::decode_beyond},
      {"getctarank", &Decoder::decode_beyond},
      {"setmaxnreg", &Decoder::decode_beyond},
      {"multimem", &Decoder::decode_beyond},
  };
  const auto found = families.find(in_->opcode);
  if (found != families.end()) return (this->*found->second)();
  decode_arithmetic();
}

void Decoder::decode_nothing() { out_.emit(run_nothing, {}); }

}  // namespace tilejit::emulator
