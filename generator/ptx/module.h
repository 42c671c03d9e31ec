#pragma once
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Reading PTX. Links nothing of ours and throws nothing but ptx::SyntaxError. Unknown instructions, modifiers and
/// directives are data. Names are not resolved here: a missing symbol is the executor's to report.
namespace tilejit::ptx {

/// Line and column from 1, in the PTX text.
class SyntaxError : public std::exception {
 public:
  SyntaxError(int line, int column, const std::string& message);
  const char* what() const noexcept override { return text_.c_str(); }  ///< "line:column: message"
  int line() const { return line_; }
  int column() const { return column_; }

 private:
  int line_, column_;
  std::string text_;
};

/// A place in the source that the PTX was made from (.loc), with what it was inlined at.
struct SourceLocation {
  int file = 0;  ///< as in Module::files
  int line = 0, column = 0;
  int inlined_at = -1;           ///< a smaller index into Function::locations; -1: none
  std::string inlined_function;  ///< as linked (mangled); empty: not inlined
};

/// An operand. Text is borrowed from the Module's own copy.
struct Operand {
  enum class Kind {
    name,      ///< register, label, function, variable or special register: %r1, $L__BB0_2, %tid.x, vprintf, table+8
    integer,   ///< 12, -1, 0x1F, (2+3)*4
    floating,  ///< 0fHEX, 0dHEX, as bits; decimal literals as f64 bits
    address,   ///< [base+offset], or [base, {coordinates}]
    vector,    ///< {a, b}
    list,      ///< (a, b) of a call
    sink,      ///< _
    pair,      ///< %r1|%p1, _|%p1
  } kind = Kind::name;
  std::string_view text;          ///< name, with its suffix (%tid.x), or the base of an address (empty: absolute)
  std::int64_t integer = 0;       ///< value; what is added to a name; an address's offset
  std::uint64_t bits = 0;         ///< of a floating literal: 32 of them, or 64 where is_double
  bool is_double = false;         ///< 0d or decimal
  bool negated = false;           ///< !%p, or -%r (of vmad)
  bool minus = false;             ///< negated by -
  std::vector<Operand> elements;  ///< of vector, list, pair; of an address: what follows its first comma, e.g. a vector
};

struct Instruction {
  std::string_view guard;  ///< predicate's name; empty: none
  bool guard_negated = false;
  std::string_view opcode;                  ///< "ld"
  std::vector<std::string_view> modifiers;  ///< in order: "global", "nc", "v4", "f32"; "shared::cta" is one
  std::vector<Operand> operands;
  int line = 0;       ///< in the PTX
  int location = -1;  ///< index into Function::locations; -1: none given
  int scope = 0;      ///< index into Function::scopes: where its names are looked up
  bool has(std::string_view modifier) const;
};

/// Where an initialiser holds an address. The bytes there are counted into Variable::initial as zero.
struct InitialSymbol {
  std::int64_t offset = 0;  ///< bytes from the variable's start
  std::string_view symbol;
  std::int64_t addend = 0;
  bool generic = false;  ///< generic(symbol): a generic address, else one of the symbol's own space
  int bytes = 8;         ///< how many are written
  std::uint64_t mask =
      ~std::uint64_t{0};  ///< 0xFF00(symbol): which bits of the address, shifted down; all ones: none given
};

/// .reg, .local, .shared, .param, .const, .global
struct Variable {
  std::string_view space;  ///< "reg", "shared", ...
  std::string_view type;   ///< "b32", "f32", "pred"
  std::string_view name;
  int count = 0;              ///< of %r<12>: %r0 to %r11; 0: a single one
  int vector = 1;             ///< .v2, .v4
  std::int64_t elements = 1;  ///< of an array, all dimensions; 0: unsized (extern)
  int align = 0;              ///< bytes; 0: natural
  bool external = false, visible = false, weak = false;
  std::vector<std::uint8_t> initial;           ///< bytes; may be shorter than the variable: the rest is zero
  std::vector<InitialSymbol> initial_symbols;  ///< by offset
  int line = 0;
};

/// Bytes of one element of a type such as "f32"; 0 for a type without a size in memory or unknown.
int bytes_of(std::string_view type);
/// Bytes of the whole variable, .v4 and array included; 0 where unsized.
std::int64_t bytes_of(const Variable& variable);

struct Function;

/// { } with its own names; a name not found here is looked for in the parent. Scope 0 is the function's body.
struct Scope {
  int parent = -1;  ///< a smaller index into Function::scopes
  std::vector<Variable> variables;
  std::map<std::string_view, int> labels;  ///< index of the instruction behind the label; body.size() at the end
  std::map<std::string_view, std::vector<std::string_view>> targets;  ///< L: .branchtargets or .calltargets
  std::vector<Function> prototypes;                                   ///< L: .callprototype, named L
};

struct Function {
  std::string_view name;
  bool entry = false, declaration = false, visible = false, external = false, weak = false, no_return = false;
  std::vector<Variable> parameters, results;
  std::map<std::string_view, std::vector<std::int64_t>> directives;  ///< maxntid, minnctapersm, reqntid, ...
  std::vector<Scope> scopes;
  std::vector<Instruction> body;
  std::vector<SourceLocation> locations;
  std::vector<std::string_view> pragmas;
  std::vector<std::pair<std::int64_t, int>> comments;  ///< value of "// tilejit.scratch N" and its line
  int line = 0;
};

/// Owns its text and cannot be moved, so that what borrows from it stays good as long as it lives. Unchanging, so all
/// threads may read it.
struct Module {
  Module() = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  std::string text;  ///< everything below borrows from it
  int version_major = 0, version_minor = 0;
  std::string_view target;  ///< "sm_90a"
  int address_size = 64;
  std::map<int, std::string> files;                      ///< of .file
  std::vector<Variable> variables;                       ///< of module scope
  std::vector<Function> functions;                       ///< in order of the text, declarations too
  std::map<std::string_view, std::string_view> aliases;  ///< .alias new, old
  std::vector<std::string_view> pragmas;                 ///< of module scope

  std::map<std::string_view, std::size_t>
      function_index;  ///< by name, into functions: the definition, else a declaration
  std::map<std::string_view, std::size_t>
      variable_index;  ///< by name, into variables: the definition, else a declaration

  const Function* find(std::string_view name) const;           ///< null: none
  const Variable* find_variable(std::string_view name) const;  ///< of module scope; null: none
};

/// Reads a whole module. Throws SyntaxError with the line for what is not PTX at all (truncated, unbalanced, garbage,
/// nested too deeply) and for a .version that is not known. Takes time in proportion to the text.
/// A .loc of line 0 (made by the compiler) leaves the location before it in force.
std::unique_ptr<const Module> read(std::string text);

}  // namespace tilejit::ptx
