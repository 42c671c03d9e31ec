#include <tilejit/generator/front_matter.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/generator/template_text.h"

namespace tilejit {
namespace {

using test::fixture;
using test::with;
using testing::ElementsAre;
using testing::Pair;

std::vector<std::string> texts(const std::vector<Expression>& expressions) {
  std::vector<std::string> result;
  for (const Expression& expression : expressions) result.push_back(expression.text());
  return result;
}

TEST(FrontMatter, TheDesignsExampleIsReadWhole) {
  const FrontMatter info = parse_front_matter(fixture("copy_2d.cuh"), "/tilejit/templates/kernels/copy_2d.cuh");
  EXPECT_EQ(info.summary, "y = x for any strides: transposes, slices, steps, broadcasts");
  ASSERT_EQ(info.arguments.size(), 2u);
  EXPECT_EQ(info.arguments[0].name, "x");
  EXPECT_EQ(info.arguments[0].kind, ArgumentInfo::Kind::tensor);
  EXPECT_EQ(info.arguments[0].access, Access::read);
  EXPECT_THAT(info.arguments[0].shape, ElementsAre(Dimension{"M", 0}, Dimension{"N", 0}));
  EXPECT_EQ(info.arguments[0].line, 6);
  EXPECT_EQ(info.arguments[1].access, Access::write);
  EXPECT_EQ(info.arguments[1].same_dtype_as, "x");
  EXPECT_EQ(info.arguments[1].line, 10);
  EXPECT_THAT(info.sizes, ElementsAre("M", "N"));
  EXPECT_THAT(info.constants, ElementsAre("BLOCK_M", "BLOCK_N"));
  EXPECT_THAT(info.default_config,
              ElementsAre(Pair("BLOCK_M", 64), Pair("BLOCK_N", 64), Pair("num_warps", 8), Pair("num_stages", 1)));
  ASSERT_EQ(info.config.size(), 3u);
  EXPECT_EQ(info.config[0].name, "BLOCK_M");
  EXPECT_THAT(info.config[0].values, ElementsAre(1, 4, 8, 16, 32, 64, 128));
  EXPECT_THAT(texts(info.grid), ElementsAre("cdiv(M, BLOCK_M)", "cdiv(N, BLOCK_N)"));
  EXPECT_THAT(info.symbols.values,
              ElementsAre("M", "N", "BLOCK_M", "BLOCK_N", "num_warps", "num_stages", "sms", "shared_limit"));
  EXPECT_THAT(info.symbols.tensors, ElementsAre("x", "y"));
  EXPECT_EQ(info.cost_bytes->text(), "M * N * (size(x) + size(y))");
  EXPECT_FALSE(info.cost_flops || info.min_blocks || info.shared);
}

TEST(FrontMatter, EveryKeyOfTheContractIsRead) {
  const FrontMatter info = parse_front_matter(fixture("every_key.cuh"), "every_key.cuh");
  EXPECT_THAT(info.needs, ElementsAre("tma", "wgmma", "cluster"));
  EXPECT_THAT(texts(info.requires_), ElementsAre("stride(a, 1) == 1", "align(a) >= 16", "K % 8 == 0"));
  EXPECT_THAT(texts(info.grid), ElementsAre("cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)", "1", "SPLIT"));
  EXPECT_EQ(info.where.size(), 3u);
  EXPECT_THAT(texts(info.cluster), ElementsAre("CLUSTER", "1"));
  EXPECT_EQ(info.min_blocks->text(), "2 / CLUSTER");
  EXPECT_EQ(info.shared->text(), "num_stages * (BLOCK_M + BLOCK_N) * BLOCK_K * size(a) + 1024");
  EXPECT_EQ(info.relative_tolerance, 1e-2);
  EXPECT_EQ(info.absolute_tolerance, 0.001);
  EXPECT_EQ(info.tolerance_terms->text(), "K");
  EXPECT_THAT(info.options, ElementsAre("--maxrregcount=168"));
  EXPECT_THAT(info.use, ElementsAre("block/mma.cuh", "block/ptx.cuh"));
  EXPECT_THAT(info.use_at, ElementsAre(SourcePosition{13, 8}, SourcePosition{13, 25}));
  EXPECT_EQ(info.cost_flops->text(), "2 * M * N * K");
  EXPECT_TRUE(info.cost_bytes.has_value());

  ASSERT_EQ(info.arguments.size(), 6u);
  EXPECT_THAT(info.arguments[0].dtypes, ElementsAre(f16, bf16));
  EXPECT_EQ(info.arguments[0].via, Via::tma);
  EXPECT_THAT(texts(info.arguments[0].map.box), ElementsAre("BLOCK_M", "BLOCK_K"));
  EXPECT_EQ(info.arguments[0].map.swizzle->text(), "128");
  EXPECT_THAT(texts(info.arguments[1].map.box), ElementsAre("BLOCK_K", "128 / size(b)"));
  EXPECT_FALSE(info.arguments[1].map.swizzle.has_value());
  EXPECT_TRUE(info.arguments[2].optional);
  EXPECT_EQ(info.arguments[3].access, Access::update);
  EXPECT_THAT(info.arguments[3].dtypes, ElementsAre(f32));
  EXPECT_EQ(info.arguments[4].kind, ArgumentInfo::Kind::scalar);
  EXPECT_EQ(info.arguments[4].dtype, f32);
  EXPECT_EQ(info.arguments[4].default_value, static_cast<double>(0.1f));
  EXPECT_EQ(info.arguments[5].dtype, i32);
  EXPECT_EQ(info.arguments[5].default_value, std::nullopt);
}

TEST(FrontMatter, TablesKeepTheFilesOrder) {
  const FrontMatter info = parse_front_matter(fixture("every_key.cuh"), "every_key.cuh");
  std::vector<std::string> axes;
  for (const ConfigAxis& axis : info.config) axes.push_back(axis.name);
  EXPECT_THAT(axes, ElementsAre("num_stages", "BLOCK_N", "BLOCK_M", "num_warps"));
  EXPECT_THAT(info.constants, ElementsAre("BLOCK_N", "BLOCK_M", "CLUSTER", "BLOCK_K", "SPLIT"));
  EXPECT_THAT(info.sizes, ElementsAre("M", "K", "N"));
}

TEST(FrontMatter, AConstantWithoutChoiceNeedsNoDefault) {
  const FrontMatter info = parse_front_matter(fixture("every_key.cuh"), "every_key.cuh");
  EXPECT_THAT(info.default_config,
              ElementsAre(Pair("BLOCK_N", 128), Pair("BLOCK_M", 128), Pair("CLUSTER", 1), Pair("BLOCK_K", 64),
                          Pair("SPLIT", 1), Pair("num_warps", 4), Pair("num_stages", 4)));
}

TEST(FrontMatter, ScalarDefaultsAreTheDtypesOwnValues) {
  const auto value = [](const std::string& dtype, const std::string& text) {
    const std::string scalar = "name = \"count\"\ndtype = \"" + dtype + "\"\ndefault = " + text;
    return *parse_front_matter(with(fixture("every_key.cuh"), "name = \"count\"\ndtype = \"i32\"", scalar),
                               "every_key.cuh")
                .arguments[5]
                .default_value;
  };
  EXPECT_EQ(value("f64", "0.1"), 0.1);
  EXPECT_EQ(value("f16", "0.1"), 0.0999755859375);
  EXPECT_EQ(value("bf16", "0.1"), 0.10009765625);
  EXPECT_EQ(value("f8e4m3", "0.1"), 0.1015625);
  EXPECT_EQ(value("f8e5m2", "0.1"), 0.09375);
  EXPECT_EQ(value("f16", "6e-8"), 5.9604644775390625e-8);
  EXPECT_EQ(value("f32", "-3"), -3);
  EXPECT_EQ(value("i64", "-9007199254740992"), -9007199254740992.0);
  EXPECT_EQ(value("u8", "255"), 255);
  EXPECT_EQ(value("bool", "true"), 1);
}

TEST(FrontMatter, AHeaderHasNoFrontMatter) {
  EXPECT_TRUE(has_front_matter(fixture("copy_2d.cuh")));
  EXPECT_TRUE(has_front_matter("\n\n /*---"));
  EXPECT_FALSE(has_front_matter("#pragma once\n/*---"));
  EXPECT_FALSE(has_front_matter("/* --- */"));
  EXPECT_FALSE(has_front_matter(""));
  EXPECT_EQ(template_name_of("/tilejit/templates/kernels/copy_2d.cuh"), "copy_2d");
  EXPECT_EQ(template_name_of("copy_2d"), "copy_2d");
}

}  // namespace
}  // namespace tilejit
