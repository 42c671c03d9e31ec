#include <tilejit/runtime/errors.h>

#include <cuda.h>
#include <gmock/gmock.h>

#include <tilejit/runtime/driver.h>

#include "../support/fake_driver.h"
#include "message.h"

namespace tilejit {
namespace {

using testing::HasSubstr;

TEST(CudaError, CarriesCallNameAndText) {
  const CudaError error(700, "cuStreamSynchronize", "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access");
  EXPECT_STREQ(error.what(), "cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory access");
  EXPECT_EQ(error.code(), 700);
  EXPECT_EQ(error.call(), "cuStreamSynchronize");
  EXPECT_EQ(error.name(), "CUDA_ERROR_ILLEGAL_ADDRESS");
}

TEST(CudaError, IsStickyWhereTheContextIsLost) {
  const auto sticky = [](int code) { return CudaError(code, "", "", "").is_sticky(); };
  for (const int code : {CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_LAUNCH_TIMEOUT, CUDA_ERROR_ASSERT,
                         CUDA_ERROR_HARDWARE_STACK_ERROR, CUDA_ERROR_ILLEGAL_INSTRUCTION, CUDA_ERROR_MISALIGNED_ADDRESS,
                         CUDA_ERROR_INVALID_ADDRESS_SPACE, CUDA_ERROR_INVALID_PC, CUDA_ERROR_LAUNCH_FAILED,
                         CUDA_ERROR_ECC_UNCORRECTABLE, CUDA_ERROR_CONTEXT_IS_DESTROYED, CUDA_ERROR_UNKNOWN}) {
    EXPECT_TRUE(sticky(code)) << code;
  }
  for (const int code :
       {CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, CUDA_ERROR_NOT_READY,
        CUDA_ERROR_INVALID_HANDLE, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE}) {
    EXPECT_FALSE(sticky(code)) << code;
  }
}

TEST(CudaError, FromTheDriverHasTheDriversWords) {
  test::FakeDriver fake;
  const std::string message =
      test::message_of<CudaError>([&] { fake.driver()->check(CUDA_ERROR_OUT_OF_MEMORY, "cuMemAlloc"); });
  EXPECT_EQ(message, "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2): out of memory");
  EXPECT_NO_THROW(fake.driver()->check(CUDA_SUCCESS, "cuMemAlloc"));
}

TEST(CudaError, FromADriverThatIsGoneStillNamesTheCall) {
  std::shared_ptr<const Driver> driver;
  {
    test::FakeDriver fake;
    driver = fake.driver();
  }
  EXPECT_THAT(test::message_of<CudaError>([&] { driver->check(CUDA_ERROR_DEINITIALIZED, "cuMemFree"); }),
              HasSubstr("cuMemFree"));
}

}  // namespace
}  // namespace tilejit
