#include <gtest/gtest.h>

#include <numeric>

#include "device.h"

/// ldmatrix, stmatrix and movmatrix against their definition, element by element.
namespace tilejit::testing {
namespace {

using Words = std::vector<std::uint32_t>;
constexpr int shared_words = 3072;

struct Form {
  int matrices;
  bool transposed;
  std::string text() const {
    return ".sync.aligned.m8n8.x" + std::to_string(matrices) + (transposed ? ".trans" : "") + ".shared.b16";
  }
};
const Form forms[] = {{1, false}, {2, false}, {4, false}, {1, true}, {2, true}, {4, true}};

std::string registers(int count) {
  std::string all = "{";
  for (int r = 0; r < count; ++r) all += (r == 0 ? "%r" : ", %r") + std::to_string(r);
  return all + "}";
}

/// One warp: shared memory from pm, lanes' addresses from pa, registers from pr; then `text`, and all of it back.
std::string kernel(const std::string& text) {
  std::string all =
      ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 pm, .param .u64 pa, .param .u64 "
      "pr)\n"
      "{\n.shared .align 128 .b8 memory[12288];\n.reg .pred %p;\n.reg .b32 %i, %t, %s, %row, %w, %r<4>;\n.reg .b64 "
      "%at, "
      "%o;\nmov.u32 %t, %tid.x;\nmov.u32 %s, memory;\nmov.u32 %i, %t;\n"
      "IN:\nld.param.u64 %at, [pm];\nmad.wide.u32 %o, %i, 4, %at;\nld.global.u32 %w, [%o];\nmad.lo.u32 %row, %i, 4, "
      "%s;\n"
      "st.shared.u32 [%row], %w;\nadd.u32 %i, %i, 32;\nsetp.lt.u32 %p, %i, 3072;\n@%p bra IN;\n"
      "ld.param.u64 %at, [pa];\nmad.wide.u32 %o, %t, 4, %at;\nld.global.u32 %row, [%o];\nadd.u32 %row, %row, %s;\n"
      "ld.param.u64 %at, [pr];\nmad.wide.u32 %o, %t, 4, %at;\n";
  for (int r = 0; r < 4; ++r)
    all += "ld.global.u32 %r" + std::to_string(r) + ", [%o+" + std::to_string(128 * r) + "];\n";
  all += "bar.sync 0;\n" + text + "\nbar.sync 0;\n";
  for (int r = 0; r < 4; ++r)
    all += "st.global.u32 [%o+" + std::to_string(128 * r) + "], %r" + std::to_string(r) + ";\n";
  return all +
         "mov.u32 %i, %t;\nOUT:\nld.param.u64 %at, [pm];\nmad.wide.u32 %o, %i, 4, %at;\nmad.lo.u32 %row, %i, 4, %s;\n"
         "ld.shared.u32 %w, [%row];\nst.global.u32 [%o], %w;\nadd.u32 %i, %i, 32;\nsetp.lt.u32 %p, %i, 3072;\n@%p bra "
         "OUT;\nret;\n}\n";
}

struct State {
  Words memory, addresses, registers;
};

State begin() {
  State s{Words(shared_words), Words(32), Words(128)};
  for (int i = 0; i < shared_words; ++i) s.memory[i] = static_cast<std::uint32_t>(2 * i | (2 * i + 1) << 16);
  // Rows in no order, none twice.
  for (std::uint32_t lane = 0; lane < 32; ++lane) s.addresses[lane] = (lane * 37 + 5) % 64 * 16;
  for (std::uint32_t i = 0; i < 128; ++i) s.registers[i] = (40000 + 2 * i) | (40001 + 2 * i) << 16;
  return s;
}

State run(const std::string& text, const State& in, CUresult want = CUDA_SUCCESS) {
  const Module module(kernel(text));
  const Buffer<std::uint32_t> memory(in.memory), addresses(in.addresses), registers(in.registers);
  EXPECT_EQ(module.run("k", {1}, {32}, memory.pointer(), addresses.pointer(), registers.pointer()), want);
  return {memory.read(), in.addresses, registers.read()};
}

std::uint32_t half(const Words& words, std::uint32_t byte) { return words[byte / 4] >> (8 * (byte % 4)) & 0xFFFF; }

/// Where in shared memory element `part` of a lane's register lies.
std::uint32_t place(const State& s, const Form& form, int matrix, int lane, int part) {
  const int row = form.transposed ? lane % 4 * 2 + part : lane / 4;
  const int column = form.transposed ? lane / 4 : lane % 4 * 2 + part;
  return s.addresses[static_cast<std::size_t>(matrix * 8 + row)] + static_cast<std::uint32_t>(2 * column);
}

TEST(Matrices, LoadsPutEveryElementWhereTheIsaSays) {
  for (const Form& form : forms) {
    SCOPED_TRACE(form.text());
    const State in = begin(), out = run("ldmatrix" + form.text() + " " + registers(form.matrices) + ", [%row];", in);
    for (int m = 0; m < form.matrices; ++m) {
      for (int lane = 0; lane < 32; ++lane) {
        for (int part = 0; part < 2; ++part) {
          const std::uint32_t got = out.registers[static_cast<std::size_t>(m * 32 + lane)] >> (16 * part) & 0xFFFF;
          ASSERT_EQ(got, half(in.memory, place(in, form, m, lane, part))) << m << " " << lane << " " << part;
        }
      }
    }
  }
}

TEST(Matrices, StoresPutEveryElementWhereTheIsaSays) {
  for (const Form& form : forms) {
    SCOPED_TRACE(form.text());
    const State in = begin(), out = run("stmatrix" + form.text() + " [%row], " + registers(form.matrices) + ";", in);
    Words want = in.memory;
    for (int m = 0; m < form.matrices; ++m) {
      for (int lane = 0; lane < 32; ++lane) {
        for (int part = 0; part < 2; ++part) {
          const std::uint32_t byte = place(in, form, m, lane, part);
          const std::uint32_t value = in.registers[static_cast<std::size_t>(m * 32 + lane)] >> (16 * part) & 0xFFFF;
          want[byte / 4] = (want[byte / 4] & ~(0xFFFFu << (8 * (byte % 4)))) | value << (8 * (byte % 4));
        }
      }
    }
    EXPECT_EQ(out.memory, want);
  }
}

TEST(Matrices, MovmatrixTransposes) {
  const State in = begin(), out = run("movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;", in);
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 8; ++column) {
      const auto element = [](const Words& words, int first, int r, int c) {
        return words[static_cast<std::size_t>(first + r * 4 + c / 2)] >> (16 * (c % 2)) & 0xFFFF;
      };
      EXPECT_EQ(element(out.registers, 0, row, column), element(in.registers, 32, column, row));
    }
  }
}

TEST(Matrices, WavefrontsAreThoseOfTheEightRowsOfEachMatrix) {
  const struct {
    std::uint32_t stride, swizzle;
    std::uint64_t wavefronts;
  } cases[] = {{16, 0, 4}, {32, 0, 8}, {64, 0, 16}, {128, 0, 32}, {144, 0, 4}, {128, 16, 4}, {0, 0, 4}};
  for (const auto& c : cases) {
    for (const bool store : {false, true}) {
      State in = begin();
      for (std::uint32_t lane = 0; lane < 32; ++lane) in.addresses[lane] = lane * c.stride + lane % 8 * c.swizzle;
      const std::string text = store ? "stmatrix" + forms[2].text() + " [%row], " + registers(4) + ";"
                                     : "ldmatrix" + forms[2].text() + " " + registers(4) + ", [%row];";
      table().reset();
      run(text, in);
      std::uint64_t wavefronts = 0, ideal = 0, lanes = 0;
      std::uint64_t* const sums[] = {&wavefronts, &ideal, &lanes};
      table().visit(
          [](void* user, const EmulatedKernel* kernel) {
            const auto& to = *static_cast<std::uint64_t* const(*)[3]>(user);
            for (std::size_t i = 0; i < kernel->instruction_count; ++i) {
              const EmulatedInstruction& in = kernel->instructions[i];
              if (std::string(in.opcode).find("matrix") == std::string::npos) continue;
              *to[0] = in.wavefronts, *to[1] = in.ideal_wavefronts, *to[2] = in.lanes;
            }
          },
          const_cast<std::uint64_t**>(sums));
      EXPECT_EQ(wavefronts, c.wavefronts) << c.stride << " " << c.swizzle;
      EXPECT_EQ(ideal, 4u);
      EXPECT_EQ(lanes, 32u);
    }
  }
}

TEST(Matrices, RowsThatAreMisalignedOrOutsideAreReported) {
  const std::string text = "ldmatrix" + forms[2].text() + " " + registers(4) + ", [%row];";
  State in = begin();
  in.addresses[9] = 24;
  ::testing::internal::CaptureStderr();
  run(text, in, CUDA_ERROR_MISALIGNED_ADDRESS);
  const std::string misaligned = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(misaligned.find("misaligned: read of 16 bytes of shared memory"), std::string::npos) << misaligned;
  EXPECT_NE(misaligned.find("thread (9, 0, 0)"), std::string::npos) << misaligned;
  in.addresses[9] = 12288;
  ::testing::internal::CaptureStderr();
  run(text, in, CUDA_ERROR_ILLEGAL_ADDRESS);
  const std::string outside = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(outside.find("out of bounds: read of 16 bytes of shared memory"), std::string::npos) << outside;
  // x1 looks at the first eight lanes' addresses only.
  run("ldmatrix" + forms[0].text() + " {%r0}, [%row];", in);
}

}  // namespace
}  // namespace tilejit::testing
