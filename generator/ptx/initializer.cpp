#include <tilejit/generator/ptx/initializer.h>

#include <algorithm>
#include <bit>

#include <tilejit/generator/ptx/expression.h>
#include <tilejit/generator/ptx/literal.h>

namespace tilejit::ptx {

namespace {

/// Gaps between rows could otherwise ask for far more memory than the text is long.
constexpr std::int64_t largest_gap_filled = std::int64_t{64} << 20;

class Filler {
 public:
  Filler(Lexer& in, const std::vector<std::int64_t>& dimensions, Variable& variable)
      : in_(in), size_(bytes_of(variable.type)), variable_(variable), held_(dimensions.size() + 1, size_) {
    for (std::size_t i = dimensions.size(); i > 0; --i) {
      held_[i - 1] = held_[i] * dimensions[i - 1];
    }
    if (dimensions[0] == 0) {
      held_[0] = INT64_MAX;
    }
  }

  /// { } of the dimension `depth`, or a single value where none is left. Returns the bytes covered.
  std::int64_t fill(std::size_t depth, std::int64_t start) {
    if (!in_.take('{')) {
      return fill_value(start);
    }
    if (depth + 1 >= held_.size()) {
      in_.fail("more braces than the array has dimensions");
    }
    const std::int64_t end = start + std::min(held_[depth], INT64_MAX - start);
    std::int64_t at = start;
    while (!in_.take('}')) {
      const bool row = in_.peek().is('{');
      if (row) {
        const std::int64_t bytes = held_[depth + 1];
        at = start + (at - start + bytes - 1) / bytes * bytes;
      }
      if (at >= end) {
        in_.fail("more values than the array has elements");
      }
      if (row) {
        fill(depth + 1, at);
        at += held_[depth + 1];
      } else {
        at += fill_value(at);
      }
      if (!in_.take(',') && !in_.peek().is('}')) {
        in_.fail_expecting("',' or '}'");
      }
    }
    return at - start;
  }

 private:
  void put(std::int64_t at, std::uint64_t value) {
    const auto end = static_cast<std::size_t>(at + size_);
    if (at > largest_gap_filled && at > std::int64_t{8} * static_cast<std::int64_t>(in_.text().size())) {
      in_.fail("an initialiser with gaps of more than " + std::to_string(largest_gap_filled) + " bytes");
    }
    if (variable_.initial.size() < end) {
      variable_.initial.resize(end);
    }
    for (std::int64_t i = 0; i < std::min<std::int64_t>(size_, 8); ++i) {
      variable_.initial[static_cast<std::size_t>(at + i)] = static_cast<std::uint8_t>(value >> (8 * i));
    }
  }

  std::int64_t fill_value(std::int64_t at) {
    const bool minus = in_.peek().is('-') && in_.second().kind == Token::Kind::floating;
    if (minus) {
      in_.next();
    }
    if (in_.peek().kind == Token::Kind::floating) {
      FloatLiteral literal = float_of(in_.next());
      if (minus) {
        literal.bits ^= std::uint64_t{1} << (literal.is_double ? 63 : 31);
      }
      put(at, as_element(literal));
    } else if (in_.peek().kind == Token::Kind::word) {
      fill_symbol(at, ~std::uint64_t{0});
    } else {
      const std::int64_t value = read_constant(in_);
      if (in_.take('(')) {
        fill_symbol(at, static_cast<std::uint64_t>(value));
        in_.expect(')');
      } else {
        put(at, variable_.type == "f32"   ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                : variable_.type == "f64" ? std::bit_cast<std::uint64_t>(static_cast<double>(value))
                                          : static_cast<std::uint64_t>(value));
      }
    }
    return size_;
  }

  std::uint64_t as_element(const FloatLiteral& literal) const {
    if (size_ != 4 && size_ != 8) {
      in_.fail("a floating-point value for the type " + quoted(variable_.type));
    }
    if (size_ == 4 && literal.is_double) {
      return std::bit_cast<std::uint32_t>(static_cast<float>(literal.value()));
    }
    return size_ == 8 && !literal.is_double ? std::bit_cast<std::uint64_t>(literal.value()) : literal.bits;
  }

  void fill_symbol(std::int64_t at, std::uint64_t mask) {
    InitialSymbol symbol;
    symbol.offset = at;
    symbol.bytes = size_;
    symbol.mask = mask;
    symbol.symbol = in_.expect(Token::Kind::word, "a name").text;
    if (symbol.symbol == "generic" && in_.take('(')) {
      symbol.generic = true;
      symbol.symbol = in_.expect(Token::Kind::word, "a name").text;
      symbol.addend = read_offset(in_);
      in_.expect(')');
    }
    symbol.addend += read_offset(in_);
    put(at, 0);
    variable_.initial_symbols.push_back(symbol);
  }

  Lexer& in_;
  const int size_;
  Variable& variable_;
  std::vector<std::int64_t> held_;  ///< bytes that a brace of this depth holds; last, those of one value
};

/// { addr_mode_0 = wrap, ... } of a texture or sampler: nothing that runs here reads it.
void skip_sampler_state(Lexer& in) {
  in.expect('{');
  while (!in.take('}')) {
    if (in.peek().kind == Token::Kind::end) {
      in.fail_expecting("'}'");
    }
    in.next();
  }
}

}  // namespace

void read_initializer(Lexer& in, std::vector<std::int64_t> dimensions, Variable& variable) {
  if (variable.type == "texref" || variable.type == "samplerref" || variable.type == "surfref") {
    return skip_sampler_state(in);
  }
  if (bytes_of(variable.type) == 0) {
    in.fail("a value for the type " + quoted(variable.type) + ", which has no known size");
  }
  const bool counted = !dimensions.empty() && dimensions[0] == 0;
  const bool scalar = dimensions.empty();
  if (scalar) {
    dimensions.push_back(1);
  }
  Filler filler(in, dimensions, variable);
  if (!scalar && !in.peek().is('{')) {
    in.fail_expecting("'{'");
  }
  const std::int64_t bytes = filler.fill(0, 0);
  if (counted) {
    std::int64_t inner = 1;
    for (std::size_t i = 1; i < dimensions.size(); ++i) {
      inner *= dimensions[i];
    }
    const std::int64_t row = inner * bytes_of(variable.type);
    variable.elements = (bytes + row - 1) / row * (inner / variable.vector);
  }
}

}  // namespace tilejit::ptx
