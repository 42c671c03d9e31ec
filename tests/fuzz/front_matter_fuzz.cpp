#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <tilejit/generator/error.h>
#include <tilejit/generator/front_matter.h>

// Any bytes are read whole or are an error with a place in them, as a template and as an expression; what was read is
// evaluated or is an error with a column.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using namespace tilejit;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

void evaluate(const Expression& expression, const Symbols& symbols) {
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < symbols.values.size(); ++i) values.push_back(static_cast<std::int64_t>(i) * 977 - 1000);
  std::vector<Scope::TensorFacts> tensors(symbols.tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i)
    tensors[i] = {2, 8, i < symbols.ranks.size() ? symbols.ranks[i] : 0, {}};
  try {
    expression.evaluate({values, tensors});
  } catch (const ExpressionError& error) {
    require(error.column() >= 1 && error.column() <= static_cast<int>(expression.text().size()), "a column outside");
  }
}

void read_expression(std::string_view text) {
  const Symbols symbols{{"M", "N"}, {"x"}, {2}};
  try {
    evaluate(Expression::parse(text, symbols), symbols);
  } catch (const ExpressionError& error) {
    require(error.column() >= 1 && error.column() <= static_cast<int>(text.size()) + 1, "a column outside");
  }
}

void read_template(std::string_view text) {
  try {
    const FrontMatter info = parse_front_matter(text, "copy_2d.cuh");
    for (const auto* list : {&info.grid, &info.where, &info.requires_, &info.cluster})
      for (const Expression& expression : *list) evaluate(expression, info.symbols);
    require(info.grid.size() >= 1 && info.grid.size() <= 3, "a grid without an axis");
    require(info.default_config.size() == info.constants.size() + 2, "a default Config that is not complete");
  } catch (const TemplateError& error) {
    int lines = 1;
    for (char c : text) lines += c == '\n';
    require(error.line() >= 1 && error.line() <= lines && error.column() >= 1, "a place outside");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  read_expression(text);
  read_template(text);
  return 0;
}
