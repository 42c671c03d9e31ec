#include <tilejit/generator/ptx/declaration.h>
#include <tilejit/generator/ptx/function.h>
#include <tilejit/generator/ptx/lexer.h>
#include <tilejit/generator/ptx/literal.h>
#include <tilejit/generator/ptx/locations.h>
#include <tilejit/generator/ptx/module.h>

namespace tilejit::ptx {

namespace {

constexpr int newest_major = 9;

class Reader {
 public:
  explicit Reader(Module& module) : in_(module.text), module_(module) {}

  void read() {
    read_version();
    read_target();
    while (in_.peek().kind != Token::Kind::end) {
      statement();
    }
    for (std::size_t i = 0; i < locations_.size(); ++i) {
      module_.functions[i].locations = locations_[i].finish(strings_);
    }
    index();
  }

 private:
  /// A definition wins over declarations, and the first of its kind over later ones.
  void index() {
    for (const bool defined : {true, false}) {
      for (std::size_t i = 0; i < module_.functions.size(); ++i) {
        if (module_.functions[i].declaration != defined) {
          module_.function_index.try_emplace(module_.functions[i].name, i);
        }
      }
      for (std::size_t i = 0; i < module_.variables.size(); ++i) {
        if (module_.variables[i].external != defined) {
          module_.variable_index.try_emplace(module_.variables[i].name, i);
        }
      }
    }
  }

  /// .version 9.0
  void read_version() {
    if (!in_.take_dot("version")) {
      in_.fail_expecting(".version, with which PTX begins");
    }
    const Token number = in_.next();
    const std::size_t dot = number.text.find('.');
    constexpr std::string_view digits = "0123456789";
    const bool numeric = number.kind == Token::Kind::floating && number.text.size() < 8 &&
                         dot != std::string_view::npos && number.text.find_first_not_of(digits) == dot &&
                         number.text.find_first_not_of(digits, dot + 1) == std::string_view::npos;
    if (!numeric) {
      Lexer::fail_at(number, "expected a version such as 9.0, found " + quoted(number.text));
    }
    for (const char c : number.text.substr(0, dot)) {
      module_.version_major = 10 * module_.version_major + (c - '0');
    }
    for (const char c : number.text.substr(dot + 1)) {
      module_.version_minor = 10 * module_.version_minor + (c - '0');
    }
    if (module_.version_major < 1 || module_.version_major > newest_major) {
      Lexer::fail_at(number, "PTX version " + std::string(number.text) + " is not known; versions 1.0 to " +
                                 std::to_string(newest_major) + ".x are");
    }
  }

  /// .target sm_90a, debug
  void read_target() {
    if (!in_.take_dot("target")) {
      in_.fail_expecting(".target");
    }
    module_.target = in_.expect(Token::Kind::word, "an architecture such as sm_90").text;
    while (in_.take(',')) {
      in_.expect(Token::Kind::word, "a target option");
    }
  }

  void read_address_size() {
    in_.next();
    const Token number = in_.expect(Token::Kind::integer, "32 or 64");
    const std::int64_t size = integer_of(number);
    if (size != 32 && size != 64) {
      Lexer::fail_at(number, "expected 32 or 64, found " + quoted(number.text));
    }
    module_.address_size = static_cast<int>(size);
  }

  void read_alias() {
    in_.next();
    const std::string_view name = in_.expect(Token::Kind::word, "a name").text;
    in_.expect(',');
    module_.aliases[name] = in_.expect(Token::Kind::word, "a name").text;
    in_.expect(';');
  }

  void statement() {
    const Linkage linkage = read_linkage(in_);
    const Token& token = in_.peek();
    if (token.is_dot("entry") || token.is_dot("func")) {
      ReadFunction read = read_function(in_, linkage, module_.files);
      module_.functions.push_back(std::move(read.function));
      locations_.push_back(std::move(read.locations));
    } else if (is_space(token)) {
      read_declarations(in_, linkage, module_.variables);
    } else if (linkage.external || linkage.visible || linkage.weak) {
      in_.fail_expecting("a function or a variable");
    } else if (token.is_dot("file")) {
      read_file(in_, module_.files);
    } else if (token.is_dot("section")) {
      read_section(in_, strings_);
    } else if (token.is_dot("address_size")) {
      read_address_size();
    } else if (token.is_dot("pragma")) {
      read_pragma(in_, module_.pragmas);
    } else if (token.is_dot("alias")) {
      read_alias();
    } else if (token.is_dot("loc")) {
      Locations().read(in_);
    } else if (token.is('@') && in_.second().is('@')) {
      in_.skip_line();  // @@DWARF, of PTX before 2.0
    } else if (token.is(';')) {
      in_.next();
    } else if (token.kind == Token::Kind::dot_word) {
      skip_directive(in_);
    } else {
      in_.fail_expecting("a directive, a function or a variable");
    }
  }

  Lexer in_;
  Module& module_;
  std::vector<Locations> locations_;  ///< beside the module's functions
  DebugStrings strings_;
};

}  // namespace

std::unique_ptr<const Module> read(std::string text) {
  // NVRTC counts a closing NUL into the PTX's size.
  text.erase(text.find_last_not_of('\0') + 1);
  auto module = std::make_unique<Module>();
  module->text = std::move(text);
  Reader(*module).read();
  return module;
}

}  // namespace tilejit::ptx
