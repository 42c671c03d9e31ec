#include <tilejit/runtime/launch.h>

#include <gmock/gmock.h>

#include <tilejit/runtime/scalar.h>

#include "../support/fake_driver.h"
#include "message.h"

namespace tilejit {
namespace {

using test::FakeDriver;
using test::FakeLaunch;
using test::message_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// Parameters one after the other, each at its natural alignment.
ObjectCode object_with(std::vector<Parameter> parameters, FakeDriver& fake) {
  ObjectCode code;
  code.entry = "kernel";
  code.arch = "sm_90a";
  code.cubin = "a cubin";
  code.threads = 256;
  std::vector<test::FakeKernel::Place> places;
  int offset = 0;
  for (Parameter& parameter : parameters) {
    offset = (offset + parameter.size - 1) / parameter.size * parameter.size;
    parameter.offset = offset;
    offset += parameter.size;
    places.push_back({std::size_t(parameter.offset), std::size_t(parameter.size)});
  }
  fake.kernels["kernel"].parameters = places;
  code.parameters = std::move(parameters);
  return code;
}

class LaunchTest : public testing::Test {
 protected:
  using Kind = Parameter::Kind;
  FakeDriver fake{2};
  Device device = fake.device();
  Grid grid = grid_of({3, 2, 1}, device.grid_limits(), "kernel");

  void run(const Kernel& kernel, const LaunchArguments& arguments, CUstream stream = nullptr,
           std::array<unsigned, 3> cluster = {1, 1, 1}) {
    const CurrentContext current(*fake.driver(), device.context());
    launch(*fake.driver(), kernel, grid, arguments, stream, cluster);
  }
};

TEST_F(LaunchTest, HandsOverEachKindOfParameterInItsPlace) {
  const Kernel kernel(device,
                      object_with({{Kind::pointer, 0, 0, 0, 8},
                                   {Kind::stride, 0, 0, 0, 8},
                                   {Kind::pointer, 1, 0, 0, 8},
                                   {Kind::stride, 1, 1, 0, 8},
                                   {Kind::size, 1, 0, 0, 8},
                                   {Kind::size, 0, 0, 0, 8},
                                   {Kind::scalar, 1, 0, 0, 4},
                                   {Kind::scalar, 0, 0, 0, 2},
                                   {Kind::scalar, 2, 0, 0, 1},
                                   {Kind::grid, 1, 0, 0, 8},
                                   {Kind::grid, 0, 0, 0, 8}},
                                  fake),
                      0);
  const TensorView x(reinterpret_cast<void*>(0x1000), f32, {5, 7}, {-9, 1});
  const TensorView y(reinterpret_cast<void*>(0x2000), f32, {5, 7}, {1, std::int64_t(1) << 40});
  const std::array<const TensorView*, 2> tensors{&x, &y};
  const std::array<std::int64_t, 2> sizes{5, 7};
  const std::array<std::uint64_t, 3> scalars{Scalar(1.5).bits_as(f16, "a"), Scalar(0.1F).bits_as(f32, "b"),
                                             Scalar(true).bits_as(boolean, "c")};
  run(kernel, {tensors, sizes, scalars});

  ASSERT_EQ(fake.launches().size(), 1U);
  const FakeLaunch launch = fake.launches()[0];
  EXPECT_EQ(launch.entry, "kernel");
  EXPECT_EQ(launch.parameter<std::uint64_t>(0), 0x1000U);
  EXPECT_EQ(launch.parameter<std::int64_t>(1), -9);
  EXPECT_EQ(launch.parameter<std::uint64_t>(2), 0x2000U);
  EXPECT_EQ(launch.parameter<std::int64_t>(3), std::int64_t(1) << 40);
  EXPECT_EQ(launch.parameter<std::int64_t>(4), 7);
  EXPECT_EQ(launch.parameter<std::int64_t>(5), 5);
  EXPECT_EQ(launch.parameter<float>(6), 0.1F);
  EXPECT_EQ(launch.parameter<std::uint16_t>(7), 0x3e00);
  EXPECT_EQ(launch.parameter<bool>(8), true);
  EXPECT_EQ(launch.parameter<std::int64_t>(9), 2);
  EXPECT_EQ(launch.parameter<std::int64_t>(10), 3);
}

TEST_F(LaunchTest, EncodesATmaMapOfWhereTheTensorLies) {
  const Kernel kernel(device, object_with({{Kind::tensor_map, 1, 0, 0, 128}, {Kind::tensor_map, 0, 0, 0, 128}}, fake),
                      0);
  const TensorView x(reinterpret_cast<void*>(0x1000), bf16, {5, 7}, {16, 1});
  const TensorView y(reinterpret_cast<void*>(0x2000), f32, {9, 1}, {1, 3});
  const std::array<const TensorView*, 2> tensors{&x, &y};
  std::array<TensorMapForm, 2> maps;
  maps[0] = {.tensor = 1, .axes = {0, 1}, .box = {32, 8}, .rank = 2, .dtype = CU_TENSOR_MAP_DATA_TYPE_FLOAT32};
  maps[1] = {.tensor = 0,
             .axes = {1, 0},
             .box = {64, 16},
             .rank = 2,
             .dtype = CU_TENSOR_MAP_DATA_TYPE_UINT16,
             .swizzle = CU_TENSOR_MAP_SWIZZLE_128B};
  run(kernel, {tensors, {}, {}, maps});

  // The fake keeps what it was asked for: type, address, swizzle, extents with boxes, byte strides.
  using Words = std::array<std::uint64_t, 16>;
  const FakeLaunch launch = fake.launches().at(0);
  const auto of_y = launch.parameter<Words>(0), of_x = launch.parameter<Words>(1);
  EXPECT_THAT(std::vector(of_y.begin(), of_y.begin() + 6),
              ElementsAre(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 0x2000, 0, 9 | 32ULL << 32, 1 | 8ULL << 32, 16));
  EXPECT_THAT(std::vector(of_x.begin(), of_x.begin() + 6),
              ElementsAre(CU_TENSOR_MAP_DATA_TYPE_UINT16, 0x1000, CU_TENSOR_MAP_SWIZZLE_128B, 7 | 64ULL << 32,
                          5 | 16ULL << 32, 32));

  const TensorView odd(reinterpret_cast<void*>(0x1008), bf16, {5, 7}, {16, 1});
  const std::array<const TensorView*, 2> misaligned{&odd, &y};
  EXPECT_THAT(message_of<CudaError>([&] {
                run(kernel, {misaligned, {}, {}, maps});
              }),
              AllOf(HasSubstr("cuTensorMapEncodeTiled"), HasSubstr("tensor 0"), HasSubstr("(5, 7)")));
  EXPECT_THAT(message_of<InvalidArgument>([&] {
                run(kernel, {tensors, {}, {}, std::span(maps).first(1)});
              }),
              HasSubstr("takes more TMA maps than the 1 given"));
}

TEST_F(LaunchTest, AsksForGridBlockSharedMemoryAndStream) {
  const Kernel kernel(device, object_with({}, fake), 60000);
  const Stream stream = device.stream();
  run(kernel, {}, stream.handle());
  const FakeLaunch launch = fake.launches().at(0);
  EXPECT_THAT(launch.grid, ElementsAre(3, 2, 1));
  EXPECT_THAT(launch.block, ElementsAre(256, 1, 1));
  EXPECT_THAT(launch.cluster, ElementsAre(1, 1, 1));
  EXPECT_EQ(launch.shared, 60000U);
  EXPECT_EQ(launch.stream, stream.handle());
  EXPECT_EQ(launch.context, device.context());
}

TEST_F(LaunchTest, AFoldedGridIsLaunchedAlongXAndTellsItsPrograms) {
  const Kernel kernel(
      device, object_with({{Kind::grid, 0, 0, 0, 8}, {Kind::grid, 1, 0, 0, 8}, {Kind::grid, 2, 0, 0, 8}}, fake), 0);
  grid = grid_of({3, 70000, 2}, device.grid_limits(), "kernel");
  run(kernel, {});
  const FakeLaunch launch = fake.launches().at(0);
  EXPECT_THAT(launch.grid, ElementsAre(420000, 1, 1));
  EXPECT_EQ(launch.parameter<std::int64_t>(0), 3);
  EXPECT_EQ(launch.parameter<std::int64_t>(1), 70000);
  EXPECT_EQ(launch.parameter<std::int64_t>(2), 2);
}

TEST_F(LaunchTest, AnEmptyGridCallsNothing) {
  const Kernel kernel(device, object_with({}, fake), 0);
  grid = grid_of({0, 5, 1}, device.grid_limits(), "kernel");
  fake.forget_calls();
  launch(*fake.driver(), kernel, grid, {}, nullptr);
  EXPECT_TRUE(fake.calls().empty());
}

TEST_F(LaunchTest, IsOneDriverCall) {
  const Kernel kernel(device, object_with({{Kind::size, 0, 0, 0, 8}}, fake), 0);
  const std::array<std::int64_t, 1> sizes{5};
  const CurrentContext current(*fake.driver(), device.context());
  fake.forget_calls();
  launch(*fake.driver(), kernel, grid, {{}, sizes, {}}, nullptr);
  EXPECT_EQ(fake.calls(), std::vector<std::string>{"cuLaunchKernelEx"});
}

TEST_F(LaunchTest, ClustersAreAnAttributeAndMustDivideTheGrid) {
  const Kernel kernel(device, object_with({}, fake), 0);
  run(kernel, {}, nullptr, {3, 1, 1});
  EXPECT_THAT(fake.launches().at(0).cluster, ElementsAre(3, 1, 1));
  EXPECT_THAT(message_of<InvalidArgument>([&] {
                run(kernel, {}, nullptr, {1, 4, 1});
              }),
              HasSubstr("grid axis y has 2 blocks"));
  EXPECT_NE(message_of<InvalidArgument>([&] { run(kernel, {}, nullptr, {0, 1, 1}); }), "");
  EXPECT_EQ(fake.launches().size(), 1U);
}

TEST_F(LaunchTest, OnlyALaunchThatFollowsMayBeginWhileTheOneBeforeItEnds) {
  const Kernel kernel(device, object_with({}, fake), 0);
  run(kernel, {});
  run(kernel, {.tensors = {}, .sizes = {}, .scalars = {}, .maps = {}, .follows = true}, nullptr, {3, 1, 1});
  EXPECT_FALSE(fake.launches().at(0).follows);
  EXPECT_TRUE(fake.launches().at(1).follows);
  EXPECT_THAT(fake.launches().at(1).cluster, ElementsAre(3, 1, 1));
}

TEST_F(LaunchTest, OnAStreamOfAnotherContextIsRefusedByName) {
  const Kernel kernel(device, object_with({}, fake), 0);
  const Stream other = fake.device(1).stream();
  EXPECT_THAT(message_of<InvalidArgument>([&] { run(kernel, {}, other.handle()); }),
              HasSubstr("kernel: the stream is of another context (device 1)"));
  EXPECT_TRUE(fake.launches().empty());
  EXPECT_EQ(fake.context_depth(), 0U);
}

TEST_F(LaunchTest, AFailureTellsWhatWasLaunched) {
  const Kernel kernel(device, object_with({}, fake), 64);
  fake.fail("cuLaunchKernelEx", CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(message_of<CudaError>([&] { run(kernel, {}); }),
              AllOf(HasSubstr("cuLaunchKernelEx: CUDA_ERROR_ILLEGAL_ADDRESS (700)"),
                    HasSubstr("grid 3 x 2 x 1, 256 threads, 64 bytes")));
}

TEST_F(LaunchTest, AbsentTensorsHaveNoParametersAndAreNotTouched) {
  const Kernel kernel(device, object_with({{Kind::pointer, 1, 0, 0, 8}}, fake), 0);
  const TensorView y(reinterpret_cast<void*>(0x2000), f32, {5});
  const std::array<const TensorView*, 2> tensors{nullptr, &y};
  run(kernel, {tensors, {}, {}});
  EXPECT_EQ(fake.launches().at(0).parameter<std::uint64_t>(0), 0x2000U);
}

}  // namespace
}  // namespace tilejit
