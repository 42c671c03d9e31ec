#include <tilejit/generator/object_code.h>

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace tilejit {
namespace {

std::string fixture(const std::string& name) {
  std::ifstream file(std::string(TILEJIT_SOURCE_DIR) + "/tests/fixtures/nvrtc_logs/" + name);
  EXPECT_TRUE(file) << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Resources, OfAKernelWithSharedMemory) {
  const Resources used = resources_in(fixture("shared.log"), "k");
  EXPECT_EQ(used.registers, 12);
  EXPECT_EQ(used.barriers, 1);
  EXPECT_EQ(used.shared, 256);
  EXPECT_EQ(used.stack, 0);
  EXPECT_EQ(used.spill_stores, 0);
  EXPECT_EQ(used.spill_loads, 0);
}

TEST(Resources, WhatPtxasLeavesOutBecauseItIsZeroIsZero) {
  const Resources used = resources_in(fixture("plain_12.log"), "k");
  EXPECT_EQ(used.registers, 8);
  EXPECT_EQ(used.barriers, 0);
  EXPECT_EQ(used.shared, 0);
}

TEST(Resources, OfTheEntryAndNotOfAFunctionItCalls) {
  const Resources used = resources_in(fixture("called_function.log"), "k");
  EXPECT_EQ(used.registers, 24);
  EXPECT_EQ(used.stack, 400);
  EXPECT_EQ(used.spill_stores, 8);
  EXPECT_EQ(used.spill_loads, 12);
}

TEST(Resources, OfTheEntryAskedForAmongTwo) {
  EXPECT_EQ(resources_in(fixture("two_entries.log"), "first").registers, 10);
  EXPECT_EQ(resources_in(fixture("two_entries.log"), "second").registers, 40);
  EXPECT_EQ(resources_in(fixture("two_entries.log"), "second").shared, 1024);
  EXPECT_EQ(resources_in(fixture("two_entries.log"), "third"), Resources());
}

TEST(Resources, EachFieldStandsOnItsOwn) {
  const std::string entry = "ptxas info    : Compiling entry function 'k' for 'sm_90'\n";
  Resources used = resources_in(entry + "ptxas info    : Used 30 registers\n", "k");
  EXPECT_EQ(used.registers, 30);
  EXPECT_EQ(used.stack, -1);
  EXPECT_EQ(used.spill_stores, -1);
  used = resources_in("Function properties for k\n    16 bytes stack frame, nonsense, 4 bytes spill loads\n", "k");
  EXPECT_EQ(used.stack, 16);
  EXPECT_EQ(used.spill_stores, -1);
  EXPECT_EQ(used.spill_loads, 4);
  EXPECT_EQ(used.registers, -1);
}

TEST(Resources, ALogThatSaysNothingLeavesAllUnsaid) {
  EXPECT_EQ(resources_in("", "k"), Resources());
  EXPECT_EQ(resources_in("k(3): warning #177-D: variable \"registers\" was declared\n", "k"), Resources());
}

TEST(Scratch, IsTheLargestMark) {
  EXPECT_EQ(scratch_in(""), 0);
  EXPECT_EQ(scratch_in("\t// tilejit.scratch 512\n\tbar.sync 0;\n\t// tilejit.scratch 8192\n// tilejit.scratch 4\n"),
            8192);
  EXPECT_EQ(scratch_in("// tilejit.scratch none"), 0);
}

ObjectCode object() {
  ObjectCode object;
  object.entry = "copy_2d_kernel";
  object.arch = "sm_90a";
  object.cubin = std::string(
      "\x7f"
      "ELF\0\0",
      6);
  object.ptx = ".version 9.0\n";
  object.source = "source\n";
  object.log = "log \xff not UTF-8\n";
  object.resources = {32, 256, 8, 0, 4, 1};
  object.scratch = 4096;
  object.parameters = {{Parameter::Kind::pointer, 0, 0, 0, 8}, {Parameter::Kind::stride, 0, 1, 8, 8},
                       {Parameter::Kind::scalar, 1, 0, 16, 4}, {Parameter::Kind::size, 2, 0, 24, 8},
                       {Parameter::Kind::grid, 1, 0, 32, 8},   {Parameter::Kind::tensor_map, 0, 0, 64, 128}};
  object.threads = 256;
  return object;
}

TEST(ObjectCode, GoesThroughAnEntryUnchanged) {
  const Entry entry = to_entry(object(), "material");
  EXPECT_EQ(entry.key_material, "material");
  const auto file = encode(entry);
  const auto back = object_in(*decode(file, digest("material")));
  ASSERT_TRUE(back);
  const ObjectCode before = object();
  EXPECT_EQ(back->entry, before.entry);
  EXPECT_EQ(back->arch, before.arch);
  EXPECT_EQ(back->cubin, before.cubin);
  EXPECT_EQ(back->ptx, before.ptx);
  EXPECT_EQ(back->source, before.source);
  EXPECT_EQ(back->log, before.log);
  EXPECT_EQ(back->resources, before.resources);
  EXPECT_EQ(back->scratch, before.scratch);
  EXPECT_EQ(back->parameters, before.parameters);
  EXPECT_EQ(back->threads, before.threads);
}

TEST(ObjectCode, MetaIsAsTheFormatSays) {
  EXPECT_EQ(
      *to_entry(object(), "").find("meta"),
      R"({"arch":"sm_90a","barriers":1,"entry":"copy_2d_kernel","format":1,)"
      R"("parameters":[["pointer",0,0,0,8],["stride",0,1,8,8],["scalar",1,0,16,4],["size",2,0,24,8],["grid",1,0,32,8],["tensor_map",0,0,64,128]],)"
      R"("registers":32,"scratch":4096,"shared":256,"spill_loads":4,"spill_stores":0,"stack":8,"threads":256})");
}

TEST(ObjectCode, AnEntryOfAnotherKindIsAMiss) {
  const Entry good = to_entry(object(), "material");
  const auto with_meta = [&](const std::string& meta) {
    Entry entry = good;
    entry.sections[0].bytes = meta;
    return entry;
  };
  EXPECT_TRUE(object_in(good));
  EXPECT_FALSE(object_in(Entry()));
  EXPECT_FALSE(object_in(with_meta("")));
  EXPECT_FALSE(object_in(with_meta("not json")));
  EXPECT_FALSE(object_in(with_meta("[]")));
  EXPECT_FALSE(object_in(with_meta("{\"format\":2}")));
  std::string meta = good.sections[0].bytes;
  meta.replace(meta.find("\"threads\":256"), 13, "\"threads\":\"x\"");
  EXPECT_FALSE(object_in(with_meta(meta)));
  meta = good.sections[0].bytes;
  meta.replace(meta.find("pointer"), 7, "painter");
  EXPECT_FALSE(object_in(with_meta(meta)));
  Entry no_code = good;
  no_code.sections.resize(1);
  EXPECT_FALSE(object_in(no_code));
}

}  // namespace
}  // namespace tilejit
