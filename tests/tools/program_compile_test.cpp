#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/run_program.h"

namespace tilejit::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const std::vector<std::string> copy_call = {"compile", "copy_2d", "x=f32:4096x4096", "y=f32:4096x4096"};

std::vector<std::string> with(std::vector<std::string> args, std::initializer_list<const char*> more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

nlohmann::json stats(const Program& tilejit) {
  return nlohmann::json::parse(tilejit({"cache", "stats", "--json"}).out);
}

TEST(ProgramCompile, WritesCubinPtxAndSource) {
  Program tilejit;
  const std::filesystem::path out = tilejit.folder() / "out";
  const Finished compile = tilejit(with(copy_call, {"--arch", "sm_90a", "-o", out.c_str()}));
  EXPECT_EQ(compile.status, 0) << compile.err;
  EXPECT_THAT(compile.out,
              AllOf(HasSubstr("copy_2d for sm_90a: compiled"), HasSubstr("registers"), HasSubstr("spills")));
  EXPECT_THAT(Program::text_of(out / "copy_2d.cubin"), StartsWith("\x7f"
                                                                  "ELF"));
  EXPECT_THAT(Program::text_of(out / "copy_2d.ptx"), HasSubstr(".target sm_90a"));
  EXPECT_THAT(Program::text_of(out / "copy_2d.cu"), HasSubstr("copy_2d_kernel"));
}

TEST(ProgramCompile, AFolderWithoutANameIsUsage) {
  const Finished compile = Program()(with(copy_call, {"-o", ""}));
  EXPECT_EQ(compile.status, 2);
  EXPECT_EQ(compile.out, "");
  EXPECT_THAT(compile.err, HasSubstr("expected a folder's name"));
}

TEST(ProgramCompile, ASecondProcessTakesItFromTheCache) {
  Program tilejit;
  const auto first = nlohmann::json::parse(tilejit(with(copy_call, {"--json"})).out);
  const auto second = nlohmann::json::parse(tilejit(with(copy_call, {"--json"})).out);
  EXPECT_EQ(first["format"], "tilejit.compile");
  EXPECT_EQ(first["from_cache"], false);
  EXPECT_EQ(second["from_cache"], true);
  EXPECT_GT(first["registers"], 0);
  for (const char* key : {"registers", "shared", "scratch", "stack", "spill_stores", "spill_loads", "cubin_bytes"}) {
    EXPECT_EQ(first[key], second[key]) << key;
  }
  EXPECT_EQ(stats(tilejit)["kernels"]["entries"], 1);
  EXPECT_THAT(tilejit({"cache", "list"}).out, HasSubstr("copy_2d_kernel sm_90a"));
  EXPECT_THAT(tilejit({"cache", "verify"}).out, HasSubstr("1 entries read, 0 damaged"));
  EXPECT_THAT(tilejit({"cache", "clear"}).out, StartsWith("1 entries removed"));
}

TEST(ProgramCompile, EntriesThatCannotBeRemovedAreSaid) {
  Program tilejit;
  const std::vector<std::string> compile{"compile", "copy_2d", "x=f32:64x64", "y=f32:64x64"};
  ASSERT_EQ(tilejit(compile).status, 0);
  const std::filesystem::path shelf = tilejit.cache() / "v1" / "kernels";
  const auto perms = [&](std::filesystem::perms mode) {
    for (const auto& folder : std::filesystem::directory_iterator(shelf)) std::filesystem::permissions(folder, mode);
  };
  perms(std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const Finished clear = tilejit({"cache", "clear"});
  perms(std::filesystem::perms::owner_all);
  if (::geteuid() == 0) GTEST_SKIP() << "root removes what it likes";
  EXPECT_EQ(clear.status, 1);
  EXPECT_THAT(clear.out, AllOf(HasSubstr("0 entries removed"), HasSubstr("1 could not be removed")));
}

TEST(ProgramCompile, ADamagedEntryIsFoundAndBuiltAgain) {
  Program tilejit;
  tilejit(copy_call);
  for (const auto& file : std::filesystem::recursive_directory_iterator(tilejit.cache())) {
    if (!file.is_regular_file() || file.file_size() < 1000) continue;
    std::fstream bytes(file.path(), std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(500);
    bytes.put('\x55').put('\xaa').put('\x55');
  }
  const Finished verify = tilejit({"cache", "verify"});
  EXPECT_EQ(verify.status, 1);
  EXPECT_THAT(verify.out, HasSubstr("1 entries read, 1 damaged"));
  EXPECT_EQ(nlohmann::json::parse(tilejit(with(copy_call, {"--json"})).out)["from_cache"], false);
}

TEST(ProgramCompile, ATemplateThatDoesNotCompileGivesItsOwnLineAndTheLogEachTime) {
  Program tilejit;
  std::string text = scale_template;
  text.replace(text.find("* factor"), 8, "* no_such_name");
  const std::string file = tilejit.write("scale.cuh", text);
  const auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(text.find("no_such_name")), '\n');
  for (int time = 0; time < 2; ++time) {
    const Finished compile = tilejit({"compile", file, "x=f32:1000", "y=f32:1000"});
    EXPECT_EQ(compile.status, 1);
    EXPECT_EQ(compile.out, "");
    EXPECT_THAT(compile.err, StartsWith("tilejit: CompileError: "));
    EXPECT_THAT(compile.err, AllOf(HasSubstr("scale.cuh"), HasSubstr("no_such_name"), HasSubstr(std::to_string(line))));
  }
  EXPECT_EQ(stats(tilejit)["kernels"]["entries"], 0);
}

TEST(ProgramCompile, AnArchThatNvrtcDoesNotKnowGetsTheSupportedList) {
  const Finished compile = Program()(with(copy_call, {"--arch", "sm_35"}));
  EXPECT_EQ(compile.status, 1);
  EXPECT_THAT(compile.err, AllOf(StartsWith("tilejit: ToolchainError: "), HasSubstr("sm_35"), HasSubstr("90")));
}

TEST(ProgramCompile, EveryTemplateCompilesAtItsDefaultConfig) {
  Program tilejit;
  const std::vector<std::vector<std::string>> calls = {
      {"vector_add", "x=f32:1000", "y=f32:1000", "z=f32:1000"},
      {"copy_2d", "x=bf16:100x200:1,100", "y=bf16:100x200"},
      {"row_sum", "x=f32:64x1000", "y=f32:64"},
      {"column_sum", "x=f32:64x1000", "y=f32:1000"},
  };
  for (std::vector<std::string> call : calls) {
    call.insert(call.begin(), "compile");
    const Finished compile = tilejit(call);
    EXPECT_EQ(compile.status, 0) << call[1] << ": " << compile.err;
  }
}

TEST(ProgramCompile, DoctorFindsTheCompiler) {
  const Finished doctor = Program()({"doctor", "--json"});
  EXPECT_EQ(doctor.status, 0) << doctor.out;
  const auto json = nlohmann::json::parse(doctor.out);
  EXPECT_EQ(json["format"], "tilejit.doctor");
  bool found = false;
  for (const auto& one : json["findings"]) {
    if (one["part"] == "NVRTC") found = one["usable"].get<bool>() && one["needed"].get<bool>();
    if (!one["usable"].get<bool>()) {
      EXPECT_NE(one["remedy"], "") << one;
    }
  }
  EXPECT_TRUE(found);
}

TEST(ProgramCompile, DoctorWithoutACompilerFailsAndSaysWhatToDo) {
  Program tilejit;
  tilejit.set("TILEJIT_NVRTC", "/no/such/libnvrtc.so");
  const Finished doctor = tilejit({"doctor"});
  EXPECT_EQ(doctor.status, 1);
  EXPECT_THAT(doctor.out, AllOf(HasSubstr("/no/such/libnvrtc.so"), HasSubstr("-> install a CUDA toolkit")));
}

TEST(ProgramCompile, ABadVariableOfTheEmulatedDeviceIsNamedAndDoctorSaysSo) {
  Program tilejit;
  tilejit.set("TILEJIT_EMULATED_CHECK", "foo");
  const Finished doctor = tilejit({"doctor"});
  if (doctor.out.find("no emulated device") != std::string::npos) GTEST_SKIP() << "built without it";
  const std::string why = "TILEJIT_EMULATED_CHECK='foo': unwritten, races, all or none is wanted";
  EXPECT_EQ(doctor.status, 0);
  EXPECT_THAT(doctor.out, HasSubstr(why + "\n                       -> set the variable as said, or unset it\n"));
  const Finished run = tilejit({"run", "copy", "x=f32:3x4", "y=f32:3x4", "--device", "emulated"});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("tilejit: InvalidArgument: " + why));
}

}  // namespace
}  // namespace tilejit::test
