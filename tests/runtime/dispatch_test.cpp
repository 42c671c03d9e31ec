#include <tilejit/runtime/dispatch.h>

#include <gtest/gtest.h>

#include <thread>

namespace tilejit {
namespace {

TensorView view_of(std::int64_t rows, std::int64_t cols) {
  return TensorView(reinterpret_cast<void*>(0x1000), DType::f32, {rows, cols});
}

Signature signature_of(std::uint32_t flavour, const TensorView& view) {
  const TensorView* const tensors[] = {&view};
  return Signature(flavour, tensors);
}

std::shared_ptr<Prepared> prepared_for(const Signature& signature, std::int64_t size = 0) {
  auto prepared = std::make_shared<Prepared>();
  prepared->signature.assign(signature.words().begin(), signature.words().end());
  prepared->sizes = {size};
  return prepared;
}

TEST(Signature, TellsShapesStridesDtypesAlignmentAndFlavoursApart) {
  const TensorView base = view_of(3, 4);
  const auto words = [](std::uint32_t flavour, const TensorView& view) {
    const Signature signature = signature_of(flavour, view);
    return std::vector<std::uint64_t>(signature.words().begin(), signature.words().end());
  };
  const auto plain = words(0, base);
  EXPECT_EQ(words(0, view_of(3, 4)), plain);
  EXPECT_NE(words(1, base), plain);
  EXPECT_NE(words(0, view_of(4, 3)), plain);
  EXPECT_NE(words(0, base.t()), plain);
  EXPECT_NE(words(0, TensorView(base.data(), DType::i32, {3, 4})), plain);
  EXPECT_NE(words(0, TensorView(base.data(), DType::f32, {3, 4}, {8, 1})), plain);
  EXPECT_NE(words(0, TensorView(reinterpret_cast<void*>(0x1004), DType::f32, {3, 4})), plain);
  EXPECT_EQ(words(0, TensorView(reinterpret_cast<void*>(0x2000), DType::f32, {3, 4})), plain);
  EXPECT_NE(words(0, TensorView()), plain);
}

TEST(Dispatch, FindsWhatWasInsertedAndNothingElse) {
  Dispatch dispatch;
  const Signature known = signature_of(0, view_of(3, 4)), unknown = signature_of(0, view_of(3, 5));
  dispatch.insert(known, prepared_for(known, 7));
  const Dispatch::Reader reader(dispatch);
  ASSERT_NE(reader.find(known), nullptr);
  EXPECT_EQ(reader.find(known)->sizes[0], 7);
  EXPECT_EQ(reader.find(unknown), nullptr);
  EXPECT_EQ(dispatch.find_owner(unknown), nullptr);
}

TEST(Dispatch, WhatAReaderHoldsOutlivesItsReplacement) {
  Dispatch dispatch;
  const Signature signature = signature_of(0, view_of(3, 4));
  auto first = prepared_for(signature, 1);
  const std::weak_ptr<Prepared> watch = first;
  dispatch.insert(signature, std::move(first));
  {
    const Dispatch::Reader reader(dispatch);
    const Prepared* held = reader.find(signature);
    dispatch.insert(signature, prepared_for(signature, 2));
    EXPECT_EQ(held->sizes[0], 1);
    EXPECT_FALSE(watch.expired());
  }
  dispatch.clear();
  EXPECT_TRUE(watch.expired());
}

TEST(Dispatch, ReadersNeverSeeHalfAnEntryWhileWritersReplaceIt) {
  Dispatch dispatch;
  const Signature signature = signature_of(0, view_of(3, 4));
  std::atomic<bool> stop{false};
  std::atomic<long> found{0}, wrong{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!stop) {
        const Dispatch::Reader reader(dispatch);
        if (const Prepared* prepared = reader.find(signature)) {
          ++found;
          if (prepared->sizes.size() != 1 || prepared->sizes[0] < 0) ++wrong;
        }
      }
    });
  }
  for (int i = 0; i < 20000; ++i) {
    auto prepared = prepared_for(signature, i);
    const std::weak_ptr<Prepared> watch = prepared;
    dispatch.insert(signature, std::move(prepared));
    if (i % 64 == 0) dispatch.clear();
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tilejit
