#include <tilejit/runtime/tuning/bucket.h>

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace tilejit {
namespace {

TEST(Bucket, IsTheNextOfTwoToTheKAndOneAndAHalfTimesThat) {
  std::set<std::int64_t> bounds = {1};
  for (std::int64_t power = 2; power <= 1 << 20; power *= 2) {
    bounds.insert(power);
    if (power >= 2) bounds.insert(power + power / 2);
  }
  for (std::int64_t size = 1; size <= 100000; ++size) {
    EXPECT_EQ(bucket_of(size), *bounds.lower_bound(size)) << size;
  }
}

TEST(Bucket, ZeroIsItsOwnAndHugeSizesStayInRange) {
  EXPECT_EQ(bucket_of(0), 0);
  EXPECT_EQ(bucket_of(std::numeric_limits<std::int64_t>::max()), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(bucket_of((std::int64_t(1) << 62) + 1), (std::int64_t(1) << 62) + (std::int64_t(1) << 61));
}

struct Parts {
  Template kernel;
  Specialization specialization;
  DeviceIdentity device{"GPU", "sm_90a", false};
  std::vector<std::int64_t> sizes{100};
  Parts() {
    kernel.name = "copy";
    kernel.file.text = "source";
    kernel.info.sizes = {"N"};
    specialization.tensors = {{.present = true, .dtype = DType::f32, .align = 16, .unit_axis = 0, .strides = {1}}};
  }
  Key key() const { return tuning_key(device, kernel, specialization, sizes).parts.key(); }
};

TEST(TuningKey, SharesAResultWithinABucketOnly) {
  Parts parts;
  const Key key = parts.key();
  parts.sizes = {128};
  EXPECT_EQ(parts.key(), key);
  parts.sizes = {129};
  EXPECT_NE(parts.key(), key);
}

TEST(TuningKey, EveryPartCounts) {
  const Key key = Parts().key();
  std::set<Key> keys = {key};
  const auto with = [&](auto change) {
    Parts parts;
    change(parts);
    EXPECT_TRUE(keys.insert(parts.key()).second);
  };
  with([](Parts& p) { p.device.name = "Other GPU"; });
  with([](Parts& p) { p.device.arch = "sm_80"; });
  with([](Parts& p) { p.device.emulated = true; });
  with([](Parts& p) { p.kernel.name = "copy2"; });
  with([](Parts& p) { p.kernel.file.text = "other source"; });
  with([](Parts& p) { p.specialization.tensors[0].dtype = DType::f64; });
  with([](Parts& p) { p.specialization.tensors[0].align = 4; });
  with([](Parts& p) { p.specialization.tensors[0].strides = {std::nullopt}; });
  with([](Parts& p) { p.specialization.tensors[0].strides = {0}; });
  with([](Parts& p) { p.specialization.tensors[0].unit_axis = -1; });
  with([](Parts& p) { p.specialization.tensors[0].present = false; });
  with([](Parts& p) { p.specialization.scalars = {DType::f32}; });
}

TEST(TuningKey, TheConfigDoesNotCount) {
  Parts parts;
  const Key key = parts.key();
  parts.specialization.config.num_warps = 16;
  EXPECT_EQ(parts.key(), key);
}

}  // namespace
}  // namespace tilejit
