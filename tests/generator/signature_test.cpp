#include <gtest/gtest.h>

#include <random>

#include <tilejit/generator/signature.h>

namespace tilejit {
namespace {

std::string shown(std::string_view source) {
  std::string text;
  for (const DeviceFunction& function : device_functions(source)) {
    text += (text.empty() ? "" : "; ") + function.name + "(";
    for (const auto& parameter : function.parameters)
      text += (text.back() == '(' ? "" : ", ") + (parameter.name.empty() ? "?" : parameter.name);
    text += ")";
  }
  return text;
}

TEST(Signature, ParametersAreReadInOrder) {
  EXPECT_EQ(shown("template <class X, class Y>\n__device__ void copy(X x, Y y) { store(y, load(x)); }"), "copy(x, y)");
  EXPECT_EQ(shown("__device__ void none() {}"), "none()");
  EXPECT_EQ(shown("__device__ void none(void) {}"), "none()");
  EXPECT_EQ(
      shown("__device__ __forceinline__ auto f(const X& __restrict__ x, float alpha = g(1, 2), int n[3]) -> int {}"),
      "f(x, alpha, n)");
  EXPECT_EQ(shown("__device__ void f(pair<int, float> a, X* b, array<T, (1 > 2)> c, X) {}"), "f(a, b, c, ?)");
  EXPECT_EQ(shown("__device__ void f(const X, ns::type, unsigned n) {}"), "f(?, ?, n)");
}

TEST(Signature, PlacesAreThoseOfTheNames) {
  const auto functions = device_functions("/* one\n two */ // three\n  __device__\nvoid f(int a,\n       int b) {}\n");
  ASSERT_EQ(functions.size(), 1u);
  EXPECT_EQ(functions[0].line, 4);
  EXPECT_EQ(functions[0].column, 6);
  ASSERT_EQ(functions[0].parameters.size(), 2u);
  EXPECT_EQ(functions[0].parameters[0].line, 4);
  EXPECT_EQ(functions[0].parameters[0].column, 12);
  EXPECT_EQ(functions[0].parameters[1].line, 5);
  EXPECT_EQ(functions[0].parameters[1].column, 12);
}

TEST(Signature, CommentsLiteralsAndDirectivesHoldNoFunctions) {
  EXPECT_EQ(shown("// __device__ void a() {}\n/* __device__ void b() {} */\n#define D __device__ void c() {} \\\n"
                  "  __device__ void d() {}\nconst char* s = \"__device__ void e() {\";\n"
                  "auto r = R\"x(\n__device__ void f() { )\" )x\";\nchar q = '{'; int n = 1'000;\n"
                  "__device__ void g(int x) {}"),
            "g(x)");
}

TEST(Signature, OnlyDefinitionsOutsideOfEverythingCount) {
  EXPECT_EQ(
      shown("__device__ void declared(int x);\n__device__ int variable = init(3);\n"
            "struct S { __device__ void method(int x) {} };\nnamespace n { __device__ void inner() {} }\n"
            "void host(int x) {}\n__device__ void outer(int x) { if (x) { call(x); } }\n__global__ void k(int y) {}"),
      "outer(x)");
}

TEST(Signature, AttributesAreNotFunctions) {
  EXPECT_EQ(shown("__device__ __launch_bounds__(128) __attribute__((noinline)) void f(int x) noexcept(true) {}"),
            "f(x)");
  EXPECT_EQ(shown("template <class X> requires (X::rank == 2) __device__ void f(X x) {}"), "f(x)");
}

TEST(Signature, WhatIsNotCPlusPlusHoldsNoFunctionAndDoesNotCrash) {
  for (const char* text : {"", "(", ")", "{", "}", "__device__", "__device__ f(", "__device__ void f(int x", "\"",
                           "R\"", "R\"(", "/*", "//", "#", "#define \\", "'", "__device__ void f(,,) {", "\\"})
    shown(text);
  const char* pieces[] = {"__device__ ", "void ", "f",   "(",  ")",  "{",  "}",  "[", "]",  "<", ">", ",", ";", "=",
                          "\"",          "'",     "R\"", "/*", "*/", "//", "\n", "#", "\\", "1", "x", ":", " "};
  std::mt19937 random(3);
  for (int i = 0; i < 50000; ++i) {
    std::string text;
    for (unsigned n = random() % 24; n > 0; --n) text += pieces[random() % std::size(pieces)];
    shown(text);
  }
}

}  // namespace
}  // namespace tilejit
