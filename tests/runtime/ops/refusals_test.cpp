// What ops refuse, and what each refusal names. Nothing is launched, so outputs keep what they held.
#include <gmock/gmock.h>

#include <tilejit/generator/formula.h>
#include <tilejit/tests/templates/device_fixture.h>

#include "../message.h"

namespace tilejit::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Refusals : public DeviceTest {
 protected:
  template <class... Args>
  std::string refusal(const std::string& op, const Args&... args) {
    return message_of<InvalidArgument>([&] { jit().function(op)(nullptr, args...); });
  }
};

TEST_F(Refusals, ShapesThatDoNotBroadcastNameBothTensorsAndTheAxis) {
  const Tensor x = device().empty(f32, {3, 4}), y = device().empty(f32, {3, 5}), z = device().empty(f32, {3, 4});
  EXPECT_THAT(refusal("add", x, y, z), AllOf(HasSubstr("x and y do not broadcast"), HasSubstr("axis 1 of x is 4"),
                                             HasSubstr("axis 1 of y is 5")));
  EXPECT_THAT(refusal("add", x, x, y), AllOf(HasSubstr("x and z do not broadcast"), HasSubstr("axis 1 of z is 5")));
  const Tensor low = device().empty(f32, {4});
  EXPECT_THAT(refusal("copy", x, low), AllOf(HasSubstr("axis 0 of x is 3"), HasSubstr("y has no such axis")));
}

TEST_F(Refusals, AliasesThatWouldRaceAreRefusedByName) {
  const Tensor memory = device().empty(f32, {64});
  const TensorView x = memory.slice(0, 0, 32), shifted = memory.slice(0, 1, 33);
  EXPECT_THAT(refusal("copy", x, shifted), HasSubstr("y is written and overlaps x"));
  EXPECT_THAT(refusal("add", x, shifted, x), HasSubstr("z is written and overlaps y"));
  const Tensor square = device().empty(f32, {4, 4});
  EXPECT_THAT(refusal("copy", square.t(), square), HasSubstr("y is written and overlaps x"));
  const TensorView repeated(memory.data(), f32, {3, 4}, {0, 1});
  EXPECT_THAT(refusal("fill", 1.0f, repeated), HasSubstr("two of its elements share memory"));
}

TEST_F(Refusals, InterleavedColumnsAndExactlyInPlaceAreNoAliases) {
  const Tensor memory = device().copy_of(std::vector<float>(8 * 16), {8, 16});
  const Stream stream = device().stream();
  EXPECT_NO_THROW(jit().function("copy")(stream, memory.slice(1, 0, 16, 2), memory.slice(1, 1, 16, 2)));
  EXPECT_NO_THROW(jit().function("neg")(stream, memory, memory));
  stream.synchronize();
}

TEST_F(Refusals, FormulasPointAtTheCharacter) {
  const auto refused = [&](const char* formula) {
    return message_of<FormulaError>([&] { jit().elementwise(formula); });
  };
  EXPECT_THAT(refused("out = gelu(x * )"), AllOf(HasSubstr("column 16"), HasSubstr("\n                 ^")));
  EXPECT_THAT(refused("out = gelo(x)"), AllOf(HasSubstr("no function gelo"), HasSubstr("gelu")));
  EXPECT_THAT(message_of<InvalidArgument>([&] { jit().function("elementwise"); }), HasSubstr("Jit::elementwise"));
}

TEST_F(Refusals, WrongArgumentsAreNamed) {
  const Tensor x = device().empty(f32, {4});
  EXPECT_THAT(message_of<InvalidArgument>([&] { jit().elementwise("o = 2")(nullptr); }),
              HasSubstr("elementwise takes 1 argument, 0 given: elementwise(o)"));
  EXPECT_THAT(refusal("add", x, x), HasSubstr("add takes 3 arguments, 2 given: add(x, y, z)"));
  EXPECT_THAT(refusal("matmul", x, x), HasSubstr("matmul takes 3 to 9 arguments, 2 given: matmul(a, b, c, "));
  EXPECT_THAT(refusal("rmsnorm", x), HasSubstr("rmsnorm takes 2 to 6 arguments, 1 given"));
  EXPECT_THAT(refusal("add", x, x, 1.0f), HasSubstr("z is the output"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { jit().function("add").fix_strides("x"); }), HasSubstr("add is an op"));
}

TEST_F(Refusals, AnAddressBetweenTwoElementsIsNamedByOpAndArgument) {
  const Tensor memory = device().empty(f32, {64}), y = device().empty(f32, {20}), scalar = device().empty(f32, {1});
  const TensorView odd(static_cast<char*>(memory.data()) + 2, f32, {20});
  const TensorView rows(odd.data(), f32, {4, 5});
  const auto named = [](const std::string& whose) {
    return HasSubstr(whose + ": the address is aligned to 2 bytes, an element of f32 needs 4");
  };
  EXPECT_THAT(refusal("copy", odd, y), named("copy: x"));
  EXPECT_THAT(refusal("copy", y, odd), named("copy: y"));
  EXPECT_THAT(refusal("add", y, odd, y), named("add: y"));
  EXPECT_THAT(refusal("sum", odd, scalar), named("sum: x"));
  EXPECT_THAT(refusal("softmax", odd, y), named("softmax: x"));
  EXPECT_THAT(refusal("gather", rows, device().empty(i64, {2}), device().empty(f32, {2, 5})), named("gather: x"));
  EXPECT_THAT(refusal("matmul", device().empty(f32, {3, 4}), rows, device().empty(f32, {3, 5})), named("matmul: b"));
  EXPECT_THAT(refusal("vector_add", y, odd, device().empty(f32, {20})), named("vector_add: y"));
}

TEST_F(Refusals, AnUnknownNameIsAnsweredWithTemplatesAndOpsThatComeNear) {
  const auto refused = [&](const char* name) { return message_of<InvalidArgument>([&] { jit().function(name); }); };
  EXPECT_THAT(refused("layernrm"), AllOf(HasSubstr("no template or op \"layernrm\""), HasSubstr("layernorm")));
  EXPECT_THAT(refused("copy2d"), HasSubstr("copy_2d"));
}

TEST_F(Refusals, ReductionsNameTheAxisOrTheDtypesThatWouldFit) {
  const Tensor x = device().empty(f32, {3, 4});
  EXPECT_THAT(refusal("sum", x, device().empty(f32, {3, 2})),
              AllOf(HasSubstr("axis 1 of y is 2 long, of x 4"), HasSubstr("extent 1 where x is reduced")));
  EXPECT_THAT(refusal("sum", x, device().empty(f32, {4})), HasSubstr("axis 0 of y is 4 long, of x 3"));
  EXPECT_THAT(refusal("argmax", x, device().empty(f32, {3})), HasSubstr("y is f32; it may be i32, i64"));
  EXPECT_THAT(refusal("mean", x, device().empty(i32, {3})), HasSubstr("y is i32; it may be f64, f32, f16"));
  EXPECT_THAT(refusal("max", device().empty(f32, {3, 0}), device().empty(f32, {3})),
              HasSubstr("nothing to choose from"));
}

TEST_F(Refusals, RowOpsNameBothTensorsAndTheAxis) {
  const Tensor x = device().empty(f32, {3, 4}), y = device().empty(f32, {3, 5});
  EXPECT_THAT(refusal("softmax", x, y), HasSubstr("axis 1 is 4 long in x and 5 in y"));
  EXPECT_THAT(refusal("softmax", device().empty(i32, {3}), device().empty(i32, {3})),
              HasSubstr("x is i32; it may be f64, f32, f16, bf16"));
  EXPECT_THAT(refusal("softmax", x, x), HasSubstr("y is written and overlaps x"));
  EXPECT_THAT(refusal("layernorm", x, device().empty(f32, {3, 4}), device().empty(f32, {3})),
              HasSubstr("weight has one axis, as long as axis 1 of x"));
  EXPECT_THAT(refusal("gather", x, device().empty(i64, {2}), device().empty(f32, {2, 5})),
              HasSubstr("axis 1 of y is 5 long, axis 1 of x is 4"));
}

}  // namespace
}  // namespace tilejit::test
