#include <gtest/gtest.h>

#include <tilejit/generator/error.h>
#include <tilejit/tests/support/temp_folder.h>
#include <tilejit/tools/output.h>

namespace tilejit::tool {
namespace {

TEST(Table, ColumnsOfNumbersStandFlushRight) {
  Table table({"name", "bytes", "what"});
  table.add({"a", "7", "x"});
  table.add({"long", "1234567", ""});
  EXPECT_EQ(table.text(),
            "name    bytes  what\n"
            "a           7  x\n"
            "long  1234567\n");
}

TEST(Output, AFileThatCannotBeWrittenIsNamed) {
  try {
    write_file("/no/such/folder/x.cubin", "bytes");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("/no/such/folder/x.cubin: cannot be written: No such file"),
              std::string::npos);
  }
}

TEST(Output, AFileThatCannotBeReadIsNamed) { EXPECT_THROW(read_file("/no/such/file.ptx"), InvalidArgument); }

TEST(Output, AFolderIsNotReadAsAFile) {
  const test::TempFolder folder;
  try {
    read_file(folder.path().string());
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(std::string(error.what()), folder.path().string() + ": a folder, not a file");
  }
}

}  // namespace
}  // namespace tilejit::tool
