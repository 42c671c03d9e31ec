#include <tilejit/generator/ptx/instruction.h>

#include <tilejit/generator/ptx/expression.h>
#include <tilejit/generator/ptx/literal.h>

namespace tilejit::ptx {

namespace {

constexpr int deepest = 16;
constexpr std::size_t most_operands = 65536;  // of one list; the longest that PTX knows has 256

void add(Lexer& in, Operand operand, std::vector<Operand>& operands) {
  if (operands.size() == most_operands) {
    in.fail("more than " + std::to_string(most_operands) + " operands");
  }
  operands.push_back(std::move(operand));
}

Operand read_nested(Lexer& in, bool lists, int depth);

/// %r1, or %tid.x as one.
std::string_view read_name(Lexer& in) {
  const bool suffixed = in.second().kind == Token::Kind::dot_word && in.second_touches();
  const Token name = in.expect(Token::Kind::word, "a name");
  if (!suffixed) {
    return name.text;
  }
  const Token suffix = in.next();
  return in.text().substr(name.offset, suffix.offset + 1 + suffix.text.size() - name.offset);
}

void read_elements(Lexer& in, char close, bool lists, int depth, std::vector<Operand>& elements) {
  if (in.take(close)) {
    return;
  }
  do {
    add(in, read_nested(in, lists, depth + 1), elements);
  } while (in.take(','));
  in.expect(close);
}

Operand read_address(Lexer& in, int depth) {
  Operand result;
  result.kind = Operand::Kind::address;
  if (in.peek().kind == Token::Kind::word) {
    result.text = read_name(in);
    result.integer = read_offset(in);
  } else {
    result.integer = read_constant(in);
  }
  if (in.take(',')) {
    read_elements(in, ']', false, depth, result.elements);
  } else {
    in.expect(']');
  }
  return result;
}

Operand read_floating(Lexer& in, bool minus) {
  const FloatLiteral literal = float_of(in.next());
  Operand result;
  result.kind = Operand::Kind::floating;
  result.bits = literal.bits;
  result.is_double = literal.is_double;
  if (minus) {
    result.bits ^= std::uint64_t{1} << (literal.is_double ? 63 : 31);
  }
  return result;
}

Operand read_plain_name(Lexer& in) {
  Operand result;
  result.text = read_name(in);
  if (result.text == "_") {
    result.kind = Operand::Kind::sink;
    result.text = {};
  } else {
    result.integer = read_offset(in);
  }
  return result;
}

Operand read_name_or_pair(Lexer& in) {
  Operand first = read_plain_name(in);
  if (!in.take('|')) {
    return first;
  }
  Operand pair;
  pair.kind = Operand::Kind::pair;
  pair.elements.push_back(std::move(first));
  pair.elements.push_back(read_plain_name(in));
  return pair;
}

Operand read_nested(Lexer& in, bool lists, int depth) {
  if (depth > deepest) {
    in.fail("an operand nested more than " + std::to_string(deepest) + " deep");
  }
  Operand result;
  if (in.take('{')) {
    result.kind = Operand::Kind::vector;
    read_elements(in, '}', lists, depth, result.elements);
    return result;
  }
  if (in.take('[')) {
    return read_address(in, depth);
  }
  if (lists && in.take('(')) {
    result.kind = Operand::Kind::list;
    read_elements(in, ')', lists, depth, result.elements);
    return result;
  }
  if (in.peek().kind == Token::Kind::word) {
    return read_name_or_pair(in);
  }
  if (in.peek().kind == Token::Kind::floating) {
    return read_floating(in, false);
  }
  const bool sign = in.peek().is('-') || in.peek().is('!');
  if (sign && in.second().kind == Token::Kind::word) {
    const bool minus = in.next().is('-');
    result = read_plain_name(in);
    result.negated = true;
    result.minus = minus;
    return result;
  }
  if (in.peek().is('-') && in.second().kind == Token::Kind::floating) {
    in.next();
    return read_floating(in, true);
  }
  const bool number = in.peek().kind == Token::Kind::integer || in.peek().is('-') || in.peek().is('+') ||
                      in.peek().is('~') || in.peek().is('!') || in.peek().is('(');
  if (!number) {
    in.fail_expecting("an operand");
  }
  result.kind = Operand::Kind::integer;
  result.integer = read_constant(in);
  return result;
}

}  // namespace

Operand read_operand(Lexer& in, bool lists) { return read_nested(in, lists, 0); }

Instruction read_instruction(Lexer& in) {
  Instruction result;
  if (in.take('@')) {
    result.guard_negated = in.take('!');
    result.guard = read_name(in);
  }
  const Token opcode = in.expect(Token::Kind::word, "an instruction");
  result.line = opcode.line;
  result.opcode = opcode.text;
  while (in.peek().kind == Token::Kind::dot_word) {
    result.modifiers.push_back(in.next().text);
  }
  const bool lists = result.opcode == "call";
  if (in.take(';')) {
    return result;
  }
  std::vector<std::string_view> behind_operands;
  do {
    add(in, read_operand(in, lists), result.operands);
    while (in.peek().kind == Token::Kind::dot_word) {
      behind_operands.push_back(in.next().text);
    }
  } while (in.take(','));
  in.expect(';');
  // ld's [a].unified speaks of the whole instruction, whose last modifier stays the type.
  result.modifiers.insert(result.modifiers.begin(), behind_operands.begin(), behind_operands.end());
  return result;
}

}  // namespace tilejit::ptx
