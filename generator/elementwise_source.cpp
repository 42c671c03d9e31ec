#include <tilejit/generator/elementwise_source.h>

#include <fmt/format.h>

namespace tilejit {
namespace {

std::string argument_name(const std::string& name) { return name + "_"; }

std::string outer_name(int axis) { return fmt::format("OUTER_{}", axis); }

std::string grid_text(int rank) {
  std::string text = R"x(["cdiv(COLS, BLOCK_N)", "cdiv(ROWS, BLOCK_M)")x";
  for (int axis = 0; axis < rank - 2; ++axis)
    text += (axis == 0 ? ", \"" : " * ") + outer_name(axis) + (axis + 3 == rank ? "\"" : "");
  return text + "]";
}

std::string shape_text(int rank) {
  std::string text = "[";
  for (int axis = 0; axis < rank - 2; ++axis) text += "\"" + outer_name(axis) + "\", ";
  return text + R"("ROWS", "COLS"])";
}

/// A power of two and its neighbours.
std::string around(std::int64_t block) {
  return block == 1 ? "[1, 2]" : fmt::format("[{}, {}, {}]", block / 2, block, 2 * block);
}

std::string config_text(const ElementwiseForm& form) {
  const std::int64_t m = form.block_m, n = form.block_n, tile = m * n;
  const bool long_rows = m == 1 && !form.turned;
  const std::string ms = long_rows ? "[1]" : around(m);
  const std::string ns = long_rows || form.turned ? around(n) : fmt::format("[{}]", n);
  return fmt::format(
      "default = {{ BLOCK_M = {}, BLOCK_N = {}, num_warps = {} }}\n"
      "where = [\"BLOCK_M * BLOCK_N >= {} * num_warps\", \"BLOCK_M * BLOCK_N <= {} * num_warps\", "
      "\"BLOCK_M * BLOCK_N >= 32 * num_warps\"]\n"
      "[config]\nBLOCK_M = {}\nBLOCK_N = {}\nnum_warps = [4, 8]\n",
      m, n, form.num_warps, tile / 16, tile / 2, ms, ns);
}

std::string front_matter(const Formula& formula, const ElementwiseForm& form) {
  std::string text = fmt::format("/*---\nsummary = \"{}, over {} axes\"\n", formula.text(), form.rank);
  text += "use = [\"block/formula.cuh\", \"block/plane.cuh\"]\n";
  text += "grid = " + grid_text(form.rank) + "\n";
  if (!formula.is_plain_copy() && form.compute != DType::i64)
    text += fmt::format("tolerance = {{ relative = {0}, absolute = {0} }}\n",
                        form.compute == DType::f64 ? "1e-12" : "1e-5");
  const std::string config = config_text(form);
  const std::size_t tables = config.find("[config]");
  text += config.substr(0, tables);
  std::string bytes;
  for (const ElementwiseInput& input : form.inputs) {
    text += fmt::format("[[arguments]]\nname = \"{}\"\n", argument_name(input.name));
    if (input.scalar) {
      text += fmt::format("dtype = \"{}\"\n", name_of(form.compute));
    } else {
      text += fmt::format("shape = {}\naccess = \"read\"\n", shape_text(form.rank));
      bytes += fmt::format("size({}) + ", argument_name(input.name));
    }
  }
  text += fmt::format("[[arguments]]\nname = \"{}\"\nshape = {}\naccess = \"write\"\n", argument_name(form.output),
                      shape_text(form.rank));
  text += config.substr(tables);
  text += "[cost]\nbytes = \"";
  for (int axis = 0; axis < form.rank - 2; ++axis) text += outer_name(axis) + " * ";
  text += fmt::format("ROWS * COLS * ({}size({}))\"\n---*/\n", bytes, argument_name(form.output));
  return text;
}

std::string function(const Formula& formula, const ElementwiseForm& form) {
  const std::string compute(device_type(form.compute));
  const std::string out = argument_name(form.output);
  std::string types, parameters, planes, loads, views;
  std::vector<std::string> values;
  for (const ElementwiseInput& input : form.inputs) {
    const std::string& name = input.name;
    const std::string argument = argument_name(name);
    if (input.scalar) {
      parameters += fmt::format("{} {}, ", compute, argument);
      values.push_back(argument);
      continue;
    }
    types += fmt::format("class {}_type, ", name);
    parameters += fmt::format("{0}_type {1}, ", name, argument);
    planes += fmt::format("  const plane_of<{0}_type> {0}_p({1}, place);\n", name, argument);
    views += fmt::format(", plane_of<{}_type>", name);
    loads += fmt::format("  const auto {0}_t = {1}<layout>({0}_p, rows, cols);\n", name,
                         input.spread ? "load_spread" : "load_along");
    values.push_back(fmt::format("cast<{}>({}_t.v[i])", compute, name));
  }
  std::string body;
  if (formula.is_plain_copy()) {  // any value is kept as it is, or cast once
    const ElementwiseInput& input = form.inputs[0];
    body = fmt::format("    result.v[i] = cast<out_element>({});\n",
                       input.scalar ? argument_name(input.name) : input.name + "_t.v[i]");
  } else {
    body = formula_statements(formula, compute, values, "    ") +
           fmt::format("    result.v[i] = cast<out_element>(n{});\n", formula.nodes().size() - 1);
  }
  return fmt::format(
      "template <{types}class {output}_type>\n"
      "__device__ void {name}({parameters}{output}_type {out}) {{\n"
      "  using out_element = typename {output}_type::type;\n"
      "  const i64 rows = program_id<1>() * BLOCK_M, cols = program_id<0>() * BLOCK_N;\n"
      "  const outer_place<{outer}> place({out}, program_id<2>());\n"
      "  const plane_of<{output}_type> {output}_p({out}, place);\n"
      "{planes}"
      "  using layout = layout_for_all<BLOCK_M, BLOCK_N, plane_of<{output}_type>{views}>;\n"
      "{loads}"
      "  tile<out_element, layout> result;\n"
      "#pragma unroll\n"
      "  for (int i = 0; i < layout::registers; ++i) {{\n"
      "{body}"
      "  }}\n"
      "  store_along<layout>({output}_p, rows, cols, result);\n"
      "}}\n",
      fmt::arg("types", types), fmt::arg("output", form.output), fmt::arg("name", form.name),
      fmt::arg("parameters", parameters), fmt::arg("out", out), fmt::arg("outer", form.rank - 2),
      fmt::arg("planes", planes), fmt::arg("views", views), fmt::arg("loads", loads), fmt::arg("body", body));
}

}  // namespace

SourceFile elementwise_source(const Formula& formula, const ElementwiseForm& form) {
  return {fmt::format("/tilejit/templates/generated/{}.cuh", form.name),
          front_matter(formula, form) + function(formula, form)};
}

}  // namespace tilejit
