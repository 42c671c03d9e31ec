// Copies whose rows begin at any address: every pair of residues of 8 bytes, ends of rows before, at and behind those
// of tiles, and nothing touched beside the elements.
#include <gtest/gtest.h>

#include <tilejit/tests/templates/device_fixture.h>
#include <tilejit/tests/templates/tensor_case.h>
#include <tilejit/tests/templates/view_kinds.h>

namespace tilejit::test {
namespace {

class Unaligned : public DeviceTest {
 protected:
  /// Both pitches are odd, so that rows begin at each residue in turn; where they begin differs from case to case.
  static testing::AssertionResult copies(DType dtype, std::int64_t m, std::int64_t n, bool turned,
                                         const Settings& config, int pad = 0) {
    static std::int64_t offset = 0;
    offset = (offset + 3) % 64;
    const std::int64_t in = turned ? (m + pad) | 1 : (n + pad) | 1, out = (n + 2 * pad) | 1;
    const ViewSpec x{
        dtype, {m, n}, turned ? std::vector{std::int64_t{1}, in} : std::vector{in, std::int64_t{1}}, offset % 8};
    const ViewSpec y{dtype, {m, n}, {out, 1}, offset / 8, true};
    return computes(jit(), "copy_2d_unaligned", {x, y}, config, Values::bits);
  }
  static Settings tile(std::int64_t m, std::int64_t n, std::int64_t warps) {
    return {{"BLOCK_M", m}, {"BLOCK_N", n}, {"num_warps", warps}};
  }
};

TEST_F(Unaligned, TurnedBytesAreRightWhereverRowsBeginAndEnd) {
  // A tile is whole from row 128 and column 112 on where 8 more rows and no more columns are left.
  for (const std::int64_t m : {263, 264, 265, 271, 300})
    for (const std::int64_t n : {239, 240, 241, 247, 248, 359, 360, 361, 368})
      ASSERT_TRUE(copies(u8, m, n, true, tile(128, 128, 8), n % 3)) << m << " " << n;
  for (const std::int64_t m : {2, 7, 9, 128}) ASSERT_TRUE(copies(u8, m, 400 - m, true, tile(128, 128, 8)));
  ASSERT_TRUE(copies(u8, 530, 381, true, tile(256, 128, 8)));
  ASSERT_TRUE(copies(u8, 290, 777, true, tile(128, 256, 16), 2));
}

TEST_F(Unaligned, TurnedHalvesAreRightWhereverRowsBeginAndEnd) {
  for (const std::int64_t m : {131, 132, 133, 150})
    for (const std::int64_t n : {119, 120, 121, 123, 124, 125, 184, 188})
      ASSERT_TRUE(copies(bf16, m, n, true, tile(64, 64, 4), n % 3)) << m << " " << n;
  ASSERT_TRUE(copies(f16, 290, 381, true, tile(128, 128, 8)));
}

TEST_F(Unaligned, StraightRowsAreRightWhereverTheyBeginAndEnd) {
  for (const std::int64_t n : {2, 7, 9, 511, 512, 513, 520, 1015, 1024, 1033})
    ASSERT_TRUE(copies(u8, 17, n, false, tile(16, 512, 4), n % 3)) << n;
  for (const std::int64_t n : {3, 5, 507, 509, 515, 1020, 1024, 1029})
    ASSERT_TRUE(copies(bf16, 35, n, false, tile(32, 512, 8), n % 3)) << n;
  ASSERT_TRUE(copies(u8, 1, 30001, false, tile(1, 4096, 4)));
}

/// Nothing but elements was ever written in `padded`, whose rows lie 17 elements apart.
TEST_F(Unaligned, GapsBetweenRowsAreNotRead) {
  const Stream stream = device().stream();
  const std::int64_t m = 257, n = 769;  // whole tiles and an element
  std::vector<std::uint8_t> host(std::size_t(m * n));
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = std::uint8_t(i * 7 + i / 251);
  for (int k = 0; k < 16; ++k) {
    const bool turned = k % 2 != 0;
    const std::int64_t rows = turned ? n : m, cols = turned ? m : n;
    const Tensor dense = device().copy_of(host, {rows, cols});
    const Tensor padded = device().empty(u8, {rows, cols + 17}), y = device().empty(u8, {m, n});
    const TensorView x = padded.view().slice(1, k / 2, cols + k / 2);
    jit().function("copy_2d")(stream, dense, x);
    const Settings config = turned ? tile(128, 128, 8) : tile(16, 512, 4);
    jit().function("copy_2d_unaligned").with_config(config)(stream, turned ? x.t() : x, y);
    const std::vector<std::uint8_t> found = y.to_host<std::uint8_t>(stream);
    for (std::int64_t i = 0; i < m * n; ++i)
      ASSERT_EQ(found[std::size_t(i)], host[std::size_t(turned ? i % n * m + i / n : i)]) << k << " " << i;
  }
}

TEST_F(Unaligned, RowsMayGoBackwardsOrRepeat) {
  for (const std::int64_t pitch : {-301, 0}) {
    const ViewSpec y{u8, {300, 290}, {291, 1}, 5, true};
    ASSERT_TRUE(
        computes(jit(), "copy_2d_unaligned", {{u8, {300, 290}, {1, pitch}, 3}, y}, tile(128, 128, 8), Values::bits));
    ASSERT_TRUE(
        computes(jit(), "copy_2d_unaligned", {{u8, {300, 290}, {pitch, 1}, 3}, y}, tile(16, 512, 4), Values::bits));
  }
}

TEST_F(Unaligned, StridesThatAreNoRowsGoSingly) {
  for (const char* to : {"transposed", "columns stepped", "columns backwards"})
    for (const char* from : {"contiguous", "transposed", "columns stepped", "one element"})
      for (const Shape& shape : {Shape{150, 300}, Shape{300, 1}})
        ASSERT_TRUE(computes(jit(), "copy_2d_unaligned", {kind(from).of(u8, shape), kind(to).output(u8, shape)},
                             tile(128, 128, 8), Values::bits))
            << from << " " << to;
}

}  // namespace
}  // namespace tilejit::test
