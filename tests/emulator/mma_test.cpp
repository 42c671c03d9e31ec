#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "answers/card.h"
#include "answers/mma_answers.h"
#include "answers/tiles.h"
#include "device.h"
#include "mma_model.h"

/// Built once for each compute capability, which a process has one of.
namespace tilejit::testing {
namespace {

constexpr int capability = TILEJIT_TEST_CAPABILITY;
constexpr int tiles = 2 * tile_kinds;

const bool environment_is_set = [] {
  setenv("TILEJIT_EMULATED_CC", (std::to_string(capability / 10) + "." + std::to_string(capability % 10)).c_str(), 1);
  return true;
}();

bool is_there(const MmaForm& form) { return std::stoi(form.target().substr(3)) <= capability; }

const Card& emulated() {
  static const auto* card = [] {
    std::string why;
    Card* const opened = Card::open(TILEJIT_BINARY_DIR "/lib/libtilejit_emulated_cuda.so", why).release();
    if (opened == nullptr) throw std::runtime_error(why);
    return opened;
  }();
  return *card;
}

Elements answer(const MmaForm& form, const Words& all, int tile) {
  const int words = form.c_registers() * 32 * form.register_bytes() / 4;
  return elements_of_d(form, all.data() + tile * words);
}

void equals_the_model(const MmaForm& form) {
  const Words all = run_tiles(emulated(), form, 0, tiles);
  const MmaRule rule = mma_rule(form, capability);
  for (int t = 0; t < tiles; ++t) {
    const Tile tile = tile_of(form, t);
    const Elements want = mma(form, rule, tile.a, tile.b, tile.c), got = answer(form, all, t);
    for (std::size_t i = 0; i < want.size(); ++i) {
      if (form.a == Element::f64 && is_nan(f64, want[i]) && is_nan(f64, got[i])) continue;
      ASSERT_EQ(got[i], want[i]) << std::hex << "tile " << t << " (" << name_of_kind(t % tile_kinds) << ") element "
                                 << i << ", C " << tile.c[i];
    }
  }
}

TEST(Mma, EqualsTheModelBitForBit) {
  for (const MmaForm& form : mma_forms()) {
    SCOPED_TRACE(form.instruction());
    if (is_there(form)) equals_the_model(form);
  }
}

void adds_in_float32(const MmaForm& f) {
  const Words all = run_tiles(emulated(), f, 0, tile_kinds);
  for (const int kind : {0, 7}) {
    const Tile tile = tile_of(f, kind);
    const Elements got = answer(f, all, kind);
    for (int i = 0; i < f.m; ++i) {
      for (int j = 0; j < f.n; ++j) {
        const auto at = static_cast<std::size_t>(i * f.n + j);
        double sum = as_double(format_of(f.c), tile.c[at]), size = std::fabs(sum);
        for (int k = 0; k < f.k; ++k) {
          const double product = as_double(format_of(f.a), tile.a[static_cast<std::size_t>(i * f.k + k)]) *
                                 as_double(format_of(f.b), tile.b[static_cast<std::size_t>(k * f.n + j)]);
          sum += product, size += std::fabs(product);
        }
        const double bound = kind == 7 ? 0 : f.d == Element::f16 ? 0x1p-10 * size : 0x1p-20 * size;
        ASSERT_NEAR(as_double(format_of(f.d), got[at]), sum, bound) << "row " << i << " column " << j;
      }
    }
  }
}

TEST(Mma, PlainModeAddsInFloat32) {
  use_device();
  ASSERT_TRUE(table().set("plain_mma", 1));
  for (const MmaForm& form : mma_forms()) {
    SCOPED_TRACE(form.instruction());
    if (is_there(form) && !is_whole(form.a) && form.a != Element::f64) adds_in_float32(form);
  }
  ASSERT_TRUE(table().set("plain_mma", 0));
}

std::string failing(const std::string& ptx, unsigned threads) {
  const Module module(ptx);
  const Buffer<std::uint32_t> words(std::vector<std::uint32_t>(4096, 0));
  ::testing::internal::CaptureStderr();
  const CUresult code =
      module.run("k", {1}, {threads}, words.pointer(), words.pointer(), words.pointer(), words.pointer());
  const std::string report = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(code, CUDA_SUCCESS) << report;
  return report;
}

TEST(MmaFaults, AWarpThatIsNotWholeIsReported) {
  const std::string report = failing(mma_kernel(mma_forms()[0]), 16);
  EXPECT_NE(report.find("mma wants all 32 lanes of the warp, and lanes 0xffff0000 have returned or never ran"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("PTX line"), std::string::npos);
}

TEST(MmaFaults, LanesAtDifferentOnesDeadlockAndAreNamed) {
  std::string ptx = mma_kernel(mma_forms()[0]);
  const std::size_t at = ptx.find("mma.sync");
  const std::string one = ptx.substr(at, ptx.find(';', at) - at + 1) + "\n";
  ptx.replace(at, one.size(),
              ".reg .pred %half;\nsetp.lt.u32 %half, %lane, 16;\n@%half bra FIRST;\n" + one +
                  "bra.uni BEHIND;\nFIRST:\n" + one + "BEHIND:\n");
  const std::string report = failing(ptx, 32);
  EXPECT_NE(report.find("deadlock: lanes wait for others of their warp that never come"), std::string::npos) << report;
  EXPECT_NE(report.find("for lanes 0x0000ffff of warp 0"), std::string::npos) << report;
}

TEST(MmaFaults, AFormThatIsNotThereNamesThoseThatAre) {
  std::string ptx = mma_kernel(mma_forms()[0]);
  ptx.replace(ptx.find("m16n8k16"), 8, "m8n8k4");
  const std::string report = failing(ptx, 32);
  EXPECT_NE(report.find("no such form; the emulated device has .row.col forms m16n8k16 and m16n8k8 of f16 and bf16"),
            std::string::npos)
      << report;
}

}  // namespace
}  // namespace tilejit::testing
