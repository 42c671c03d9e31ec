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
  static testing::AssertionResult copies(DType dtype, std::int64_t m, std::int64_t n, const Settings& config,
                                         int pad = 0) {
    static std::int64_t offset = 0;
    offset = (offset + 3) % 64;
    const ViewSpec x{dtype, {m, n}, {(n + pad) | 1, 1}, offset % 8};
    const ViewSpec y{dtype, {m, n}, {(n + 2 * pad) | 1, 1}, offset / 8, true};
    return computes(jit(), "copy_2d_unaligned", {x, y}, config, Values::bits);
  }
  static Settings tile(std::int64_t m, std::int64_t n, std::int64_t warps) {
    return {{"BLOCK_M", m}, {"BLOCK_N", n}, {"num_warps", warps}};
  }
};

TEST_F(Unaligned, RowsAreRightWhereverTheyBeginAndEnd) {
  for (const std::int64_t n : {2, 7, 9, 511, 512, 513, 520, 1015, 1024, 1033})
    ASSERT_TRUE(copies(u8, 17, n, tile(8, 512, 4), n % 3)) << n;
  for (const std::int64_t n : {3, 5, 507, 509, 515, 1020, 1024, 1029})
    ASSERT_TRUE(copies(bf16, 35, n, tile(32, 512, 8), n % 3)) << n;
  ASSERT_TRUE(copies(u8, 1, 30001, tile(1, 4096, 4)));
  for (std::int64_t start = 0; start < 8; ++start) {  // from row to row, x's residue grows by 1, y's by 3
    const ViewSpec x{u8, {8, 1015}, {1017, 1}, start}, y{u8, {8, 1015}, {1019, 1}, 0, true};
    ASSERT_TRUE(computes(jit(), "copy_2d_unaligned", {x, y}, tile(8, 512, 4), Values::bits)) << start;
  }
}

/// Nothing but elements was ever written in `padded`, whose rows lie 17 elements apart.
TEST_F(Unaligned, GapsBetweenRowsAreNotRead) {
  const Stream stream = device().stream();
  const std::int64_t m = 257, n = 769;  // whole tiles and an element
  std::vector<std::uint8_t> host(std::size_t(m * n));
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = std::uint8_t(i * 7 + i / 251);
  const Tensor dense = device().copy_of(host, {m, n}), y = device().empty(u8, {m, n});
  for (int k = 0; k < 8; ++k) {
    const Tensor padded = device().empty(u8, {m, n + 17});
    const TensorView x = padded.view().slice(1, k, n + k);
    jit().function("copy_2d")(stream, dense, x);
    jit().function("copy_2d_unaligned").with_config(tile(8, 512, 4))(stream, x, y);
    ASSERT_EQ(y.to_host<std::uint8_t>(stream), host) << k;
  }
}

TEST_F(Unaligned, RowsMayGoBackwardsOrRepeat) {
  for (const std::int64_t pitch : {-301, 0}) {
    const ViewSpec x{u8, {300, 290}, {pitch, 1}, 3}, y{u8, {300, 290}, {291, 1}, 5, true};
    ASSERT_TRUE(computes(jit(), "copy_2d_unaligned", {x, y}, tile(8, 512, 4), Values::bits));
  }
}

TEST_F(Unaligned, StridesThatAreNoRowsGoSingly) {
  for (const char* to : {"transposed", "columns stepped", "columns backwards"})
    for (const char* from : {"contiguous", "transposed", "columns stepped", "one element"})
      for (const Shape& shape : {Shape{15, 600}, Shape{30, 1}})
        ASSERT_TRUE(computes(jit(), "copy_2d_unaligned", {kind(from).of(u8, shape), kind(to).output(u8, shape)},
                             tile(8, 512, 4), Values::bits))
            << from << " " << to;
}

}  // namespace
}  // namespace tilejit::test
