#include <tilejit/runtime/driver.h>

#include <dlfcn.h>
#include <fmt/format.h>

#include <vector>

#include <tilejit/runtime/emulator/counters.h>

namespace tilejit {
namespace {

// Spelled out: cuda.h renames it by version, and the file it is looked up in may be older or newer than cuda.h.
using GetProcAddress = CUresult (*)(const char* name, void** entry, int version, cuuint64_t flags, int* status);

struct Slot {
  const char* name;
  void** entry;
};

std::vector<Slot> slots_of(DriverTable& table) {
  // #NAME is the name as the list spells it; table.NAME is what cuda.h makes of it (cuMemAlloc_v2).
#define TILEJIT_ENTRY(NAME, SIGNATURE) Slot{#NAME, reinterpret_cast<void**>(&table.NAME)},
  return {TILEJIT_DRIVER_ENTRIES(TILEJIT_ENTRY)};
#undef TILEJIT_ENTRY
}

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

/// The loader's words, which mostly begin with the file's name.
std::string dl_error(const std::string& library) {
  const char* text = dlerror();
  const std::string words = text != nullptr ? text : "no reason given";
  return words.starts_with(library) ? words : library + ": " + words;
}

int version_of(void* handle) {
  int version = 0;
  const auto entry = reinterpret_cast<CUresult (*)(int*)>(dlsym(handle, "cuDriverGetVersion"));
  if (entry == nullptr || entry(&version) != CUDA_SUCCESS) return 0;
  return version;
}

NoDevice too_old(const std::string& library, int version) {
  return NoDevice(fmt::format("{}: the driver is of CUDA {}, TileJIT needs one of CUDA {} or newer; update the driver",
                              library, version_text(version), version_text(oldest_driver)));
}

void fill(DriverTable& table, GetProcAddress get, const std::string& library, int version) {
  std::string missing;
  int status = 0;
  for (const Slot& slot : slots_of(table)) {
    const CUresult code = get(slot.name, slot.entry, oldest_driver, CU_GET_PROC_ADDRESS_LEGACY_STREAM, &status);
    if (code == CUDA_SUCCESS && *slot.entry != nullptr) continue;
    missing += fmt::format("{}{}", missing.empty() ? "" : ", ", slot.name);
  }
  if (!missing.empty()) {
    throw NoDevice(fmt::format("{}: driver of CUDA {} without entries that CUDA {} has: {}", library,
                               version_text(version), version_text(oldest_driver), missing));
  }
}

/// Which of the emulated device's variables it did not take, and why; empty: it was not that.
std::string refused_setting(void* handle) {
  const auto* table = static_cast<const EmulatedTable*>(dlsym(handle, "tilejit_emulated_counters"));
  if (table == nullptr || table->version != 1) return {};
  std::string text(table->report(nullptr, 0), '\0');
  table->report(text.data(), text.size() + 1);
  return text;
}

}  // namespace

CudaError Driver::error(CUresult code, const char* what, const std::string& detail) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (call.cuGetErrorName(code, &name) != CUDA_SUCCESS || name == nullptr)
    name = "an error this driver has no name for";
  if (call.cuGetErrorString(code, &text) != CUDA_SUCCESS || text == nullptr) text = "no text";
  return CudaError(code, what, name, detail.empty() ? text : fmt::format("{}; {}", text, detail));
}

std::shared_ptr<const Driver> load_driver(const std::string& library, bool emulated) {
  // Never unmapped: a driver has threads and exit handlers of its own that outlive its last user.
  void* opened = dlopen(library.c_str(), RTLD_LOCAL | RTLD_NOW | RTLD_NODELETE);
  if (opened == nullptr) throw NoDevice(dl_error(library));

  auto driver = std::make_shared<Driver>();
  driver->library = library;
  driver->emulated = emulated;
  driver->handle = std::shared_ptr<void>(opened, [](void* handle) { dlclose(handle); });
  driver->version = version_of(opened);
  if (driver->version == 0) throw NoDevice(fmt::format("{}: not a CUDA driver (no cuDriverGetVersion)", library));
  if (driver->version < oldest_driver) throw too_old(library, driver->version);

  const auto get = reinterpret_cast<GetProcAddress>(dlsym(opened, "cuGetProcAddress_v2"));
  if (get == nullptr) throw NoDevice(fmt::format("{}: not a CUDA driver (no cuGetProcAddress_v2)", library));
  fill(driver->call, get, library, driver->version);

  if (const CUresult code = driver->call.cuInit(0); code != CUDA_SUCCESS) {
    if (const std::string why = emulated ? refused_setting(opened) : ""; !why.empty()) throw InvalidArgument(why);
    throw NoDevice(fmt::format("{} (driver of CUDA {}): {}", library, version_text(driver->version),
                               driver->error(code, "cuInit").what()));
  }
  return driver;
}

}  // namespace tilejit
