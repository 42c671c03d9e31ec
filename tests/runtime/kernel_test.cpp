#include <tilejit/runtime/kernel.h>

#include <gmock/gmock.h>

#include "../support/fake_driver.h"
#include "message.h"

namespace tilejit {
namespace {

using test::FakeDriver;
using test::message_of;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* ptx = R"(//
// Cuda compilation tools, release 13.0, V13.0.88
.version 9.0
.target sm_90
.visible .entry copy_2d_kernel(
	.param .u64 .ptr .global copy_2d_kernel_param_0,
	.param .u64 copy_2d_kernel_param_1,
	.param .f32 copy_2d_kernel_param_2
)
{ ret; }
)";

ObjectCode object() {
  ObjectCode code;
  code.entry = "copy_2d_kernel";
  code.arch = "sm_90a";
  code.ptx = ptx;
  code.threads = 128;
  code.parameters = {{Parameter::Kind::pointer, 0, 0, 0, 8},
                     {Parameter::Kind::size, 0, 0, 8, 8},
                     {Parameter::Kind::scalar, 0, 0, 16, 4}};
  return code;
}

class KernelTest : public testing::Test {
 protected:
  FakeDriver fake;
  Device device = fake.device();

  template <class Exception>
  std::string refused(const ObjectCode& code, std::int64_t shared = 0) {
    const std::string message = message_of<Exception>([&] { Kernel(device, code, shared); });
    EXPECT_EQ(fake.live_libraries(), 0U) << "nothing stays loaded";
    EXPECT_EQ(fake.context_depth(), 0U);
    return message;
  }
};

TEST_F(KernelTest, IsLoadedOnceAndUnloadedWithItsOwner) {
  {
    const Kernel kernel(device, object(), 0);
    EXPECT_NE(kernel.function(), nullptr);
    EXPECT_EQ(fake.live_libraries(), 1U);
    EXPECT_EQ(fake.count("cuFuncSetAttribute"), 0);
  }
  EXPECT_EQ(fake.live_libraries(), 0U);
  EXPECT_EQ(fake.current(), nullptr);
}

TEST_F(KernelTest, LoadsTheCubinWhereThereIsOne) {
  ObjectCode code = object();
  code.cubin = "a cubin";
  fake.kernels["copy_2d_kernel"].parameters = {{0, 8}, {8, 8}, {16, 4}};
  EXPECT_NO_THROW(Kernel(device, code, 0)) << "the fake reads no PTX then, so the layout comes from the test";
}

TEST_F(KernelTest, RaisesTheSharedMemoryLimitOnlyWhereItMust) {
  fake.kernels["copy_2d_kernel"].static_shared = 1024;
  { const Kernel kernel(device, object(), 47 * 1024); }
  EXPECT_EQ(fake.count("cuFuncSetAttribute"), 0);
  const Kernel kernel(device, object(), 47 * 1024 + 1);
  EXPECT_EQ(fake.count("cuFuncSetAttribute"), 1);
  int limit = 0;
  fake.driver()->call.cuFuncGetAttribute(&limit, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, kernel.function());
  EXPECT_EQ(limit, 47 * 1024 + 1);
}

TEST_F(KernelTest, RefusesMoreSharedMemoryThanTheDeviceHas) {
  EXPECT_THAT(refused<InvalidArgument>(object(), 232449),
              AllOf(HasSubstr("232449 bytes of shared memory"), HasSubstr("is 232448")));
  EXPECT_EQ(fake.count("cuLibraryLoadData"), 0) << "known before it is loaded";
  fake.kernels["copy_2d_kernel"].static_shared = 1024;
  EXPECT_THAT(refused<InvalidArgument>(object(), 232448), HasSubstr("1024 static, 232448 dynamic"));
  EXPECT_NE(refused<InvalidArgument>(object(), -1), "");
}

TEST_F(KernelTest, RefusesABlockThatIsTooLarge) {
  ObjectCode code = object();
  code.threads = 2048;
  EXPECT_THAT(refused<InvalidArgument>(code), AllOf(HasSubstr("2048 threads"), HasSubstr("1024")));
  code.threads = 512;
  fake.kernels["copy_2d_kernel"].max_threads = 256;
  EXPECT_THAT(refused<InvalidArgument>(code), AllOf(HasSubstr("512 threads"), HasSubstr("256")));
}

TEST_F(KernelTest, ComparesTheParametersWithTheDrivers) {
  ObjectCode code = object();
  code.parameters[2].size = 8;
  EXPECT_THAT(refused<Error>(code),
              HasSubstr("parameter 2 of the loaded kernel is 4 bytes at 16, generated were 8 bytes at 16"));
  code = object();
  code.parameters.pop_back();
  EXPECT_THAT(refused<Error>(code), HasSubstr("more parameters than the 2"));
  code = object();
  code.parameters.push_back({Parameter::Kind::size, 0, 0, 24, 8});
  EXPECT_THAT(refused<Error>(code), HasSubstr("has 3 parameters, 4 were generated"));
}

TEST_F(KernelTest, TakesTheParametersOnTrustWhereTheDriverCannotTell) {
  fake.fail("cuFuncGetParamInfo", CUDA_ERROR_NOT_SUPPORTED);
  ObjectCode code = object();
  code.parameters[2].size = 8;
  EXPECT_NO_THROW(Kernel(device, code, 0));
}

TEST_F(KernelTest, CodeOfANewerToolkitNamesBothVersions) {
  FakeDriver old_fake;
  const auto driver = std::const_pointer_cast<Driver>(old_fake.driver());
  driver->version = 12060;
  const Device old_device = old_fake.device();
  old_fake.fail("cuLibraryLoadData", CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  EXPECT_THAT(message_of<ToolchainError>([&] { Kernel(old_device, object(), 0); }),
              AllOf(HasSubstr("CUDA 13.0"), HasSubstr("CUDA 12.6")));
  fake.fail("cuLibraryLoadData", CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  EXPECT_THAT(refused<CudaError>(object()), HasSubstr("cuLibraryLoadData"))
      << "no older than the toolkit: the driver's own error";
}

TEST_F(KernelTest, EveryFailingCallLeavesNothingLoaded) {
  { Kernel kernel(device, object(), 100 * 1024); }
  fake.forget_calls();
  { Kernel kernel(device, object(), 100 * 1024); }
  const int calls = int(fake.calls().size());
  int thrown = 0;
  for (int nth = 1; nth <= calls; ++nth) {
    fake.fail_any(CUDA_ERROR_OUT_OF_MEMORY, nth);
    try {
      Kernel kernel(device, object(), 100 * 1024);
    } catch (const CudaError&) {
      ++thrown;
      EXPECT_EQ(fake.live_libraries(), 0U) << "call " << nth;
    }
    EXPECT_EQ(fake.context_depth(), 0U) << "call " << nth;
  }
  EXPECT_GT(thrown, 8);
}

TEST_F(KernelTest, TellsTheDriversResources) {
  fake.kernels["copy_2d_kernel"] = {
      .registers = 40, .static_shared = 512, .local = 16, .max_threads = 1024, .parameters = std::nullopt};
  const Kernel kernel(device, object(), 0);
  const Resources resources = kernel.loaded_resources();
  EXPECT_EQ(resources.registers, 40);
  EXPECT_EQ(resources.shared, 512);
  EXPECT_EQ(resources.stack, 16);
  EXPECT_EQ(resources.spill_stores, -1);
  EXPECT_EQ(kernel.blocks_per_multiprocessor(), 16);
}

}  // namespace
}  // namespace tilejit
