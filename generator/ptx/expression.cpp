#include <tilejit/generator/ptx/expression.h>

#include <limits>

#include <tilejit/generator/ptx/literal.h>

namespace tilejit::ptx {

namespace {

constexpr int deepest = 64;
constexpr int additive = 4, multiplicative = 5;  // ranks: & 1, ^ 2 ... as in C, without |

std::uint64_t bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }

int rank_of(const Lexer& in) {
  const Token& token = in.peek();
  if (token.kind != Token::Kind::mark) {
    return 0;
  }
  switch (token.text[0]) {
    case '^':
      return 1;
    case '&':
      return 2;
    case '<':
    case '>':
      return in.second().is(token.text[0]) ? 3 : 0;
    case '+':
    case '-':
      return additive;
    case '*':
    case '/':
    case '%':
      return multiplicative;
    default:
      return 0;
  }
}

std::int64_t apply(const Token& sign, std::int64_t a, std::int64_t b) {
  switch (sign.text[0]) {
    case '^':
      return a ^ b;
    case '&':
      return a & b;
    case '<':
      return b < 0 || b > 63 ? 0 : static_cast<std::int64_t>(bits(a) << b);
    case '>':
      return b < 0 || b > 63 ? (a < 0 ? -1 : 0) : a >> b;
    case '+':
      return static_cast<std::int64_t>(bits(a) + bits(b));
    case '-':
      return static_cast<std::int64_t>(bits(a) - bits(b));
    case '*':
      return static_cast<std::int64_t>(bits(a) * bits(b));
    default:
      break;
  }
  if (b == 0) {
    Lexer::fail_at(sign, "division by zero");
  }
  const bool divides = sign.text[0] == '/';
  if (b == -1) {
    return divides ? static_cast<std::int64_t>(0 - bits(a)) : 0;
  }
  return divides ? a / b : a % b;
}

std::int64_t read_ranked(Lexer& in, int least, int depth);

std::int64_t read_primary(Lexer& in, int depth) {
  if (depth > deepest) {
    in.fail("an expression nested more than " + std::to_string(deepest) + " deep");
  }
  if (in.take('-')) {
    return static_cast<std::int64_t>(0 - bits(read_primary(in, depth + 1)));
  }
  if (in.take('+')) {
    return read_primary(in, depth + 1);
  }
  if (in.take('~')) {
    return ~read_primary(in, depth + 1);
  }
  if (in.take('!')) {
    return read_primary(in, depth + 1) == 0;
  }
  if (in.take('(')) {
    if (in.take_dot("s64") || in.take_dot("u64")) {
      in.expect(')');
      return read_primary(in, depth + 1);
    }
    const std::int64_t value = read_ranked(in, 1, depth + 1);
    in.expect(')');
    return value;
  }
  return integer_of(in.expect(Token::Kind::integer, "an integer"));
}

std::int64_t read_ranked(Lexer& in, int least, int depth) {
  std::int64_t value = read_primary(in, depth);
  for (int rank = rank_of(in); rank >= least && rank != 0; rank = rank_of(in)) {
    const Token sign = in.next();
    if (sign.is('<') || sign.is('>')) {
      in.next();
    }
    value = apply(sign, value, read_ranked(in, rank + 1, depth));
  }
  return value;
}

}  // namespace

std::int64_t read_constant(Lexer& in) { return read_ranked(in, 1, 0); }

std::int64_t read_term(Lexer& in) { return read_ranked(in, multiplicative, 0); }

std::int64_t read_offset(Lexer& in) {
  std::uint64_t sum = 0;
  while (in.peek().is('+') || in.peek().is('-')) {
    const bool minus = in.next().is('-');
    const std::uint64_t term = bits(read_term(in));
    sum = minus ? sum - term : sum + term;
  }
  return static_cast<std::int64_t>(sum);
}

}  // namespace tilejit::ptx
