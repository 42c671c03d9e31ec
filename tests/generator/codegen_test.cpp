#include <tilejit/generator/codegen.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <tilejit/generator/error.h>

#include "tests/generator/template_text.h"

// The generated text is a format: the block library and the cache's keys rest on it. A change shows in tests/golden.
namespace tilejit {
namespace {

using test::fixture;
using test::fixture_template;
using test::template_of;
using test::with;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Kind = Parameter::Kind;

TensorProblem tensor(DType dtype, std::vector<std::int64_t> shape, std::vector<std::int64_t> strides) {
  TensorProblem problem;
  problem.dtype = dtype;
  problem.rank = static_cast<int>(shape.size());
  std::copy(shape.begin(), shape.end(), problem.shape.begin());
  std::copy(strides.begin(), strides.end(), problem.strides.begin());
  return problem;
}

Target hopper() {
  Target target;
  target.arch = "sm_90a";
  target.features = {"tma", "cluster", "wgmma"};
  return target;
}

Specialization copy_of(const Template& kernel, const TensorProblem& x, bool folded = false) {
  const std::int64_t rows = x.shape[0], columns = x.shape[1];
  return specialize(kernel, {{x, tensor(x.dtype, {rows, columns}, {columns, 1})}, {}}, default_config(kernel.info),
                    folded);
}

Specialization every_key(const Template& kernel, bool bias) {
  TensorProblem c = tensor(bf16, {128}, {2});
  c.present = bias;
  return specialize(
      kernel,
      {{tensor(bf16, {128, 64}, {64, 1}), tensor(bf16, {64, 128}, {128, 1}), c, tensor(f32, {128, 128}, {1, 4096})},
       {f32, i32}},
      default_config(kernel.info), false);
}

void expect_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path golden = TILEJIT_SOURCE_DIR "/tests/golden/generator/" + name;
  std::ifstream file(golden, std::ios::binary);
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  if (text == expected) return;
  const std::filesystem::path actual = TILEJIT_BINARY_DIR "/golden/" + name;
  std::filesystem::create_directories(actual.parent_path());
  std::ofstream(actual, std::ios::binary) << text;
  FAIL() << "the text differs; if that is meant: cp " << actual.string() << " " << golden.string();
}

TEST(Codegen, GoldenTexts) {
  const Template copy = fixture_template("copy_2d.cuh");
  expect_golden("copy_2d_f32.cu", generate(copy, copy_of(copy, tensor(f32, {64, 64}, {64, 1})), hopper()).text);
  expect_golden("copy_2d_bf16_transposed_folded.cu",
                generate(copy, copy_of(copy, tensor(bf16, {64, 64}, {1, 64}), true), hopper()).text);
  const Template all = fixture_template("every_key.cuh");
  expect_golden("every_key_with_bias.cu", generate(all, every_key(all, true), hopper()).text);
  expect_golden("every_key_without_bias.cu", generate(all, every_key(all, false), hopper()).text);
}

TEST(Codegen, TheSameInputGivesTheSameBytesAndEveryFactMatters) {
  const Template kernel = fixture_template("copy_2d.cuh");
  const Specialization base = copy_of(kernel, tensor(f32, {64, 64}, {64, 1}));
  const std::string text = generate(kernel, base, hopper()).text;
  EXPECT_EQ(generate(fixture_template("copy_2d.cuh"), copy_of(kernel, tensor(f32, {96, 32}, {320, 1})), hopper()).text,
            text);
  std::vector<Specialization> others(8, base);
  others[0].debug = true;
  others[1].folded = true;
  others[2].tensors[0].align = 8;
  others[3].tensors[0].dtype = i32;
  others[4].tensors[0].strides[0] = 4096;
  others[5].config.constants[0].second = 32;
  others[6].config.num_warps = 4;
  others[7].config.num_stages = 2;
  for (const Specialization& other : others)
    EXPECT_NE(generate(kernel, other, hopper()).text, text) << to_string(other);
}

TEST(Codegen, ParametersAreMapsPointersSizesStridesScalarsAndTheGrid) {
  const Template copy = fixture_template("copy_2d.cuh");
  EXPECT_THAT(parameters_of(copy, copy_of(copy, tensor(f32, {64, 64}, {64, 1}), true)),
              ElementsAre(Parameter{Kind::pointer, 0, 0, 0, 8}, Parameter{Kind::pointer, 1, 0, 8, 8},
                          Parameter{Kind::size, 0, 0, 16, 8}, Parameter{Kind::size, 1, 0, 24, 8},
                          Parameter{Kind::stride, 0, 0, 32, 8}, Parameter{Kind::stride, 1, 0, 40, 8},
                          Parameter{Kind::grid, 0, 0, 48, 8}, Parameter{Kind::grid, 1, 0, 56, 8},
                          Parameter{Kind::grid, 2, 0, 64, 8}));
  EXPECT_THAT(parameters_of(copy, copy_of(copy, tensor(f32, {64, 64}, {0, 0}))),
              ElementsAre(Parameter{Kind::pointer, 0, 0, 0, 8}, Parameter{Kind::pointer, 1, 0, 8, 8},
                          Parameter{Kind::size, 0, 0, 16, 8}, Parameter{Kind::size, 1, 0, 24, 8},
                          Parameter{Kind::stride, 1, 0, 32, 8}));
  const Template all = fixture_template("every_key.cuh");
  EXPECT_THAT(parameters_of(all, every_key(all, true)),
              ElementsAre(Parameter{Kind::tensor_map, 0, 0, 0, 128}, Parameter{Kind::tensor_map, 1, 0, 128, 128},
                          Parameter{Kind::pointer, 2, 0, 256, 8}, Parameter{Kind::pointer, 3, 0, 264, 8},
                          Parameter{Kind::size, 0, 0, 272, 8}, Parameter{Kind::size, 1, 0, 280, 8},
                          Parameter{Kind::size, 2, 0, 288, 8}, Parameter{Kind::stride, 2, 0, 296, 8},
                          Parameter{Kind::stride, 3, 1, 304, 8}, Parameter{Kind::scalar, 0, 0, 312, 4},
                          Parameter{Kind::scalar, 1, 0, 316, 4}));
  const GeneratedSource source = generate(all, every_key(all, true), hopper());
  EXPECT_EQ(source.parameters, parameters_of(all, every_key(all, true)));
  EXPECT_EQ(source.parameter_bytes, 320);
}

TEST(Codegen, ScalarsStandAtTheirNaturalAlignment) {
  const std::string source =
      "/*---\nsummary = \"\"\ngrid = [1]\n[[arguments]]\nname = \"x\"\nshape = []\naccess = \"update\"\n"
      "[[arguments]]\nname = \"a\"\ndtype = \"i8\"\n[[arguments]]\nname = \"b\"\ndtype = \"f64\"\n"
      "[[arguments]]\nname = \"c\"\ndtype = \"bool\"\n[[arguments]]\nname = \"d\"\ndtype = \"bf16\"\n---*/\n"
      "template <class X>\n__device__ void scalars(X x, i8 a, double b, bool_ c, bf16 d) {}";
  const Template kernel = template_of(source, "scalars.cuh");
  const Specialization specialization =
      specialize(kernel, {{tensor(f32, {}, {})}, {i8, f64, boolean, bf16}}, default_config(kernel.info), true);
  EXPECT_THAT(parameters_of(kernel, specialization),
              ElementsAre(Parameter{Kind::pointer, 0, 0, 0, 8}, Parameter{Kind::scalar, 0, 0, 8, 1},
                          Parameter{Kind::scalar, 1, 0, 16, 8}, Parameter{Kind::scalar, 2, 0, 24, 1},
                          Parameter{Kind::scalar, 3, 0, 26, 2}, Parameter{Kind::grid, 0, 0, 32, 8},
                          Parameter{Kind::grid, 1, 0, 40, 8}, Parameter{Kind::grid, 2, 0, 48, 8}));
  const std::string text = generate(kernel, specialization, hopper()).text;
  EXPECT_THAT(text, HasSubstr("    i8 scalar_a,\n    double scalar_b,\n    bool_ scalar_c,\n    bf16 scalar_d,\n"));
  EXPECT_THAT(text, HasSubstr("scalars(view_x{data_x}, scalar_a, scalar_b, scalar_c, scalar_d);"));
}

TEST(Codegen, TheTemplateKeepsItsNameAndLines) {
  const Template kernel = template_of(fixture("copy_2d.cuh"), "/home/a \"b\"\\c/copy_2d.cuh");
  const std::string text = generate(kernel, copy_of(kernel, tensor(f32, {64, 64}, {64, 1})), hopper()).text;
  EXPECT_THAT(text, HasSubstr("#line 1 \"/home/a \\\"b\\\"\\\\c/copy_2d.cuh\"\n/*---\nsummary"));
  EXPECT_THAT(text, HasSubstr(kernel.file.text));
  const std::size_t directive = text.rfind("#line ");
  const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(directive), '\n');
  EXPECT_THAT(text.substr(directive),
              HasSubstr("#line " + std::to_string(lines + 2) + " \"/tilejit/generated/copy_2d.cu\""));
}

TEST(Codegen, LaunchBoundsHeadersAndOptionsAreTheTemplates) {
  const Template all = fixture_template("every_key.cuh");
  GeneratedSource source = generate(all, every_key(all, true), hopper());
  EXPECT_THAT(source.text, HasSubstr("__launch_bounds__(128, 2) every_key_kernel("));
  EXPECT_THAT(source.text,
              HasSubstr("#include \"block/index.cuh\"\n#include \"block/mma.cuh\"\n#include \"block/ptx.cuh\"\n"));
  EXPECT_EQ(source.entry, "every_key_kernel");
  EXPECT_EQ(source.threads, 128);
  EXPECT_THAT(source.options, ElementsAre("--maxrregcount=168"));
  const Template copy = fixture_template("copy_2d.cuh");
  source = generate(copy, copy_of(copy, tensor(f32, {64, 64}, {64, 1})), hopper());
  EXPECT_THAT(source.text, HasSubstr("__launch_bounds__(256) copy_2d_kernel("));
  EXPECT_THAT(source.text, HasSubstr("#include \"block.cuh\"\n"));
}

TEST(Codegen, FixedExtentsAreLiterals) {
  const Template kernel =
      template_of(with(fixture("copy_2d.cuh"), "shape = [\"M\", \"N\"]", "shape = [\"M\", 7]"), "copy_2d.cuh");
  const std::string text =
      generate(kernel,
               specialize(kernel, {{tensor(f32, {64, 7}, {7, 1}), tensor(f32, {64, 64}, {64, 1})}, {}},
                          default_config(kernel.info), false),
               hopper())
          .text;
  EXPECT_THAT(text, HasSubstr("  const type* __restrict__ data;\n  i64 size_0, stride_0;\n"));
  EXPECT_THAT(text, HasSubstr("else return 7;"));
  EXPECT_THAT(text, HasSubstr("view_x{data_x, size_M, stride_x_0}"));
}

TEST(Codegen, WhatDoesNotFitTheTemplateIsRefused) {
  const Template kernel = fixture_template("copy_2d.cuh"), all = fixture_template("every_key.cuh");
  const Specialization base = copy_of(kernel, tensor(f32, {64, 64}, {64, 1}));
  const auto error = [](const Template& of, const Specialization& specialization, const Target& target) -> std::string {
    try {
      generate(of, specialization, target);
      return "no error";
    } catch (const InvalidArgument& error) {
      return error.what();
    }
  };
  EXPECT_EQ(error(all, base, hopper()), "a Specialization of copy_2d was given for every_key");
  Target ampere;
  ampere.arch = "sm_80";
  EXPECT_EQ(error(all, every_key(all, true), ampere), "every_key needs tma, which sm_80 does not have");
  Specialization wrong = base;
  wrong.tensors.pop_back();
  EXPECT_THAT(error(kernel, wrong, hopper()), HasSubstr("a Specialization of 1 tensors"));
  wrong = base;
  wrong.config = default_config(all.info);
  EXPECT_THAT(error(kernel, wrong, hopper()), HasSubstr("is of another template"));
  wrong = base;
  wrong.tensors[0].strides.pop_back();
  EXPECT_THAT(error(kernel, wrong, hopper()), HasSubstr("x has 1 axes, the template says 2"));
  wrong = base;
  wrong.scalars = {f32};
  EXPECT_THAT(error(kernel, wrong, hopper()), HasSubstr("of 1 scalars, the template has 0"));
  wrong = every_key(all, true);
  wrong.config = config_with(all.info, {{"CLUSTER", 4}});
  EXPECT_THAT(error(all, wrong, hopper()), HasSubstr("every_key: min_blocks: 2 / CLUSTER is 0 with"));
}

}  // namespace
}  // namespace tilejit
