#pragma once
#include <cstdint>
#include <string>

#include <tilejit/runtime/emulator/kernel/program.h>

namespace tilejit::emulator {

/// "block (3, 0, 0), thread (17, 0, 0)"
std::string describe_thread(const Warp& warp, int lane);

/// Two lines, indented: the PTX with its line, and where in the source it comes from.
std::string describe_instruction(const Program& program, std::uint32_t site);

/// One line of the module's text, without space at its ends.
std::string line_of(const ptx::Module& module, int line);

/// "file.cu:12", "file.cuh:7, inlined at file.cu:12"; empty: the PTX has no line information.
std::string describe_source(const Program& program, std::uint32_t site);

}  // namespace tilejit::emulator
