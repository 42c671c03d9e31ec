#include <tilejit/runtime/tuning/device_trials.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include <tilejit/runtime/launch.h>

namespace tilejit {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Everything that the L2 can hold, twice over.
std::size_t flush_bytes(const Device& device) { return device.is_emulated() ? 0 : 2 * std::size_t(device.l2_bytes()); }

}  // namespace

DeviceTrials::DeviceTrials(const Situation& situation)
    : situation_(situation),
      flush_(situation.function.jit->device.state(), situation.function.jit->options.allocator,
             flush_bytes(situation.function.jit->device), situation.stream),
      counter_(situation.function.jit->device.state(), situation.function.jit->options.allocator, sizeof(std::int64_t),
               situation.stream),
      start_(situation.function.jit->device),
      end_(situation.function.jit->device) {
  std::size_t index = 0;
  for (const ArgumentInfo& info : situation.kernel().info.arguments) {
    if (info.kind != ArgumentInfo::Kind::tensor) continue;
    const TensorView& view = *situation.call.tensors()[index];
    if (info.access != Access::read && view.present()) {
      const auto scratch = [&] {
        return ScratchTensor(situation.function.jit->device.state(), situation.function.jit->options.allocator, view,
                             situation.stream);
      };
      outputs_.push_back({info.name, index, info.access == Access::update, scratch(), scratch()});
    }
    ++index;
  }
}

std::optional<std::string> DeviceTrials::prepare(const Config& config, Measurement& facts) {
  try {
    std::shared_ptr<Prepared> prepared = prepare_config(situation_, config);
    if (prepared->loaded) {
      const Resources& resources = prepared->loaded->kernel.object().resources;
      facts.registers = resources.registers;
      facts.spills = resources.spill_stores < 0 ? -1 : resources.spill_stores + resources.spill_loads;
    }
    prepared_.emplace(config, std::move(prepared));
    return std::nullopt;
  } catch (const CompileError& error) {
    return first_line(error.what());
  } catch (const InvalidArgument& error) {
    return first_line(error.what());
  } catch (const CudaError& error) {
    if (error.is_sticky()) throw;
    return first_line(error.what());
  }
}

void DeviceTrials::reset(const ScratchTensor& scratch, const Output& output) const {
  scratch.fill_with_poison();
  if (output.update) scratch.copy_from(*situation_.call.tensors()[output.argument]);
}

void DeviceTrials::launch_on(const Config& config, bool reference) {
  std::array<const TensorView*, max_arguments> tensors = situation_.call.tensor_storage;
  for (const Output& output : outputs_) {
    tensors[output.argument] = reference ? &output.reference.view() : &output.trial.view();
  }
  const Prepared& prepared = *prepared_.at(config);
  if (!prepared.loaded) return;
  launch(situation_.function.jit->driver(), prepared.loaded->kernel, prepared.grid,
         {{tensors.data(), std::size_t(situation_.call.tensor_count)},
          prepared.sizes,
          situation_.call.scalars(),
          prepared.maps},
         situation_.stream, prepared.cluster);
  ++situation_.function.jit->trials;
}

double DeviceTrials::growth() const {
  const FrontMatter& info = situation_.kernel().info;
  if (!info.tolerance_terms) return 1;
  const ProblemScope scope(situation_.kernel(), situation_.problem, default_config(info), situation_.target());
  return std::sqrt(std::max(1.0, double(info.tolerance_terms->evaluate(scope.scope())) / 64));
}

std::int64_t DeviceTrials::differences(const Output& output) {
  const Driver& driver = situation_.function.jit->driver();
  const FrontMatter& info = situation_.kernel().info;
  const DType own = output.trial.view().dtype();
  const bool exact = (info.relative_tolerance == 0 && info.absolute_tolerance == 0) || !is_floating(own);
  const DType dtype = exact ? DType::i32 : own;
  // What was rounded to its dtype cannot be asked to be closer than that.
  const double relative = std::max(info.relative_tolerance, epsilon_of(own));
  const TensorView trial = output.trial.flat(dtype), reference = output.reference.flat(dtype);
  if (trial.elements() == 0) return 0;
  driver.check(driver.call.cuMemsetD8Async(counter_.address(), 0, sizeof(std::int64_t), situation_.stream),
               "cuMemsetD8Async");
  auto compare = std::make_shared<JitFunction::State>();
  compare->jit = situation_.function.jit;
  compare->loaded = compare->jit->loaded_template("count_differences");
  const TensorView counter(reinterpret_cast<void*>(counter_.address()), DType::i64, {1});
  JitFunction(std::move(compare))(situation_.stream, trial, reference, counter, relative,
                                  info.absolute_tolerance * growth());
  std::int64_t count = 0;
  driver.check(driver.call.cuMemcpyDtoHAsync(&count, counter_.address(), sizeof count, situation_.stream),
               "cuMemcpyDtoHAsync");
  driver.check(driver.call.cuStreamSynchronize(situation_.stream), "cuStreamSynchronize");
  return count;
}

std::optional<std::string> DeviceTrials::check(const Config& config) {
  const Driver& driver = situation_.function.jit->driver();
  const bool reference = !have_reference_;
  for (const Output& output : outputs_) reset(reference ? output.reference : output.trial, output);
  try {
    launch_on(config, reference);
  } catch (const CudaError& error) {
    if (error.is_sticky()) throw;
    return first_line(error.what());
  }
  driver.check(driver.call.cuStreamSynchronize(situation_.stream), "cuStreamSynchronize");
  if (reference) {
    have_reference_ = true;
    return std::nullopt;
  }
  for (const Output& output : outputs_) {
    const std::int64_t wrong = differences(output);
    if (wrong == 0) continue;
    const TensorView& view = *situation_.call.tensors()[output.argument];
    return fmt::format("output {} ({}) differs from the default Config's at {} places", output.name, view.to_string(),
                       wrong);
  }
  return std::nullopt;
}

void DeviceTrials::warm_up(const Config& config) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point until = Clock::now() + std::chrono::milliseconds(30);
  while (Clock::now() < until) time(config);
}

void DeviceTrials::rest(double milliseconds) {
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
}

double DeviceTrials::time(const Config& config) {
  const Driver& driver = situation_.function.jit->driver();
  for (const Output& output : outputs_) {
    if (output.update) reset(output.trial, output);
  }
  if (flush_.bytes() > 0) {
    driver.check(driver.call.cuMemsetD8Async(flush_.address(), 0x5A, flush_.bytes(), situation_.stream),
                 "cuMemsetD8Async");
  }
  start_.record(situation_.stream);
  launch_on(config, false);
  end_.record(situation_.stream);
  end_.synchronize();
  return end_.milliseconds_since(start_);
}

}  // namespace tilejit
