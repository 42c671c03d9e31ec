#include <tilejit/runtime/settle.h>

#include <fmt/format.h>

#include <tilejit/generator/build.h>
#include <tilejit/runtime/capture.h>

namespace tilejit {
namespace {

[[noreturn]] void refuse_in_capture(const Template& kernel, const std::string& what) {
  throw NotPrepared(
      fmt::format("{}: the stream is capturing and this call would {}; call prepare() with the same "
                  "arguments before the capture begins",
                  kernel.name, what));
}

std::shared_ptr<const LoadedKernel> load(const Situation& situation, const Config& config, ObjectCode object) {
  const std::int64_t shared = dynamic_shared_for(situation, config, object);
  return std::make_shared<const LoadedKernel>(situation.function.jit->device, std::move(object), shared);
}

std::shared_ptr<const LoadedKernel> build_and_load(const Situation& situation, const Specialization& specialization,
                                                   Prepared& prepared) {
  const JitFunction::State& function = situation.function;
  Jit::State& jit = *function.jit;
  const KernelMap& kernels = function.loaded->kernels;
  prepared.compiled_for = kernels.what_is_new(specialization, situation.kernel());
  BuildResult built = build(situation.kernel(), specialization, situation.target(), jit.nvrtc, jit.store);
  prepared.from_cache = built.from_cache;
  if (built.from_cache) ++jit.cache_hits;
  jit.log.info(fmt::format("{} {} because: {}", built.from_cache ? "read from the cache:" : "compiled",
                           to_string(specialization), prepared.compiled_for));
  const Target& target = situation.target();
  if (!target.ptx_only && built.object.cubin.empty() && !jit.said_newer.exchange(true)) {
    jit.log.warn(fmt::format("{} ({}) is newer than NVRTC: kernels are built as PTX for {}, which the driver compiles",
                             jit.device.name(), target.arch, built.object.arch));
  }
  std::shared_ptr<const LoadedKernel> loaded;
  try {
    loaded = load(situation, specialization.config, std::move(built.object));
  } catch (const CudaError& error) {
    // An entry can be whole and hold code that this driver does not take.
    if (!built.from_cache || error.is_sticky()) throw;
    jit.log.warn(fmt::format("a cached kernel is not taken and is built anew: {}", error.what()));
    jit.store.remove(Shelf::kernel, built.key);
    built = build(situation.kernel(), specialization, target, jit.nvrtc, jit.store);
    prepared.from_cache = built.from_cache;
    loaded = load(situation, specialization.config, std::move(built.object));
  }
  ++jit.loads;
  return loaded;
}

JitFunction::Choice choose(const Situation& situation, bool capturing) {
  const JitFunction::State& function = situation.function;
  if (std::optional<JitFunction::Choice> stored = stored_choice(situation)) return *stored;
  if (const char* why = why_never_tuned(function)) return default_choice(situation, why);
  if (capturing) refuse_in_capture(situation.kernel(), "tune");
  const TuningResult result = run_tuning(situation);
  if (result.measurements.empty()) return default_choice(situation, "default: no candidate passed");
  return {result.best().config, fmt::format("tuned now: best of {} candidates, {} rejected", result.measurements.size(),
                                            result.rejected.size())};
}

}  // namespace

void check_pointers(const Device::State& device, const Template& kernel, const Call& call,
                    std::vector<LastAllocation>& allocations) {
  std::size_t index = 0;
  for (const ArgumentInfo& info : kernel.info.arguments) {
    if (info.kind != ArgumentInfo::Kind::tensor) continue;
    const TensorView& view = *call.tensors()[index];
    if (view.present()) check_pointer(device, kernel.name, info.name, view, allocations[index]);
    ++index;
  }
  if (call.in_memory == 0) return;
  int scalar = 0;
  for (const ArgumentInfo& info : kernel.info.arguments) {
    if (info.kind != ArgumentInfo::Kind::scalar) continue;
    if (call.is_in_memory(scalar)) {
      check_pointer(device, kernel.name, info.name, *call.scalar_view_storage[scalar], allocations[index]);
    }
    ++scalar;
    ++index;
  }
}

void check_pointers(const JitFunction::State& function, const Call& call, const Prepared& prepared) {
  if (function.is_step) return;
  check_pointers(*function.jit->device.state(), *function.loaded->source, call, prepared.allocations);
}

std::shared_ptr<Prepared> prepare_config(const Situation& situation, const Config& config) {
  LoadedTemplate& loaded = *situation.function.loaded;
  auto prepared = std::make_shared<Prepared>();
  prepared->grid = grid_for(situation, config);
  prepared->cluster = cluster_for(situation, config);
  prepared->sizes = situation.sizes;
  prepared->allocations = std::vector<LastAllocation>(situation.call.pointer_count());
  prepared->specialization = specialize(situation.kernel(), situation.problem, config, prepared->grid.folded,
                                        situation.function.flavour.fixed);
  prepared->specialization.debug = situation.function.flavour.debug;
  if (prepared->grid.empty()) return prepared;
  prepared->maps = tensor_map_forms(situation.kernel(), prepared->specialization);
  prepared->loaded = loaded.kernels.find(prepared->specialization);
  if (prepared->loaded) return prepared;
  if (is_capturing(situation.function.jit->driver(), situation.stream)) {
    prepared->loaded = loaded.kernels.find_weaker(prepared->specialization, prepared->specialization);
    if (!prepared->loaded) refuse_in_capture(situation.kernel(), "compile and load a kernel");
    return prepared;
  }
  prepared->loaded = build_and_load(situation, prepared->specialization, *prepared);
  loaded.kernels.insert(prepared->specialization, prepared->loaded);
  return prepared;
}

std::shared_ptr<const Prepared> settle(const JitFunction::State& function, const Signature& signature, const Call& call,
                                       CUstream stream) {
  LoadedTemplate& loaded = *function.loaded;
  const std::lock_guard lock(loaded.mutex);
  if (std::shared_ptr<const Prepared> known = loaded.dispatch.find_owner(signature)) {
    if (!function.is_step) check_overlap(*loaded.source, call);
    check_pointers(function, call, *known);
    return known;
  }
  loaded.kernels.tick();
  const Situation situation = situation_of(function, call, stream);
  if (!function.is_step) check_overlap(situation.kernel(), call);

  std::shared_ptr<Prepared> prepared;
  const bool capturing = is_capturing(function.jit->driver(), stream);
  const Config first = function.flavour.pinned.value_or(default_config(situation.kernel().info));
  if (grid_for(situation, first).empty()) {
    prepared = prepare_config(situation, first);
    prepared->why = "nothing to launch: the grid is empty";
  } else {
    if (!capturing) {  // before anything is compiled or run on them
      Prepared nothing_known;
      nothing_known.allocations = std::vector<LastAllocation>(call.pointer_count());
      check_pointers(function, call, nothing_known);
    }
    const JitFunction::Choice choice = choose(situation, capturing);
    prepared = prepare_config(situation, choice.config);
    prepared->why = choice.why;
  }
  prepared->signature.assign(signature.words().begin(), signature.words().end());
  check_pointers(function, call, *prepared);
  loaded.dispatch.insert(signature, prepared);
  return prepared;
}

}  // namespace tilejit
