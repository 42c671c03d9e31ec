#pragma once
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Reading PTX. Links nothing of ours and throws nothing but ptx::SyntaxError. Unknown instructions, modifiers and
/// directives are data.
namespace tilejit::ptx {

/// Line and column from 1, in the PTX text.
class SyntaxError : public std::exception {
 public:
  SyntaxError(int line, int column, std::string message);
  const char* what() const noexcept override { return text_.c_str(); }  ///< "line:column: message"
  int line() const { return line_; }

 private:
  int line_;
  std::string text_;
};

/// A place in the source that the PTX was made from (.loc), with what it was inlined at.
struct SourceLocation {
  int file = 0;  ///< as in Module::files
  int line = 0, column = 0;
  int inlined_at = -1;  ///< index into Function::locations; -1: none
  std::string inlined_function;
};

/// An operand. Text is borrowed from the Module's own copy.
struct Operand {
  enum class Kind {
    name,      ///< register, label, function, variable or special register: %r1, $L__BB0_2, %tid.x, vprintf
    integer,   ///< 12, -1, 0x1F
    floating,  ///< 0fHEX, 0dHEX, as bits; decimal literals as f64 bits
    address,   ///< [base+offset], or [base, {coordinates}]
    vector,    ///< {a, b}
    list,      ///< (a, b) of a call
    sink,      ///< _
    pair,      ///< %r1|%p1
  } kind = Kind::name;
  std::string_view text;          ///< name, or the base of an address (empty: absolute)
  std::int64_t integer = 0;       ///< value, or an address's offset
  std::uint64_t bits = 0;         ///< of a floating literal
  bool is_double = false;         ///< 0d or decimal
  bool negated = false;           ///< !%p or -%r
  std::vector<Operand> elements;  ///< of vector, list, pair, address coordinates
};

struct Instruction {
  std::string_view guard;  ///< predicate's name; empty: none
  bool guard_negated = false;
  std::string_view opcode;                  ///< "ld"
  std::vector<std::string_view> modifiers;  ///< "global", "nc", "v4", "f32"; "shared::cta" is one
  std::vector<Operand> operands;
  int line = 0;       ///< in the PTX
  int location = -1;  ///< index into Function::locations; -1: none given
  int scope = 0;      ///< index into Function::scopes: where its names are looked up
  bool has(std::string_view modifier) const;
};

/// .reg, .local, .shared, .param, .const, .global
struct Variable {
  std::string_view space;  ///< "reg", "shared", ...
  std::string_view type;   ///< "b32", "f32", "pred"
  std::string_view name;
  int count = 0;              ///< of %r<12>; 0: a single one
  int vector = 1;             ///< .v2, .v4
  std::int64_t elements = 1;  ///< of an array; 0: unsized (extern)
  int align = 0;              ///< bytes; 0: natural
  bool external = false, visible = false;
  std::vector<std::uint8_t> initial;                                       ///< bytes; empty: none
  std::vector<std::pair<std::int64_t, std::string_view>> initial_symbols;  ///< byte offset, symbol
  int line = 0;
};

/// { } with its own names. Scope 0 is the function's body.
struct Scope {
  int parent = -1;
  std::vector<Variable> variables;
  std::map<std::string_view, int> labels;  ///< index of the instruction behind the label
};

struct Function {
  std::string_view name;
  bool entry = false, declaration = false, visible = false, external = false, no_return = false;
  std::vector<Variable> parameters, results;
  std::map<std::string_view, std::vector<std::int64_t>> directives;  ///< maxntid, minnctapersm, reqntid, ...
  std::vector<Scope> scopes;
  std::vector<Instruction> body;
  std::vector<SourceLocation> locations;
  std::vector<std::string_view> pragmas;
  std::vector<std::pair<std::int64_t, int>> comments;  ///< value of "// tilejit.scratch N" and its line
  int line = 0;
};

struct Module {
  std::string text;  ///< everything below borrows from it
  int version_major = 0, version_minor = 0;
  std::string_view target;  ///< "sm_90a"
  int address_size = 64;
  std::map<int, std::string> files;  ///< of .file
  std::vector<Variable> variables;   ///< of module scope
  std::vector<Function> functions;
  const Function* find(std::string_view name) const;
};

/// Reads a whole module. Throws SyntaxError with the line for what is not PTX at all (truncated, unbalanced, garbage).
std::unique_ptr<const Module> read(std::string text);

}  // namespace tilejit::ptx
