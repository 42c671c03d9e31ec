#include <tilejit/runtime/kernel.h>

#include <gmock/gmock.h>

#include <tilejit/runtime/device_state.h>
#include <tilejit/runtime/launch.h>
#include <tilejit/runtime/scalar.h>
#include <tilejit/runtime/stream_check.h>

#include "../runtime/message.h"
#include "../support/gpu_fixture.h"

namespace tilejit {
namespace {

using test::message_of;
using testing::ElementsAre;
using testing::HasSubstr;

/// Writes what it was given to its first argument, and its grid's extents behind it.
constexpr const char* probe = R"(
.version 7.8
.target sm_75
.address_size 64
.visible .entry probe_kernel(
	.param .u64 probe_param_0,
	.param .u64 probe_param_1,
	.param .u64 probe_param_2,
	.param .u16 probe_param_3,
	.param .f32 probe_param_4,
	.param .u64 probe_param_5
)
{
	.reg .b64 %rd<8>;
	.reg .b32 %r<4>;
	.reg .b16 %h<2>;
	ld.param.u64 %rd1, [probe_param_0];
	cvta.to.global.u64 %rd1, %rd1;
	ld.param.u64 %rd2, [probe_param_1];
	st.global.u64 [%rd1], %rd2;
	ld.param.u64 %rd2, [probe_param_2];
	st.global.u64 [%rd1+8], %rd2;
	ld.param.u16 %h1, [probe_param_3];
	cvt.u64.u16 %rd2, %h1;
	st.global.u64 [%rd1+16], %rd2;
	ld.param.u32 %r1, [probe_param_4];
	cvt.u64.u32 %rd2, %r1;
	st.global.u64 [%rd1+24], %rd2;
	ld.param.u64 %rd2, [probe_param_5];
	st.global.u64 [%rd1+32], %rd2;
	mov.u32 %r1, %nctaid.x;
	cvt.u64.u32 %rd2, %r1;
	st.global.u64 [%rd1+40], %rd2;
	mov.u32 %r1, %dynamic_smem_size;
	cvt.u64.u32 %rd2, %r1;
	st.global.u64 [%rd1+48], %rd2;
	ret;
}
)";

ObjectCode object() {
  ObjectCode code;
  code.entry = "probe_kernel";
  code.arch = "compute_75";
  code.ptx = probe;
  code.threads = 32;
  using Kind = Parameter::Kind;
  code.parameters = {{Kind::pointer, 0, 0, 0, 8}, {Kind::size, 0, 0, 8, 8},    {Kind::stride, 0, 0, 16, 8},
                     {Kind::scalar, 0, 0, 24, 2}, {Kind::scalar, 1, 0, 28, 4}, {Kind::grid, 1, 0, 32, 8}};
  return code;
}

class GpuKernel : public test::GpuTest {
 protected:
  static void run(const Kernel& kernel, const Tensor& out, const Grid& grid, StreamRef stream) {
    const std::array<const TensorView*, 1> tensors{&out.view()};
    const std::array<std::int64_t, 1> sizes{std::int64_t(1) << 40};
    const std::array<std::uint64_t, 2> scalars{Scalar(-2).bits_as(i16, "a"), Scalar(0.1F).bits_as(f32, "b")};
    const Driver& driver = *device().state()->driver;
    const CurrentContext current(driver, device().context());
    launch(driver, kernel, grid, {tensors, sizes, scalars}, stream.handle());
  }
};

TEST_F(GpuKernel, ReceivesItsParametersInTheirPlaces) {
  const Kernel kernel(device(), object(), 0);
  const Tensor out = device().empty(i64, {7});
  const Stream stream = device().stream();
  run(kernel, out, grid_of({1, 70000, 1}, device().grid_limits(), "probe"), stream);
  EXPECT_THAT(out.to_host<std::int64_t>(stream),
              ElementsAre(std::int64_t(1) << 40, 1, 0xfffe, 0x3dcccccd, 70000, 70000, 0));
}

TEST_F(GpuKernel, GetsMoreThan48KilobytesOfSharedMemory) {
  const std::int64_t most = device().target().shared_limit;
  const Kernel kernel(device(), object(), most);
  const Tensor out = device().empty(i64, {7});
  run(kernel, out, grid_of({1, 1, 1}, device().grid_limits(), "probe"), nullptr);
  EXPECT_EQ(out.to_host<std::int64_t>()[6], most);
  EXPECT_THAT(message_of<InvalidArgument>([&] { Kernel(device(), object(), most + 1); }), HasSubstr("shared memory"));
}

TEST_F(GpuKernel, WithOtherParametersThanGeneratedIsRefused) {
  ObjectCode code = object();
  code.parameters[3].size = 8;
  EXPECT_THAT(message_of<Error>([&] { Kernel(device(), code, 0); }),
              HasSubstr("parameter 3 of the loaded kernel is 2 bytes at 24"));
  code = object();
  code.parameters.pop_back();
  EXPECT_THAT(message_of<Error>([&] { Kernel(device(), code, 0); }), HasSubstr("more parameters than the 5"));
  code = object();
  code.parameters.push_back({Parameter::Kind::size, 0, 0, 40, 8});
  EXPECT_THAT(message_of<Error>([&] { Kernel(device(), code, 0); }), HasSubstr("has 6 parameters, 7 were generated"));
}

TEST_F(GpuKernel, ThatTheDriverCannotCompileBringsItsLog) {
  ObjectCode code = object();
  code.ptx.replace(code.ptx.find("st.global.u64"), 13, "st.global.u65");
  EXPECT_THAT(message_of<CudaError>([&] { Kernel(device(), code, 0); }), HasSubstr("ptxas"));
}

TEST_F(GpuKernel, OnTheStreamOfAnotherDeviceIsRefusedByName) {
  std::optional<Device> other;
  try {
    other.emplace(Device::open(DeviceKind::gpu, 1));
  } catch (const InvalidArgument&) {
    return;  // one GPU: GpuDevice.TellsTwoDevicesApart looks at the refusal
  }
  const Kernel kernel(device(), object(), 0);
  const Tensor out = device().empty(i64, {7});
  const Stream theirs = other->stream();
  EXPECT_THAT(message_of<InvalidArgument>([&] {
                run(kernel, out, grid_of({1, 1, 1}, device().grid_limits(), "probe"), theirs);
              }),
              HasSubstr("the stream is of another context (device 1)"));
}

TEST_F(GpuKernel, TellsItsResources) {
  const Kernel kernel(device(), object(), 0);
  EXPECT_GT(kernel.loaded_resources().registers, 0);
  EXPECT_EQ(kernel.loaded_resources().shared, 0);
  EXPECT_GT(kernel.blocks_per_multiprocessor(), 0);
}

}  // namespace
}  // namespace tilejit
