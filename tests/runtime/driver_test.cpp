#include <tilejit/runtime/driver.h>

#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include <tilejit/runtime/device.h>

#include "../support/temp_folder.h"
#include "message.h"

namespace tilejit {
namespace {

using test::message_of;
using testing::AllOf;
using testing::HasSubstr;

class DriverTest : public testing::Test {
 protected:
  ~DriverTest() override {
    for (const char* name : {"STUB_VERSION", "STUB_WITHOUT", "STUB_INIT", "TILEJIT_DEVICE"}) unsetenv(name);
  }
  static void set(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }
  static std::string refused(const std::string& library = TILEJIT_STUB_DRIVER) {
    return message_of<NoDevice>([&] { load_driver(library, false); });
  }
};

TEST_F(DriverTest, FillsEveryEntryOfItsTable) {
  const std::shared_ptr<const Driver> driver = load_driver(TILEJIT_STUB_DRIVER, false);
#define TILEJIT_ENTRY(NAME, SIGNATURE) EXPECT_NE(driver->call.NAME, nullptr) << #NAME;
  TILEJIT_DRIVER_ENTRIES(TILEJIT_ENTRY)
#undef TILEJIT_ENTRY
  EXPECT_EQ(driver->version, 12040);
  EXPECT_EQ(driver->library, TILEJIT_STUB_DRIVER);
  EXPECT_FALSE(driver->emulated);
  EXPECT_TRUE(load_driver(TILEJIT_STUB_DRIVER, true)->emulated);
}

TEST_F(DriverTest, ThatIsNotThereIsNoDeviceWithTheLoadersWords) {
  EXPECT_THAT(refused("/nowhere/libcuda.so.1"), AllOf(HasSubstr("/nowhere/libcuda.so.1"), HasSubstr("No such file")));
}

TEST_F(DriverTest, OlderThan124NamesBothVersions) {
  set("STUB_VERSION", "12020");
  EXPECT_THAT(refused(), AllOf(HasSubstr("CUDA 12.2"), HasSubstr("CUDA 12.4")));
}

TEST_F(DriverTest, WithoutAnEntryNamesIt) {
  set("STUB_WITHOUT", "cuFuncGetParamInfo");
  EXPECT_THAT(refused(), AllOf(HasSubstr("cuFuncGetParamInfo"), HasSubstr("12.4")));
}

TEST_F(DriverTest, ThatDoesNotInitialiseSaysWhy) {
  set("STUB_INIT", "100");
  EXPECT_THAT(refused(), AllOf(HasSubstr("cuInit"), HasSubstr("100"), HasSubstr("12.4")));
}

TEST_F(DriverTest, AnotherLibraryIsNotADriver) {
  EXPECT_THAT(refused("libm.so.6"), HasSubstr("libm.so.6: not a CUDA driver"));
}

TEST_F(DriverTest, TheEmulatedLibraryThatIsNamedIsTheOnlyOneTried) {
  EXPECT_THAT(message_of<NoDevice>([] { emulated_driver("/nowhere/emulated.so"); }),
              AllOf(HasSubstr("/nowhere/emulated.so"), testing::Not(HasSubstr("looked for"))));
  EXPECT_TRUE(emulated_driver(TILEJIT_STUB_DRIVER)->emulated);
}

TEST_F(DriverTest, AGpuWithoutADeviceIsNoDeviceNotAFault) {
  Options options;
  options.emulator = TILEJIT_STUB_DRIVER;
  EXPECT_THAT(message_of<NoDevice>([&] { Device::open(DeviceKind::emulated, 0, options); }), HasSubstr("no device"));
}

TEST_F(DriverTest, AnyTellsWhatItTriedOnBothSides) {
  Options options;
  options.emulator = "/nowhere/emulated.so";
  set("TILEJIT_DEVICE", "emulated");
  EXPECT_THAT(message_of<NoDevice>([&] { Device::open(DeviceKind::any, 0, options); }),
              HasSubstr("/nowhere/emulated.so"));
  set("TILEJIT_DEVICE", "tpu");
  EXPECT_THAT(message_of<InvalidArgument>([&] { Device::open(DeviceKind::any, 0, options); }),
              HasSubstr("TILEJIT_DEVICE=tpu"));
}

TEST_F(DriverTest, OpenOfAKindReadsNoEnvironment) {
  Options options;
  options.emulator = "/nowhere/emulated.so";
  set("TILEJIT_DEVICE", "tpu");
  EXPECT_THROW(Device::open(DeviceKind::emulated, 0, options), NoDevice);
}

}  // namespace
}  // namespace tilejit
