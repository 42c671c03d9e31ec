#include <tilejit/generator/ptx/function.h>

#include <tilejit/generator/ptx/expression.h>
#include <tilejit/generator/ptx/instruction.h>

namespace tilejit::ptx {

namespace {

constexpr int deepest = 256;
constexpr std::size_t most_scopes = std::size_t{1} << 20;

class Body {
 public:
  Body(Lexer& in, Function& function, Locations& locations, std::map<int, std::string>& files)
      : in_(in), function_(function), locations_(locations), files_(files) {}

  /// From the opening brace to the closing one.
  void read() {
    const std::size_t start = in_.peek().offset;
    open();
    std::size_t end = start;
    while (scope_ >= 0) {
      end = in_.peek().offset;
      statement();
    }
    for (const ScratchComment& comment : in_.comments()) {
      if (comment.offset > start && comment.offset < end) {
        function_.comments.emplace_back(comment.bytes, comment.line);
      }
    }
  }

 private:
  Scope& scope() { return function_.scopes[static_cast<std::size_t>(scope_)]; }

  void open() {
    if (depth_ == deepest) {
      in_.fail("scopes nested more than " + std::to_string(deepest) + " deep");
    }
    if (function_.scopes.size() == most_scopes) {
      in_.fail("a function of more than " + std::to_string(most_scopes) + " scopes");
    }
    in_.expect('{');
    ++depth_;
    function_.scopes.emplace_back().parent = scope_;
    scope_ = static_cast<int>(function_.scopes.size()) - 1;
  }

  void close() {
    in_.next();
    --depth_;
    scope_ = scope().parent;
  }

  void statement() {
    const Token& token = in_.peek();
    if (token.is('{')) {
      open();
    } else if (token.is('}')) {
      close();
    } else if (token.is(';')) {
      in_.next();
    } else if (token.kind == Token::Kind::dot_word) {
      directive();
    } else if (token.kind == Token::Kind::word && in_.second().is(':')) {
      label();
    } else if (token.kind == Token::Kind::word || token.is('@')) {
      Instruction instruction = read_instruction(in_);
      instruction.location = locations_.current();
      instruction.scope = scope_;
      function_.body.push_back(std::move(instruction));
    } else {
      in_.fail_expecting("a statement or '}'");
    }
  }

  void directive() {
    const Token& token = in_.peek();
    if (token.is_dot("loc")) {
      locations_.read(in_);
    } else if (token.is_dot("file")) {
      read_file(in_, files_);
    } else if (token.is_dot("pragma")) {
      read_pragma(in_, function_.pragmas);
    } else if (token.is_dot("extern") || token.is_dot("visible") || token.is_dot("weak") || token.is_dot("common")) {
      const Linkage linkage = read_linkage(in_);
      if (!is_space(in_.peek())) {
        in_.fail_expecting("a variable");
      }
      read_declarations(in_, linkage, scope().variables);
    } else if (is_space(token)) {
      read_declarations(in_, {}, scope().variables);
    } else {
      skip_directive(in_);
    }
  }

  void label() {
    const Token name = in_.next();
    in_.expect(':');
    bool added = true;
    if (in_.take_dot("callprototype")) {
      prototype(name);
    } else if (in_.take_dot("branchtargets") || in_.take_dot("calltargets")) {
      added = targets(name.text);
    } else {
      added = scope().labels.try_emplace(name.text, static_cast<int>(function_.body.size())).second;
    }
    if (!added) {
      Lexer::fail_at(name, "a label twice in one scope: " + quoted(name.text));
    }
  }

  /// (results) _ (parameters);
  void prototype(const Token& name) {
    Function result;
    result.name = name.text;
    result.line = name.line;
    result.declaration = true;
    result.results = read_parameters(in_);
    in_.expect(Token::Kind::word, "'_'");
    result.parameters = read_parameters(in_);
    while (in_.peek().kind == Token::Kind::dot_word) {
      const Token directive = in_.next();
      result.no_return |= directive.text == "noreturn";
      if (in_.peek().kind == Token::Kind::integer) {
        result.directives[directive.text].push_back(read_constant(in_));
      }
    }
    in_.expect(';');
    scope().prototypes.push_back(std::move(result));
  }

  bool targets(std::string_view name) {
    std::vector<std::string_view> names;
    do {
      names.push_back(in_.expect(Token::Kind::word, "a name").text);
    } while (in_.take(','));
    in_.expect(';');
    return scope().targets.try_emplace(name, std::move(names)).second;
  }

  Lexer& in_;
  Function& function_;
  Locations& locations_;
  std::map<int, std::string>& files_;
  int scope_ = -1;
  int depth_ = 0;
};

/// What follows a directive that takes something else than numbers.
void skip_unknown_values(Lexer& in) {
  while (in.peek().kind == Token::Kind::word || in.peek().kind == Token::Kind::string || in.peek().is(',')) {
    in.next();
  }
}

/// .maxntid 128, 1, 1 and the like, between the parameters and the body.
void read_directives(Lexer& in, Function& function) {
  while (in.peek().kind == Token::Kind::dot_word) {
    if (in.peek().is_dot("pragma")) {
      read_pragma(in, function.pragmas);
      continue;
    }
    const Token directive = in.next();
    std::vector<std::int64_t> values;
    if (in.peek().is('(')) {
      skip_parentheses(in);
    } else if (in.peek().kind == Token::Kind::integer) {
      do {
        values.push_back(read_constant(in));
      } while (in.take(','));
    } else {
      skip_unknown_values(in);
    }
    function.no_return |= directive.text == "noreturn";
    function.directives[directive.text] = std::move(values);
  }
}

}  // namespace

ReadFunction read_function(Lexer& in, const Linkage& linkage, std::map<int, std::string>& files) {
  ReadFunction result;
  Function& function = result.function;
  function.entry = in.next().text == "entry";
  function.visible = linkage.visible;
  function.external = linkage.external;
  function.weak = linkage.weak;
  while (in.take_dot("attribute")) {
    skip_parentheses(in);
  }
  if (!function.entry) {
    function.results = read_parameters(in);
  }
  const Token name = in.expect(Token::Kind::word, "a function's name");
  function.name = name.text;
  function.line = name.line;
  function.parameters = read_parameters(in);
  read_directives(in, function);
  if (in.peek().is('{')) {
    Body(in, function, result.locations, files).read();
  } else {
    function.declaration = true;
    in.expect(';');
  }
  return result;
}

void read_pragma(Lexer& in, std::vector<std::string_view>& pragmas) {
  in.next();
  do {
    pragmas.push_back(in.expect(Token::Kind::string, "a pragma in quotes").text);
  } while (in.take(','));
  in.expect(';');
}

void skip_directive(Lexer& in) {
  int depth = 0;
  for (;;) {
    if (in.peek().kind == Token::Kind::end || (depth == 0 && in.peek().is('}'))) {
      in.fail_expecting(depth == 0 ? "';'" : "'}'");
    }
    const Token token = in.next();
    depth += token.is('{') ? 1 : token.is('}') ? -1 : 0;
    const bool block_ends = token.is('}') && !in.peek().is(',') && !in.peek().is(';');
    if (depth == 0 && (token.is(';') || block_ends)) {
      return;
    }
  }
}

}  // namespace tilejit::ptx
