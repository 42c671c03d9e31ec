#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include <tilejit/generator/error.h>
#include <tilejit/generator/ptx/module.h>
#include <tilejit/tools/ptx_report.h>

namespace tilejit::tool {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string golden(const std::string& name) {
  std::ifstream file(TILEJIT_SOURCE_DIR "/tests/golden/inspect/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

Resources spilling() {
  Resources used;
  used.registers = 121;
  used.shared = 8192;
  used.stack = 64;
  used.spill_stores = 24;
  used.spill_loads = 28;
  used.barriers = 1;
  return used;
}

/// `text` as a kernel's body.
InspectReport report_of_body(const std::string& text, const std::string& directives = {}) {
  return report_of(".version 9.0\n.target sm_80\n.visible .entry k()" + directives + " {\n" + text + "\nret;\n}\n");
}

std::string message_of(const std::string& ptx, const std::string& entry) {
  try {
    report_of(ptx, entry);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return {};
}

const std::string two_kernels =
    ".version 9.0\n.target sm_80\n.func f() { ret; }\n.entry a() { ret; }\n.entry b() { ret; bar.sync 0; }\n";

TEST(PtxReport, TheScreenIsTheGoldenOne) {
  const Resources used = spilling();
  EXPECT_EQ(to_text(report_of(golden("mixed.ptx"), "mixed_kernel", &used, "sm_90a")), golden("mixed.txt"));
}

TEST(PtxReport, TheJsonIsTheGoldenOne) {
  const Resources used = spilling();
  EXPECT_EQ(to_json(report_of(golden("mixed.ptx"), "mixed_kernel", &used, "sm_90a")), golden("mixed.json"));
}

TEST(PtxReport, OfPtxAloneSaysWhatIsUnknownInsteadOfZero) {
  const InspectReport report = report_of(golden("mixed.ptx"));
  EXPECT_EQ(to_text(report), golden("mixed_alone.txt"));
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_TRUE(json.at("registers").is_null());
  EXPECT_TRUE(json.at("spill_stores").is_null());
  EXPECT_TRUE(json.at("occupancy").is_null());
  EXPECT_EQ(json.at("shared").at("static"), 8192);
}

TEST(PtxReport, PlacesAreTheTemplatesOwnLinesThroughWhatWasInlined) {
  const InspectReport report = report_of(golden("mixed.ptx"));
  const auto scalar = std::find_if(report.accesses.begin(), report.accesses.end(), [](const InspectAccess& access) {
    return access.count.space == "global" && access.count.bytes == 4;
  });
  ASSERT_NE(scalar, report.accesses.end());
  EXPECT_EQ(scalar->place.file, "kernels/mixed.cuh");
  EXPECT_EQ(scalar->place.line, 31);
  EXPECT_EQ(scalar->place.inner_file, "");
  const auto first = std::find_if(report.accesses.begin(), report.accesses.end(),
                                  [](const InspectAccess& access) { return access.count.read_only; });
  ASSERT_NE(first, report.accesses.end());
  EXPECT_EQ(first->place.line, 30);
  EXPECT_EQ(first->place.inner_file, "block/memory.cuh");
  EXPECT_EQ(first->place.inner_line, 88);
}

TEST(PtxReport, WithoutAnEntryNamedTheOnlyOneIsMeant) {
  EXPECT_EQ(report_of(golden("mixed.ptx")).entry, "mixed_kernel");
  EXPECT_EQ(message_of(two_kernels, ""), "the PTX holds several kernels, name one: a, b");
  EXPECT_EQ(message_of(two_kernels, "c"), "no kernel c in the PTX; it holds a, b");
  EXPECT_EQ(message_of(two_kernels, "f"), "no kernel f in the PTX; it holds a, b");
  EXPECT_EQ(message_of(".version 9.0\n.target sm_80\n", ""), "the PTX holds no kernel (.entry)");
  EXPECT_EQ(report_of(two_kernels, "b").facts.barriers, 1);
}

TEST(PtxReport, EveryEntryHasAReportOfItsOwn) {
  const auto reports = reports_of(two_kernels);
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[1].entry, "b");
  EXPECT_EQ(reports[1].arch, "sm_80");
}

TEST(PtxReport, WhatIsNotPtxIsASyntaxErrorWithItsLine) { EXPECT_THROW(report_of("\nhello"), ptx::SyntaxError); }

TEST(PtxReport, AnUnknownArchHasNoOccupancyAndIsNoError) {
  const Resources used = spilling();
  EXPECT_FALSE(report_of(golden("mixed.ptx"), {}, &used, "sm_999").occupancy);
}

TEST(PtxReport, SpillsAreToldApartFromTheStack) {
  Resources used = spilling();
  used.spill_stores = 0;
  used.spill_loads = 0;
  EXPECT_THAT(to_text(report_of(golden("mixed.ptx"), {}, &used)),
              HasSubstr("64 B a thread; spills 0 B stored, 0 B loaded"));
  EXPECT_THAT(to_text(report_of(golden("mixed.ptx"), {}, &used)), Not(HasSubstr("registers spill")));
}

TEST(PtxReport, ABlockThatFitsNowhereIsNoted) {
  Resources used;
  used.registers = 200;
  used.shared = 0;
  const InspectReport report = report_of(".version 9.0\n.target sm_80\n.entry k() .maxntid 1024 { ret; }\n", {}, &used);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes[0].text, "cannot be launched on sm_80: one block needs more registers than there are");
}

TEST(PtxReport, GroupsOfScalarsSayWhatOneAccessWouldTake) {
  const auto notes = [](const std::string& body) {
    std::vector<std::string> texts;
    for (const InspectNote& note : report_of_body(body).notes) texts.push_back(note.text);
    return texts;
  };
  EXPECT_THAT(
      notes("ld.global.f32 a, [x];\nld.global.f32 b, [x+4];\nld.global.f32 c, [x+8];"),
      ElementsAre(
          "3 32-bit global loads side by side at +0, +4, +8: one 64-bit access if the address is 8-byte aligned"));
  EXPECT_THAT(
      notes("st.shared.f64 [x+-8], a;\nst.shared.f64 [x], a;\nst.shared.f64 [x+8], a;\nst.shared.f64 [x+16], a;"),
      ElementsAre("4 64-bit shared stores side by side at -8, +0, +8, +16: 2 128-bit accesses if the address is "
                  "16-byte aligned"));
  std::string many;
  for (int i = 0; i < 12; ++i)
    many += "ld.global.f32 a, [x" + std::to_string(i) + "];\nld.global.f32 b, [x" + std::to_string(i) + "+4];\n";
  EXPECT_EQ(notes(many).size(), 9u);
  EXPECT_EQ(notes(many).back(), "4 more groups of accesses side by side");
}

TEST(PtxReport, UnknownInstructionsAreCountedAndNeverFail) {
  const InspectReport report = report_of_body("zap.u32 a, {b}, [c, {d}];\nzap.u32 a;\nfoo;");
  EXPECT_EQ(report.notes.at(0).text, "3 instructions that this version does not know: foo (1), zap.u32 (2)");
}

TEST(PtxReport, WithoutDebugLinesAPlaceIsALineOfThePtx) {
  EXPECT_THAT(to_text(report_of_body("ld.global.u8 a, [x];")), HasSubstr("1 x 8-bit; first 8-bit one at PTX line 4"));
}

TEST(PtxReport, AnEmptyKernelIsOneScreenOfNothing) {
  EXPECT_THAT(to_text(report_of_body("")), HasSubstr("no floating-point arithmetic"));
}

}  // namespace
}  // namespace tilejit::tool
