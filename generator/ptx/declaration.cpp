#include <tilejit/generator/ptx/declaration.h>

#include <array>
#include <limits>

#include <tilejit/generator/ptx/expression.h>
#include <tilejit/generator/ptx/initializer.h>
#include <tilejit/generator/ptx/literal.h>

namespace tilejit::ptx {

namespace {

int small_number(Lexer& in, std::int64_t least, std::int64_t most) {
  const Token at = in.peek();
  const std::int64_t value = read_constant(in);
  if (value < least || value > most) {
    Lexer::fail_at(at, "expected a number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return static_cast<int>(value);
}

/// .align 8 .v2 .f32, in any order, up to the name. What a .ptr parameter points to is skipped.
void read_qualifiers(Lexer& in, Variable& variable) {
  bool pointer = false;
  while (in.peek().kind == Token::Kind::dot_word) {
    const Token token = in.peek();
    in.next();
    if (token.text == "align") {
      const int bytes = small_number(in, 1, 1 << 30);
      if (!pointer) {
        variable.align = bytes;
      }
    } else if (token.text == "ptr") {
      pointer = true;
    } else if (token.text == "attribute") {
      skip_parentheses(in);
    } else if (token.text == "v2" || token.text == "v4" || token.text == "v8") {
      variable.vector = token.text[1] - '0';
    } else if (!pointer) {
      variable.type = token.text;
    }
  }
  if (variable.type.empty()) {
    in.fail_expecting("a type");
  }
}

std::vector<std::int64_t> read_dimensions(Lexer& in, Variable& variable) {
  std::vector<std::int64_t> result;
  std::int64_t total = 1;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 256;  // times .v8 of b128 stays in range
  while (in.take('[')) {
    const Token at = in.peek();
    const std::int64_t size = at.is(']') ? 0 : read_constant(in);
    in.expect(']');
    if (size < 0 || (size == 0 && !result.empty()) || result.size() == 16) {
      Lexer::fail_at(at, "not a dimension of an array");
    }
    if (__builtin_mul_overflow(total, size, &total) || total > most) {
      Lexer::fail_at(at, "an array too large to address");
    }
    result.push_back(size);
  }
  variable.elements = total;
  return result;
}

void read_declarator(Lexer& in, Variable& variable) {
  const Token name = in.expect(Token::Kind::word, "a name");
  variable.name = name.text;
  variable.line = name.line;
  if (in.take('<')) {
    variable.count = small_number(in, 1, std::numeric_limits<int>::max());
    in.expect('>');
  }
  std::vector<std::int64_t> dimensions = read_dimensions(in, variable);
  if (in.take('=')) {
    if (variable.vector > 1) {
      dimensions.push_back(variable.vector);
    }
    read_initializer(in, std::move(dimensions), variable);
  }
}

Variable read_head(Lexer& in, const Linkage& linkage) {
  Variable variable;
  variable.space = in.next().text;
  variable.external = linkage.external;
  variable.visible = linkage.visible;
  variable.weak = linkage.weak;
  read_qualifiers(in, variable);
  return variable;
}

}  // namespace

void skip_parentheses(Lexer& in) {
  in.expect('(');
  for (int depth = 1; depth > 0;) {
    if (in.peek().kind == Token::Kind::end) {
      in.fail_expecting("')'");
    }
    const Token token = in.next();
    depth += token.is('(') ? 1 : token.is(')') ? -1 : 0;
  }
}

Linkage read_linkage(Lexer& in) {
  Linkage result;
  for (;;) {
    if (in.take_dot("extern")) {
      result.external = true;
    } else if (in.take_dot("visible")) {
      result.visible = true;
    } else if (in.take_dot("weak") || in.take_dot("common")) {
      result.weak = true;
    } else {
      return result;
    }
  }
}

bool is_space(const Token& token) {
  constexpr std::array spaces = {"reg", "sreg", "const", "global", "local", "param", "shared", "tex"};
  for (const char* space : spaces) {
    if (token.is_dot(space)) {
      return true;
    }
  }
  return false;
}

void read_declarations(Lexer& in, const Linkage& linkage, std::vector<Variable>& into) {
  const Variable head = read_head(in, linkage);
  do {
    Variable variable = head;
    read_declarator(in, variable);
    into.push_back(std::move(variable));
  } while (in.take(','));
  in.expect(';');
}

std::vector<Variable> read_parameters(Lexer& in) {
  std::vector<Variable> result;
  if (!in.take('(') || in.take(')')) {
    return result;
  }
  do {
    if (!is_space(in.peek())) {
      in.fail_expecting("a parameter (.param or .reg)");
    }
    Variable variable = read_head(in, {});
    read_declarator(in, variable);
    result.push_back(std::move(variable));
  } while (in.take(','));
  in.expect(')');
  return result;
}

}  // namespace tilejit::ptx
