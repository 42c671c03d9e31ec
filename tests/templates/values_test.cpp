// The project's seeds, by value: what a compiled template wrote is read back from memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include <tilejit/tests/templates/device_fixture.h>
#include <tilejit/tools/reference/element.h>

namespace tilejit::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::ElementsAreArray;

class TemplateValues : public DeviceTest {
 protected:
  static std::vector<float> counting(std::int64_t n) {
    std::vector<float> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), 0.0f);
    return values;
  }
  template <class T>
  static Tensor poisoned(std::initializer_list<std::int64_t> shape, T poison) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) count *= extent;
    return device().copy_of(std::vector<T>(std::size_t(count), poison), shape);
  }
  const StreamRef stream_ = nullptr;  // the default one: a member that needs no device
};

TEST_F(TemplateValues, GlobalIdsOfFourProgramsOfEight) {
  const Tensor ids = poisoned<int>({32}, -1);
  jit().function("global_id").with_config({{"BLOCK", 8}, {"num_warps", 1}})(stream_, ids);
  std::vector<int> expected(32);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_THAT(ids.to_host<int>(stream_), ElementsAreArray(expected));
}

class ThousandElements : public TemplateValues {
 protected:
  /// z = x + y over 1000 of 1024 poisoned elements, by this many programs of 256 (0: as the template says).
  std::vector<float> sums(std::int64_t programs) {
    const Tensor x = device().copy_of(counting(1000), {1000}), y = poisoned<float>({1000}, 0.5f);
    const Tensor z = poisoned<float>({1024}, -1);
    JitFunction add = jit().function("vector_add").with_config({{"BLOCK", 256}, {"num_warps", 8}});
    if (programs > 0) add = add.with_grid({programs, 1, 1});
    add(stream_, x, y, z.slice(0, 0, 1000));
    return z.to_host<float>(stream_);
  }
};

TEST_F(ThousandElements, FourProgramsOf256WriteAllAndLeave24LanesIdle) {
  const std::vector<float> z = sums(0);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(z[std::size_t(i)], float(i) + 0.5f);
  EXPECT_EQ(std::count(z.begin(), z.end(), -1.0f), 24);
}

TEST_F(ThousandElements, TheFloorGridLeaves232Unwritten) {
  const std::vector<float> z = sums(1000 / 256);
  EXPECT_EQ(std::count(z.begin(), z.begin() + 1000, -1.0f), 232);
  EXPECT_EQ(std::find(z.begin(), z.end(), -1.0f) - z.begin(), 768);
}

TEST_F(TemplateValues, TheSmallestProduct) {
  const Tensor a = device().copy_of(std::vector<float>{1, 2, 3, 4}, {2, 2});
  const Tensor b = device().copy_of(std::vector<float>{5, 6, 7, 8}, {2, 2});
  const Tensor c = poisoned<float>({2, 2}, -1);
  jit().function("matmul_row")(stream_, a, b, c);
  EXPECT_THAT(c.to_host<float>(stream_), ElementsAre(19, 22, 43, 50));
}

TEST_F(TemplateValues, ATransposedViewIsCopiedByItsRealStrides) {
  const Tensor x = device().copy_of(counting(12), {3, 4}), y = poisoned<float>({4, 3}, -1);
  jit().function("copy_2d")(stream_, x.t(), y);
  EXPECT_THAT(y.to_host<float>(stream_), ElementsAre(0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11));
}

TEST_F(TemplateValues, AHardCodedStrideCopiesItWrong) {
  const Tensor x = device().copy_of(counting(12), {3, 4}), y = poisoned<float>({4, 3}, -1);
  jit().function("copy_2d_hardcoded")(stream_, x.t(), y);
  EXPECT_THAT(y.to_host<float>(stream_), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  jit().function("copy_2d_hardcoded")(stream_, x.view({4, 3}), y);
  EXPECT_THAT(y.to_host<float>(stream_), ElementsAreArray(counting(12)));
}

TEST_F(TemplateValues, ACornerOfTheTransposedView) {
  const Tensor x = device().copy_of(counting(12), {3, 4}), y = poisoned<float>({2, 2}, -1);
  jit().function("copy_2d")(stream_, x.t().slice(0, 0, 2).slice(1, 0, 2), y);
  EXPECT_THAT(y.to_host<float>(stream_), ElementsAre(0, 4, 1, 5));
}

TEST_F(TemplateValues, KineticEnergyIsTheSameFromStructsAndFromArrays) {
  const std::int64_t n = 1000;
  std::vector<float> particles(std::size_t(7 * n));
  for (std::size_t i = 0; i < particles.size(); ++i) particles[i] = float(i % 13) - 6;
  const Tensor structs = device().copy_of(particles, {n, 7});
  const Tensor from_structs = poisoned<float>({n}, -1), from_arrays = poisoned<float>({n}, -1);
  jit().function("kinetic_energy_aos")(stream_, structs, from_structs);

  std::vector<Tensor> fields;
  for (int field = 3; field < 7; ++field) {
    fields.push_back(poisoned<float>({n}, -1));
    jit().function("copy_2d")(stream_, structs.slice(1, field, field + 1), fields.back().view({n, 1}));
  }
  jit().function("kinetic_energy_soa")(stream_, fields[0], fields[1], fields[2], fields[3], from_arrays);

  const std::vector<float> energy = from_structs.to_host<float>(stream_);
  for (std::size_t i = 0; i < std::size_t(n); ++i) {
    const float* p = &particles[7 * i];
    ASSERT_EQ(energy[i], 0.5f * p[6] * (p[3] * p[3] + p[4] * p[4] + p[5] * p[5])) << i;
  }
  EXPECT_EQ(from_arrays.to_host<float>(stream_), energy);
}

TEST_F(TemplateValues, SumsCountWhatIsThereAndNoMore) {
  const Tensor ones = poisoned<float>({1, 16}, 1), sum = poisoned<float>({1}, -1);
  jit().function("row_sum").with_config({{"BLOCK_M", 1}, {"BLOCK_N", 1024}, {"num_warps", 8}})(stream_, ones, sum);
  EXPECT_THAT(sum.to_host<float>(stream_), ElementsAre(16));

  const std::vector<std::byte> bits(1024, std::byte{1});
  const Tensor truths = device().copy_of_bytes(DType::boolean, bits, std::vector<std::int64_t>{1, 1024});
  const Tensor count = poisoned<int>({1}, -1);
  jit().function("row_sum")(stream_, truths, count);
  EXPECT_THAT(count.to_host<int>(stream_), ElementsAre(1024));
}

TEST_F(TemplateValues, SumsOfNarrowIntegersDoNotWrapBeforeTheResultDoes) {
  const Tensor x = poisoned<std::int8_t>({2, 1000}, 100);
  const Tensor wide = poisoned<std::int64_t>({2}, -1), narrow = poisoned<std::int8_t>({2}, -1);
  jit().function("row_sum")(stream_, x, wide);
  jit().function("row_sum")(stream_, x, narrow);
  EXPECT_THAT(wide.to_host<std::int64_t>(stream_), ElementsAre(100000, 100000));
  EXPECT_THAT(narrow.to_host<std::int8_t>(stream_), Each(std::int8_t(100000 & 0xff)));
}

TEST_F(TemplateValues, ABroadcastOperandIsOneElementOfMemory) {
  const Tensor x = device().copy_of(counting(300), {300}), one = poisoned<float>({1}, 0.25f);
  const Tensor z = poisoned<float>({300}, -1);
  jit().function("vector_add")(stream_, x, one.broadcast_to({300}), z);
  const std::vector<float> sums = z.to_host<float>(stream_);
  for (std::size_t i = 0; i < sums.size(); ++i) ASSERT_EQ(sums[i], float(i) + 0.25f);
}

/// Rows so far apart that their distance does not fit 32 bits, each read back by its own address.
TEST_F(TemplateValues, AScalarInDeviceMemoryIsReadWhenTheKernelRuns) {
  const Tensor x = device().copy_of(counting(1000), {1000}), y = poisoned<float>({1000}, -1);
  const Tensor numbers = device().copy_of(std::vector<float>{7, 3, 7}, {3});
  const Tensor ones = device().copy_of(std::vector<float>{1}, {1});
  const JitFunction scaled = jit().function("scaled_1d");
  const BoundLaunch bound = scaled.bind(stream_, numbers.select(0, 1), x, y, 0.25f);
  for (const float alpha : {3.0f, -2.0f}) {
    scaled(stream_, alpha, ones, numbers.slice(0, 1, 2));
    bound(stream_);
    const std::vector<float> found = y.to_host<float>(stream_);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(found[std::size_t(i)], float(i) * alpha + 0.25f);
  }
  scaled(stream_, 3.0f, x, y, numbers.select(0, 2));
  EXPECT_EQ(y.to_host<float>(stream_).back(), 999 * 3.0f + 7);
}

TEST_F(TemplateValues, OffsetsPastTwoToThe31) {
  const std::int64_t stride = (std::int64_t{1} << 31) + 16;
  if (device().total_memory() < 6 * (std::int64_t{1} << 30)) GTEST_SKIP() << "needs 4.1 GB of device memory";
  const Tensor memory = device().empty(DType::u8, {2 * stride + 16});
  std::vector<std::uint8_t> host(48);
  std::iota(host.begin(), host.end(), std::uint8_t{1});
  const Tensor x = device().copy_of(host, {3, 16}), y = poisoned<std::uint8_t>({3, 16}, 0);
  const TensorView far(memory.data(), DType::u8, {3, 16}, {stride, 1});
  const JitFunction copy = jit().function("copy_2d");
  copy(stream_, x, far);
  copy(stream_, far, y);
  EXPECT_EQ(y.to_host<std::uint8_t>(stream_), host);
  for (std::int64_t row = 0; row < 3; ++row) {
    const Tensor one = poisoned<std::uint8_t>({1, 16}, 0);
    copy(stream_, TensorView(static_cast<std::uint8_t*>(memory.data()) + row * stride, DType::u8, {1, 16}), one);
    EXPECT_THAT(one.to_host<std::uint8_t>(stream_),
                ElementsAreArray(host.begin() + row * 16, host.begin() + row * 16 + 16));
  }
}

TEST_F(TemplateValues, AStrideThatIsNeverTakenMayBeAnything) {
  const Tensor x = device().copy_of(counting(100), {1, 100}), y = poisoned<float>({1, 100}, -1);
  jit().function("copy_2d")(stream_, TensorView(x.data(), DType::f32, {1, 100}, {std::int64_t{1} << 40, 1}), y);
  EXPECT_EQ(y.to_host<float>(stream_), counting(100));
}

TEST_F(TemplateValues, AFoldedGridComputesTheSame) {
  const std::int64_t rows = 70000;  // programs along y, whose limit is 65535
  const Tensor x = device().copy_of(counting(rows * 4), {rows, 4}), y = poisoned<float>({rows, 4}, -1);
  jit().function("copy_2d").with_config({{"BLOCK_M", 1}, {"BLOCK_N", 1024}, {"num_warps", 4}})(stream_, x, y);
  EXPECT_EQ(y.to_host<float>(stream_), counting(rows * 4));
}

class Casts : public TemplateValues {
 protected:
  /// Sums of one element: x cast to y's dtype.
  template <class T>
  std::vector<std::byte> cast(const std::vector<T>& x, DType dtype) {
    const auto n = std::int64_t(x.size());
    const Tensor y = device().empty(dtype, {n});
    jit().function("row_sum").with_config({{"BLOCK_M", 128}, {"BLOCK_N", 8}, {"num_warps", 4}})(
        stream_, device().copy_of(x, {n, 1}), y);
    return y.to_host_bytes(stream_);
  }
  template <class T>
  void expect_like_the_host(const std::vector<T>& x, DType dtype) {
    const std::vector<std::byte> actual = cast(x, dtype);
    const std::size_t size = size_of(dtype);
    for (std::size_t i = 0; i < x.size(); ++i) {
      std::byte expected[8];
      tool::convert_element(*dtype_of<T>, reinterpret_cast<const std::byte*>(&x[i]), dtype, expected);
      const double a = tool::double_at(dtype, &actual[i * size]), e = tool::double_at(dtype, expected);
      if (std::isnan(a) && std::isnan(e)) continue;
      ASSERT_EQ(std::memcmp(&actual[i * size], expected, size), 0)
          << x[i] << " to " << name_of(dtype) << ": " << a << ", expected " << e;
    }
  }
};

TEST_F(Casts, EightBitFloatsSaturate) {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x{448, 464, 465, 1000, -1000, infinity, -infinity, nan};
  const std::vector<std::byte> y = cast(x, DType::f8e4m3);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(tool::double_at(DType::f8e4m3, &y[std::size_t(i)]), 448) << x[std::size_t(i)];
  EXPECT_EQ(tool::double_at(DType::f8e4m3, &y[4]), -448);
  EXPECT_EQ(tool::double_at(DType::f8e4m3, &y[5]), 448);
  EXPECT_EQ(tool::double_at(DType::f8e4m3, &y[6]), -448);
  EXPECT_TRUE(std::isnan(tool::double_at(DType::f8e4m3, &y[7])));
}

/// Every power of two with neighbours and middles, so that each format meets its ties, subnormals and overflows.
TEST_F(Casts, FloatsAgreeWithTheHostInEveryDtype) {
  std::vector<float> x{0.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()};
  for (int exponent = -148; exponent < 128; ++exponent)
    for (const float mantissa :
         {1.0f, 1.0625f, 1.125f, 1.25f, 1.375f, 1.5f, 1.00048828125f, 1.00390625f, 1.9990234375f})
      for (const float sign : {1.0f, -1.0f}) {
        const float value = std::ldexp(sign * mantissa, exponent);
        x.insert(x.end(), {value, std::nextafter(value, 0.0f), std::nextafter(value, sign * 3e38f)});
      }
  for (const DType dtype : all_dtypes()) expect_like_the_host(x, dtype);
}

TEST_F(Casts, DoublesRoundOnce) {
  std::vector<double> x;
  for (int exponent = -30; exponent < 20; ++exponent)
    for (const double middle : {1.0625, 1.00390625, 1.00048828125, 1.125, 1.0 + 0x1p-24})
      for (const double nudge : {0.0, 0x1p-40, -0x1p-40}) x.push_back(std::ldexp(middle + nudge, exponent));
  for (const DType dtype : all_dtypes()) expect_like_the_host(x, dtype);
}

TEST_F(Casts, IntegersAgreeWithTheHostInEveryDtype) {
  std::vector<std::int64_t> x{0, 1, -1, std::numeric_limits<std::int64_t>::min()};
  for (int shift = 1; shift < 63; ++shift)
    for (const std::int64_t nudge : {-1, 0, 1}) {
      const std::int64_t power = std::int64_t{1} << shift;
      x.insert(x.end(), {power + nudge, -power + nudge, power + power / 256 + nudge, power + power / 2048 + nudge});
    }
  for (const DType dtype : all_dtypes()) {
    // A narrow result is summed in 32 bits, which is the same low bits.
    expect_like_the_host(x, dtype);
  }
}

}  // namespace
}  // namespace tilejit::test
