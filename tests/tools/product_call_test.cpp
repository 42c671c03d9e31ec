#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <tilejit/tools/product_call.h>
#include <tilejit/tools/reference/matmul.h>

namespace tilejit::tool {
namespace {

ProductCall product(std::vector<std::string> arguments) {
  CallText text;
  text.template_name = "matmul";
  text.arguments = std::move(arguments);
  return *product_of(*resolve_op(text, TemplateLibrary()));
}

TEST(ProductCall, OperationsBytesAndTheBoundOfItsError) {
  const ProductCall plain = product({"a=f32:8x1024", "b=f32:1024x4", "c=f32:8x4"});
  EXPECT_EQ(plain.flops, 2 * 8 * 4 * 1024);
  EXPECT_EQ(plain.bytes, 4 * (8 * 1024 + 1024 * 4 + 8 * 4));
  EXPECT_DOUBLE_EQ(plain.norm_bound, 1e-5);
  EXPECT_EQ(plain.arithmetic, "f32");
  const ProductCall updated = product({"a=f32:8x1024", "b=f32:1024x4", "c=f32:8x4", "beta=2", "precision=tf32"});
  EXPECT_EQ(updated.bytes, plain.bytes + 4 * 8 * 4);
  EXPECT_DOUBLE_EQ(updated.norm_bound, 1e-3);
  EXPECT_EQ(updated.arithmetic, "tf32");
  EXPECT_DOUBLE_EQ(product({"a=bf16:8x8", "b=bf16:8x8", "c=f32:8x8"}).norm_bound, 1e-2);
  EXPECT_EQ(product({"a=i32:8x8", "b=i32:8x8", "c=i64:8x8"}).norm_bound, 0);
}

TEST(SampledOutputs, AboveABillionOperationsFourThousandSpreadElements) {
  EXPECT_TRUE(sampled_outputs(512, 512, 1900).empty());
  const auto sample = sampled_outputs(1000, 2000, 1000);
  ASSERT_EQ(sample.size(), 4096u);
  std::vector<int> rows(10), cols(10);
  for (const auto& [row, col] : sample) {
    ASSERT_TRUE(row >= 0 && row < 1000 && col >= 0 && col < 2000);
    ++rows[std::size_t(row / 100)];
    ++cols[std::size_t(col / 200)];
  }
  for (const int count : rows) EXPECT_NEAR(count, 410, 100);
  for (const int count : cols) EXPECT_NEAR(count, 410, 100);
  EXPECT_THAT(sample.front(), testing::ElementsAre(0, 0));
  EXPECT_THAT(sample.back(), testing::ElementsAre(999, 1999));
}

}  // namespace
}  // namespace tilejit::tool
