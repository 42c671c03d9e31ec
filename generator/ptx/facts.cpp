#include <tilejit/generator/ptx/facts.h>

#include <algorithm>
#include <limits>
#include <set>

#include <tilejit/generator/ptx/opcode_class.h>
#include <tilejit/generator/ptx/print.h>
#include <tilejit/generator/ptx/split_access.h>

namespace tilejit::ptx {

namespace {

/// "shared" of shared::cta; "generic" where none is named.
std::string_view space_of(const Instruction& instruction) {
  for (const std::string_view modifier : instruction.modifiers) {
    const std::string_view space = modifier.substr(0, modifier.find("::"));
    for (const std::string_view known : {"global", "shared", "local", "const", "param"}) {
      if (space == known) {
        return known;
      }
    }
  }
  return "generic";
}

int bytes_moved(const Instruction& instruction) {
  int vector = 1;
  int bytes = 0;
  for (const std::string_view modifier : instruction.modifiers) {
    if (modifier == "v2" || modifier == "v4" || modifier == "v8") {
      vector = modifier[1] - '0';
    } else if (const int size = bytes_of(modifier); size > 0) {
      bytes = size;
    }
  }
  return bytes * vector;
}

bool is_async(const Instruction& instruction) { return instruction.opcode == "cp"; }

/// What `offset` grows to when the variable is laid behind it; stays at the largest number once it is reached.
std::int64_t behind(std::int64_t offset, const Variable& variable) {
  const std::int64_t align =
      std::max(1, variable.align != 0 ? variable.align : bytes_of(variable.type) * variable.vector);
  const std::int64_t gap = (align - offset % align) % align;
  std::int64_t end = 0;
  const bool over = __builtin_add_overflow(offset, gap, &end) || __builtin_add_overflow(end, bytes_of(variable), &end);
  return over ? std::numeric_limits<std::int64_t>::max() : end;
}

class Count {
 public:
  Count(const Module& module, const Function& function) : module_(module), function_(function) {}

  Facts run() {
    facts_.function = function_.name;
    facts_.instructions = static_cast<int>(function_.body.size());
    const std::set<int> starts = label_positions();
    int index = 0;
    for (const Instruction& instruction : function_.body) {
      if (starts.contains(index++)) {
        split_.end_of_straight_line();
      }
      see(instruction);
    }
    facts_.split = split_.take();
    launch_facts();
    memory_facts();
    std::sort(facts_.accesses.begin(), facts_.accesses.end(), [](const AccessCount& a, const AccessCount& b) {
      return std::tie(a.space, a.store, a.bytes, a.read_only, a.async) <
             std::tie(b.space, b.store, b.bytes, b.read_only, b.async);
    });
    return std::move(facts_);
  }

 private:
  std::set<int> label_positions() const {
    std::set<int> result;
    for (const Scope& scope : function_.scopes) {
      for (const auto& [label, index] : scope.labels) {
        result.insert(index);
      }
    }
    return result;
  }

  void see(const Instruction& instruction) {
    ++facts_.opcodes[full_opcode(instruction)];
    switch (class_of(instruction)) {
      case OpcodeClass::load:
        return access(instruction, false);
      case OpcodeClass::store:
        return access(instruction, true);
      case OpcodeClass::async_copy:
        ++facts_.async_copy;
        access(instruction, false);
        break;
      case OpcodeClass::atomic:
        ++facts_.atomics;
        break;
      case OpcodeClass::tensor:
        ++facts_.tensor_core;
        break;
      case OpcodeClass::matrix_load:
        ++facts_.matrix_loads;
        break;
      case OpcodeClass::matrix_store:
        ++facts_.matrix_stores;
        break;
      case OpcodeClass::tma:
        ++facts_.tma;
        break;
      case OpcodeClass::barrier:
        ++facts_.barriers;
        return split_.end_of_straight_line();
      case OpcodeClass::mbarrier:
        ++facts_.mbarriers;
        break;
      case OpcodeClass::shuffle:
        ++facts_.shuffles;
        break;
      case OpcodeClass::fence:
        ++facts_.fences;
        return split_.end_of_straight_line();
      case OpcodeClass::branch:
        ++facts_.branches;
        return split_.end_of_straight_line();
      case OpcodeClass::call:
        ++facts_.calls;
        return split_.end_of_straight_line();
      case OpcodeClass::plain:
        break;
      case OpcodeClass::unknown:
        ++facts_.unknown;
        ++facts_.unknowns[full_opcode(instruction)];
        return split_.end_of_straight_line();
    }
    split_.see_other(instruction);
  }

  void access(const Instruction& instruction, bool store) {
    const bool async = is_async(instruction);
    AccessCount count;
    count.space = async ? "global" : space_of(instruction);
    count.store = store;
    count.bytes = async ? copied(instruction) : bytes_moved(instruction);
    count.read_only = instruction.has("nc");
    count.async = async;
    if (!async && (count.space == "global" || count.space == "shared")) {
      split_.see(instruction, count.space == "global" ? "global" : "shared", store, count.bytes);
    } else if (!store) {
      split_.see_other(instruction);
    }
    if (count.space == "param") {
      return;
    }
    if (count.space == "local") {
      first(instruction, facts_.local_accesses++, facts_.first_local, facts_.first_local_at);
    } else if (count.space == "generic") {
      first(instruction, facts_.first_generic, facts_.first_generic, facts_.first_generic_at);
    }
    const auto same = [&](const AccessCount& other) {
      return std::tie(count.space, count.store, count.bytes, count.read_only, count.async) ==
             std::tie(other.space, other.store, other.bytes, other.read_only, other.async);
    };
    auto found = std::find_if(facts_.accesses.begin(), facts_.accesses.end(), same);
    if (found == facts_.accesses.end()) {
      count.line = instruction.line;
      count.location = instruction.location;
      found = facts_.accesses.insert(found, count);
    }
    ++found->sites;
  }

  static void first(const Instruction& instruction, int before, int& line, int& location) {
    if (before == 0) {
      line = instruction.line;
      location = instruction.location;
    }
  }

  /// cp.async [shared], [global], 16;
  static int copied(const Instruction& instruction) {
    const bool known = instruction.operands.size() > 2 && instruction.operands[2].kind == Operand::Kind::integer &&
                       instruction.operands[2].integer >= 0 && instruction.operands[2].integer <= 16;
    return known ? static_cast<int>(instruction.operands[2].integer) : 0;
  }

  std::int64_t directive(const char* name) const {
    const auto found = function_.directives.find(name);
    if (found == function_.directives.end() || found->second.empty()) {
      return 0;
    }
    std::int64_t product = 1;
    for (const std::int64_t value : found->second) {
      const bool sound = value > 0 && value <= std::numeric_limits<int>::max();
      product = sound ? product * value : 0;
      if (product == 0 || product > std::numeric_limits<int>::max()) {
        return 0;
      }
    }
    return product;
  }

  void launch_facts() {
    facts_.threads = static_cast<int>(directive("reqntid") != 0 ? directive("reqntid") : directive("maxntid"));
    facts_.min_blocks = static_cast<int>(directive("minnctapersm"));
    for (const auto& [bytes, line] : function_.comments) {
      facts_.scratch_bytes = std::max(facts_.scratch_bytes, bytes);
    }
  }

  /// Shared variables of the function and of all that it names, directly or not; a called function may hold its own.
  void memory_facts() {
    std::set<std::string_view> named;
    std::vector<const Function*> waiting = {&function_};
    while (!waiting.empty()) {
      const Function& function = *waiting.back();
      waiting.pop_back();
      for (const Scope& scope : function.scopes) {
        for (const Variable& variable : scope.variables) {
          add_memory(variable, &function == &function_);
        }
      }
      for (const Instruction& instruction : function.body) {
        for (const Operand& operand : instruction.operands) {
          if (!operand.text.empty() && operand.text[0] != '%' && named.insert(operand.text).second) {
            if (const Function* called = module_.find(operand.text); called != nullptr && called != &function_) {
              waiting.push_back(called);
            }
          }
        }
      }
    }
    for (const std::string_view name : named) {
      if (const Variable* variable = module_.find_variable(name); variable != nullptr) {
        add_memory(*variable, false);
      }
    }
  }

  void add_memory(const Variable& variable, bool own) {
    if (variable.space == "shared" && !variable.external) {
      facts_.shared_bytes = behind(facts_.shared_bytes, variable);
    } else if (variable.space == "local" && own) {
      facts_.local_bytes = behind(facts_.local_bytes, variable);
    }
  }

  const Module& module_;
  const Function& function_;
  Facts facts_;
  SplitAccesses split_;
};

}  // namespace

Facts facts_of(const Module& module, const Function& function) { return Count(module, function).run(); }

}  // namespace tilejit::ptx
