// Each template on a GPU and on the emulated device, in one process, at one Config and with the same inputs: equal bit
// for bit, or within the bound that approximations leave. Prints a row a template.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <random>
#include <set>

#include <tilejit/generator/specialization.h>
#include <tilejit/tests/templates/device_pair.h>
#include <tilejit/tests/templates/template_case.h>
#include <tilejit/tests/templates/view_kinds.h>

namespace tilejit::test {
namespace {

/// The Config that an untuned call takes on the emulated device, whose limits a GPU has too.
Settings settings_for(const TemplatesOn& side, const Template& kernel, const TemplateCase& call) {
  Problem problem;
  for (const ViewSpec& view : call.views) {
    problem.tensors.push_back(problem_of(view));
    problem.tensors.back().present = !view.absent;
  }
  for (const ArgumentInfo& argument : kernel.info.arguments)
    if (argument.kind == ArgumentInfo::Kind::scalar) problem.scalars.push_back(argument.dtype);
  const std::vector<Config> found = candidates(kernel, problem, side.device.target());
  if (found.empty()) return {};
  Settings settings = found.front().constants;
  settings.emplace_back("num_warps", found.front().num_warps);
  return settings;
}

std::vector<ViewMemory> inputs_of(const TemplateCase& call) {
  std::mt19937 random(7);
  std::vector<ViewMemory> memory;
  for (std::size_t i = 0; i < call.views.size(); ++i) {
    memory.push_back(memory_of(call.views[i]));
    if (!call.views[i].output) fill(call.views[i], memory.back(), call.values[i], random);
  }
  return memory;
}

/// Each tensor's memory after the call, guards and gaps included.
std::vector<std::vector<std::byte>> run(const TemplatesOn& side, const Template& kernel, const TemplateCase& call,
                                        const Settings& settings, const std::vector<ViewMemory>& inputs) {
  std::vector<Tensor> memory;
  std::vector<TensorView> views;  // which arguments refer to
  views.reserve(inputs.size());
  std::vector<Argument> arguments;
  std::size_t next = 0;
  for (const ArgumentInfo& argument : kernel.info.arguments) {
    if (argument.kind == ArgumentInfo::Kind::scalar) {
      // What has no default gets one here: digits that a product keeps.
      arguments.emplace_back(argument.default_value.value_or(1.5));
      continue;
    }
    const ViewSpec& view = call.views[next];
    const ViewMemory& input = inputs[next++];
    memory.push_back(side.device.copy_of_bytes(DType::u8, input.bytes, std::vector{std::int64_t(input.bytes.size())}));
    auto* first = static_cast<std::byte*>(memory.back().data()) + input.origin;
    views.push_back(view.absent ? TensorView() : TensorView(first, view.dtype, view.shape, view.strides));
    arguments.emplace_back(views.back());
  }
  const Stream stream = side.device.stream();
  side.jit.template_function(kernel.name).with_config(settings).call(stream, arguments);
  std::vector<std::vector<std::byte>> results;
  for (const Tensor& tensor : memory) results.push_back(tensor.to_host_bytes(stream));
  return results;
}

struct Side {
  const TemplatesOn& on;
  Settings settings;
};

Difference between(const Side& a, const Side& b, const Template& kernel, const TemplateCase& call,
                   const std::vector<ViewMemory>& left, const std::vector<ViewMemory>& right) {
  const auto x = run(a.on, kernel, call, a.settings, left), y = run(b.on, kernel, call, b.settings, right);
  Difference difference;
  for (std::size_t i = 0; i < call.views.size(); ++i) {
    if (call.views[i].absent) continue;
    Difference found = compare(call.views[i], left[i], x[i], y[i], bound_of(kernel.name));
    if (!found.first.empty()) found.first = fmt::format("tensor {} at {}", i, found.first);
    if (!call.results[i]) found.elements = 0;
    difference.add(found);
  }
  return difference;
}

class BothDevices : public DevicePair, public testing::WithParamInterface<std::string> {
 protected:
  static void SetUpTestSuite() {
    DevicePair::SetUpTestSuite();
    if (available())
      fmt::print("| {:18} | {:>6} | {:>5} | {:>5} | {:>8} | {:20} | {:>9} | {:>9} | {:>12} |\n", "template", "dtypes",
                 "views", "cases", "elements", "rule", "differing", "worst", "of the bound");
  }
  static void print_row(const std::string& name, const std::vector<TemplateCase>& cases, const Difference& found) {
    std::set<std::string> dtypes, views;
    for (const TemplateCase& call : cases) {
      dtypes.insert(call.dtypes);
      views.insert(call.layout);
    }
    const Bound bound = bound_of(name);
    const std::string rule =
        bound.exact() ? "exact" : fmt::format("{:.0e} + {:.0e} |y|", bound.absolute, bound.relative);
    fmt::print("| {:18} | {:>6} | {:>5} | {:>5} | {:>8} | {:20} | {:>9} | {:>9.2g} | {:>11.1f}% |\n", name,
               dtypes.size(), views.size(), cases.size(), found.elements, rule, found.differing, found.worst,
               100 * found.used);
    std::fflush(stdout);
  }
};

TEST_P(BothDevices, Agree) {
  const auto kernel = first().jit.templates().get(GetParam());
  for (const std::string& feature : kernel->info.needs)
    if (!second().device.target().has(feature)) GTEST_SKIP() << "needs " << feature << ", which no emulated device has";
  const std::vector<TemplateCase> cases = cases_of(*kernel);
  Difference all;
  for (const TemplateCase& call : cases) {
    const std::vector<ViewMemory> inputs = inputs_of(call);
    const Settings settings = settings_for(second(), *kernel, call);
    const Difference found = between({first(), settings}, {second(), settings}, *kernel, call, inputs, inputs);
    EXPECT_EQ(found.outside, 0) << GetParam() << ", " << call.dtypes << ", " << call.layout << call.rest << ": "
                                << found.outside << " of " << found.elements << " elements, first " << found.first
                                << " (there, and emulated)";
    all.add(found);
  }
  print_row(GetParam(), cases, all);
}

INSTANTIATE_TEST_SUITE_P(EveryTemplate, BothDevices, testing::ValuesIn(compared_templates()),
                         [](const auto& instance) { return instance.param; });

/// That the comparison can fail, shown on two handles of the emulated device.
class PlantedDifference : public testing::Test {
 protected:
  static void SetUpTestSuite() { side_.emplace(DeviceKind::emulated); }
  static void TearDownTestSuite() { side_.reset(); }
  static const TemplatesOn& side() { return *side_; }

  static Difference with_another_config(const std::string& name, const Settings& one, const Settings& other) {
    const auto kernel = side().jit.templates().get(name);
    const TemplateCase call = cases_of(*kernel)[1];  // f32
    const std::vector<ViewMemory> inputs = inputs_of(call);
    return between({side(), one}, {side(), other}, *kernel, call, inputs, inputs);
  }

 private:
  static inline std::optional<TemplatesOn> side_;
};

TEST_F(PlantedDifference, AnotherOrderOfASumIsFound) {
  const Settings eight{{"BLOCK_M", 8}, {"BLOCK_N", 512}, {"num_warps", 8}}, one{{"BLOCK_M", 1}, {"BLOCK_N", 1024}};
  EXPECT_EQ(with_another_config("row_sum", eight, eight).outside, 0);
  const Difference found = with_another_config("row_sum", eight, one);
  EXPECT_GT(found.outside, 0);
  EXPECT_LT(found.worst, 1e-5);
  EXPECT_NE(found.first, "");
}

TEST_F(PlantedDifference, AnInputOfOneUnitMoreIsFound) {
  const auto kernel = side().jit.templates().get("softmax");
  const TemplateCase call = cases_of(*kernel)[1];
  const std::vector<ViewMemory> inputs = inputs_of(call);
  std::vector<ViewMemory> others = inputs;
  others[0].bytes[others[0].origin + 2] ^= std::byte{0x01};  // 2^-7 of the first element, where a unit is not seen
  const Settings settings = settings_for(side(), *kernel, call);
  EXPECT_EQ(between({side(), settings}, {side(), settings}, *kernel, call, inputs, inputs).outside, 0);
  EXPECT_GT(between({side(), settings}, {side(), settings}, *kernel, call, inputs, others).outside, 1);
}

/// Two floats in memory with a gap between them.
class Comparison : public testing::Test {
 protected:
  const ViewSpec view_{DType::f32, {2}, {2}, 0, true};
  ViewMemory a_ = memory_of(view_), b_;
  std::byte* element(ViewMemory& memory, std::int64_t i) { return &memory.bytes[memory.origin + std::size_t(8 * i)]; }

  void SetUp() override {
    tool::put_double(DType::f32, element(a_, 0), 1.0);
    tool::put_double(DType::f32, element(a_, 1), 3.0);
    b_ = a_;
  }
  Difference found(const Bound& bound) const { return compare(view_, a_, a_.bytes, b_.bytes, bound); }
};

TEST_F(Comparison, AnExactOneSeesTheLastBit) {
  EXPECT_EQ(found({}).outside, 0);
  *element(b_, 1) ^= std::byte{1};
  EXPECT_EQ(found({}).outside, 1);
  EXPECT_EQ(found({}).first, "(1) is 3 = 0x40400000, and 3.0000002 = 0x40400001");
  EXPECT_EQ(found({1e-6, 0}).outside, 0);
  EXPECT_EQ(found({1e-6, 0}).differing, 1);
  EXPECT_NEAR(found({1e-6, 0}).used, 0x1p-22 / 3e-6, 1e-4);
}

TEST_F(Comparison, ABoundIsKept) {
  tool::put_double(DType::f32, element(b_, 0), 1.00001);
  EXPECT_EQ(found({1e-6, 1e-6}).outside, 1);
  EXPECT_EQ(found({1e-5, 1e-6}).outside, 0);
}

TEST_F(Comparison, NoNumberIsNearANaNOrAnInfinity) {
  for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    tool::put_double(DType::f32, element(b_, 0), value);
    EXPECT_EQ(found({1, 1}).outside, 1);
  }
}

TEST_F(Comparison, SeesStrayWrites) {
  b_.bytes[b_.origin + 5] = std::byte{0};
  EXPECT_EQ(found({1, 1}).outside, 1);
  EXPECT_EQ(found({1, 1}).first, "byte 5 from the first element, which no element owns");
  b_.bytes.back() = std::byte{0};
  EXPECT_EQ(found({1, 1}).outside, 2);
}

}  // namespace
}  // namespace tilejit::test
