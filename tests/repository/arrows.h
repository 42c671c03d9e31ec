#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tilejit::test {

/// The rooms; "" is none of them. A file belongs to the longest room that its path begins with.
std::vector<std::string_view> rooms();

/// What the matrix says about a file of one room that includes a header of another, or of its own.
enum class Arrow { forbidden, public_headers, allowed };
Arrow arrow(std::string_view from, std::string_view to);

/// Every include below `root` that a rule forbids, as "cache/store.cpp:3: <tilejit/runtime/jit.h>: the rule", sorted.
/// The rules:
///  - the matrix of rooms;
///  - one spelling, <tilejit/room/file.h>, and the file is there;
///  - public headers (what tilejit.h reaches) see the C++ standard library and each other;
///  - spdlog, fmt, toml++ and JSON are for .cpp files; cuda.h and nvrtc.h for the rooms that talk to them;
///  - templates/ includes templates/.
std::vector<std::string> forbidden_includes(const std::filesystem::path& root);

}  // namespace tilejit::test
