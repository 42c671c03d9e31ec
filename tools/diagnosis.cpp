#include <tilejit/tools/diagnosis.h>

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <system_error>

#include <tilejit/cache/store.h>
#include <tilejit/generator/nvrtc.h>
#include <tilejit/runtime/driver.h>
#include <tilejit/tools/offline_build.h>
#include <tilejit/tools/output.h>

namespace tilejit::tool {
namespace {

std::string dotted(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

/// `look` fills in a finding; an Error becomes what was found.
Finding finding(const std::string& part, bool needed, const std::string& remedy,
                const std::function<std::string()>& look) {
  Finding result{part, true, needed, "", ""};
  try {
    result.found = look();
  } catch (const InvalidArgument& error) {
    result = {part, false, needed, error.what(), "set the variable as said, or unset it"};
  } catch (const Error& error) {
    result = {part, false, needed, error.what(), remedy};
  }
  return result;
}

/// "13.0" of the CUDA_VERSION that a cuda.h defines; "?" where it defines none.
std::string version_in(const std::string& header) {
  constexpr std::string_view define = "#define CUDA_VERSION ";
  const std::size_t at = header.find(define);
  return at == std::string::npos ? "?" : dotted(std::atoi(header.c_str() + at + define.size()));
}

/// The toolkit that NVRTC belongs to, if it belongs to one. Only a hint: NVRTC is all that is needed of it.
Finding toolkit(const Options& options) {
  try {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path library = fs::canonical(Nvrtc(options.nvrtc.value_or("")).file().path, error);
    for (fs::path folder = library.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
      const fs::path header = folder / "include" / "cuda.h";
      if (!fs::is_regular_file(header, error)) continue;
      const std::string version = version_in(read_file(header.string()));
      return {"CUDA toolkit", true, false, fmt::format("{}, version {}", folder.string(), version), ""};
    }
  } catch (const Error&) {
    // The finding on NVRTC says what is missing.
  }
  return {"CUDA toolkit", false, false, "none around NVRTC", "not needed where NVRTC is found"};
}

Finding compiler(const Options& options) {
  return finding("NVRTC", true, "install a CUDA toolkit (12.4 or newer), or name a libnvrtc file in TILEJIT_NVRTC",
                 [&] {
                   const Nvrtc nvrtc(options.nvrtc.value_or(""));
                   const NvrtcFile& file = nvrtc.file();
                   const std::string builtins =
                       file.builtins_build_id.empty() ? "no builtins beside it" : "builtins " + file.builtins_build_id;
                   return fmt::format("{}, version {}, build-id {}, {}, archs sm_{}", file.path, nvrtc.version(),
                                      file.build_id, builtins, fmt::join(nvrtc.archs(), " sm_"));
                 });
}

std::string attribute(const Driver& driver, CUdevice device, CUdevice_attribute attribute) {
  int value = 0;
  driver.check(driver.call.cuDeviceGetAttribute(&value, attribute, device), "cuDeviceGetAttribute");
  return std::to_string(value);
}

std::string device_text(const Driver& driver, int ordinal) {
  CUdevice device = 0;
  driver.check(driver.call.cuDeviceGet(&device, ordinal), "cuDeviceGet");
  char name[256] = {};
  driver.check(driver.call.cuDeviceGetName(name, sizeof name, device), "cuDeviceGetName");
  std::size_t bytes = 0;
  driver.check(driver.call.cuDeviceTotalMem(&bytes, device), "cuDeviceTotalMem");
  return fmt::format("{}, sm_{}{}, {} multiprocessors, {} MiB", name,
                     attribute(driver, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                     attribute(driver, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
                     attribute(driver, device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT), bytes >> 20);
}

/// A driver library and, where it answers, each of its devices.
void add_driver(std::vector<Finding>& findings, const std::string& part, const std::string& device_part,
                const std::string& remedy, const std::function<std::shared_ptr<const Driver>()>& open) {
  std::shared_ptr<const Driver> driver;
  int devices = 0;
  findings.push_back(finding(part, false, remedy, [&] {
    driver = open();
    driver->check(driver->call.cuDeviceGetCount(&devices), "cuDeviceGetCount");
    return fmt::format("{}, for CUDA {}, {} device{}", driver->library, dotted(driver->version), devices,
                       devices == 1 ? "" : "s");
  }));
  for (int ordinal = 0; ordinal < devices; ++ordinal) {
    findings.push_back(finding(fmt::format("{} {}", device_part, ordinal), false, remedy,
                               [&] { return device_text(*driver, ordinal); }));
  }
  if (findings.back().part == part && findings.back().usable) {
    findings.push_back({device_part, false, false, "the driver lists no device", remedy});
  }
}

Finding cache(const Options& options) {
  const Store store(store_options_of(options));
  if (store.persistent()) {
    return {"cache", true, false, fmt::format("{}, {} entries", store.root(), store.list().size()), ""};
  }
  const std::string& why = store.why_memory_only();
  return {"cache", false, false, fmt::format("memory only: {}", why.empty() ? "no folder is named for it" : why),
          "name a folder of your own in TILEJIT_CACHE_DIR; until then every process compiles anew"};
}

}  // namespace

std::vector<Finding> diagnose(const Options& options) {
  std::vector<Finding> findings{toolkit(options), compiler(options)};
  add_driver(findings, "GPU driver", "GPU", "install NVIDIA's driver, or use --device emulated", gpu_driver);
  add_driver(findings, "emulated driver", "emulated device",
             "libtilejit_emulated_cuda.so belongs beside libtilejit; without it nothing runs where there is no GPU",
             [&] { return emulated_driver(options.emulator.value_or("")); });
  findings.push_back(cache(options));
  return findings;
}

std::string to_text(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& one : findings) {
    const std::string margin(23, ' ');
    text += fmt::format("{:<17} {:<4} ", one.part, one.usable ? "ok" : "no");
    for (const char letter : one.found) text += letter == '\n' ? "\n" + margin : std::string(1, letter);
    text += "\n";
    if (!one.remedy.empty()) text += fmt::format("{}-> {}\n", margin, one.remedy);
  }
  return text;
}

std::string to_json(const std::vector<Finding>& findings) {
  nlohmann::ordered_json json{{"format", "tilejit.doctor"}, {"version", 1}};
  json["findings"] = nlohmann::ordered_json::array();
  for (const Finding& one : findings) {
    json["findings"].push_back({{"part", one.part},
                                {"usable", one.usable},
                                {"needed", one.needed},
                                {"found", one.found},
                                {"remedy", one.remedy}});
  }
  return json.dump(2) + "\n";
}

}  // namespace tilejit::tool
