#include <fmt/format.h>

#include <tilejit/generator/elementwise_source.h>

namespace tilejit {
namespace {

/// Numbers are written in hexadecimal, so that each keeps its every bit.
std::string number_text(const Formula::Node& node, const std::string& type) {
  if (type == "i64") return fmt::format("{}ll", node.whole);
  if (type == "float") return fmt::format("(float){:a}", node.number);
  return fmt::format("{:a}", node.number);
}

std::string node_text(const Formula::Node& node, const std::string& type, const std::vector<std::string>& inputs) {
  using Operation = Formula::Operation;
  const std::string_view name = name_of(node.operation);
  const auto at = [&](int i) { return fmt::format("n{}", node.arguments[i]); };
  switch (node.operation) {
    case Operation::number:
      return number_text(node, type);
    case Operation::input:
      return inputs[static_cast<std::size_t>(node.arguments[0])];
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
      return fmt::format("{} {} {}", at(0), name, at(1));
    case Operation::less:
    case Operation::less_equal:
    case Operation::greater:
    case Operation::greater_equal:
    case Operation::equal:
    case Operation::not_equal:
      return fmt::format("({})({} {} {})", type, at(0), name, at(1));
    case Operation::negate:
      return "-" + at(0);
    default:
      break;
  }
  std::string text = fmt::format("formula::{}({}", name, at(0));
  for (int i = 1; i < 3 && node.arguments[i] >= 0; ++i) text += ", " + at(i);
  return text + ")";
}

}  // namespace

std::string formula_statements(const Formula& formula, const std::string& type, const std::vector<std::string>& inputs,
                               const std::string& indent) {
  std::string text;
  for (std::size_t i = 0; i < formula.nodes().size(); ++i)
    text += fmt::format("{}const {} n{} = {};\n", indent, type, i, node_text(formula.nodes()[i], type, inputs));
  return text;
}

}  // namespace tilejit
