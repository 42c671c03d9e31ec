#include <tilejit/generator/ptx/print.h>

#include <cinttypes>
#include <cstdio>

namespace tilejit::ptx {

namespace {

/// "+8", "+-8": as NVVM spells it.
std::string offset(std::int64_t value) { return value == 0 ? "" : "+" + std::to_string(value); }

std::string joined(const std::vector<Operand>& operands, const char* between) {
  std::string result;
  for (const Operand& operand : operands) {
    result += (result.empty() ? "" : between) + to_text(operand);
  }
  return result;
}

std::string floating(const Operand& operand) {
  char text[24];
  std::snprintf(text, sizeof text, operand.is_double ? "0d%016" PRIX64 : "0f%08" PRIX64, operand.bits);
  return text;
}

std::string address(const Operand& operand) {
  std::string result =
      operand.text.empty() ? std::to_string(operand.integer) : std::string(operand.text) + offset(operand.integer);
  if (!operand.elements.empty()) {
    result += ", " + joined(operand.elements, ", ");
  }
  return "[" + result + "]";
}

}  // namespace

std::string to_text(const Operand& operand) {
  using Kind = Operand::Kind;
  switch (operand.kind) {
    case Kind::name:
      return (operand.minus ? "-" : operand.negated ? "!" : "") + std::string(operand.text) + offset(operand.integer);
    case Kind::integer:
      return std::to_string(operand.integer);
    case Kind::floating:
      return floating(operand);
    case Kind::address:
      return address(operand);
    case Kind::vector:
      return "{" + joined(operand.elements, ", ") + "}";
    case Kind::list:
      return "(" + joined(operand.elements, ", ") + ")";
    case Kind::sink:
      return "_";
    case Kind::pair:
      return joined(operand.elements, "|");
  }
  return {};
}

std::string full_opcode(const Instruction& instruction) {
  std::string result(instruction.opcode);
  for (const std::string_view modifier : instruction.modifiers) {
    result.append(".").append(modifier);
  }
  return result;
}

std::string to_text(const Instruction& instruction) {
  std::string result;
  if (!instruction.guard.empty()) {
    result.append(instruction.guard_negated ? "@!" : "@").append(instruction.guard).append(" ");
  }
  result += full_opcode(instruction);
  if (!instruction.operands.empty()) {
    result += " " + joined(instruction.operands, ", ");
  }
  return result + ";";
}

}  // namespace tilejit::ptx
