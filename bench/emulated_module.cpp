#include <tilejit/bench/emulated_module.h>

#include <fmt/format.h>

#include <array>

#include <tilejit/runtime/device_state.h>
#include <tilejit/tools/output.h>

namespace tilejit::bench {
namespace {

std::string ptx_of(const Nvrtc& nvrtc, const std::string& file, const std::string& text, std::string arch) {
  const NvrtcTable& table = nvrtc.table();
  void* program = nullptr;
  const auto check = [&table](int code, const char* what) {
    if (code != 0) throw Error(fmt::format("{}: {}", what, table.error_string(code)));
  };
  check(table.create_program(&program, text.c_str(), file.c_str(), 0, nullptr, nullptr), "nvrtcCreateProgram");
  const std::string architecture = "--gpu-architecture=" + arch.replace(0, arch.find('_'), "compute");
  const std::array options{architecture.c_str(), "--std=c++17", "-lineinfo"};
  std::size_t size = 0;
  if (table.compile_program(program, int(options.size()), options.data()) != 0) {
    check(table.log_size(program, &size), "nvrtcGetProgramLogSize");
    std::string log(size, '\0');
    check(table.log(program, log.data()), "nvrtcGetProgramLog");
    table.destroy_program(&program);
    throw Error(file + ":\n" + log);
  }
  check(table.ptx_size(program, &size), "nvrtcGetPTXSize");
  std::string ptx(size, '\0');
  check(table.ptx(program, ptx.data()), "nvrtcGetPTX");
  table.destroy_program(&program);
  return ptx;
}

}  // namespace

EmulatedModule::EmulatedModule(const Device& device, const Nvrtc& nvrtc, const std::string& file) : device_(device) {
  const std::string ptx = ptx_of(nvrtc, file, tool::read_file(file), device.target().arch);
  const Driver& driver = *device.state()->driver;
  const CurrentContext current(driver, device.context());
  driver.check(driver.call.cuLibraryLoadData(&library_, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0),
               "cuLibraryLoadData");
}

EmulatedModule::~EmulatedModule() {
  const Driver& driver = *device_.state()->driver;
  driver.call.cuLibraryUnload(library_);
}

CUfunction EmulatedModule::function(const char* name) const {
  const Driver& driver = *device_.state()->driver;
  const CurrentContext current(driver, device_.context());
  CUkernel kernel = nullptr;
  CUfunction function = nullptr;
  driver.check(driver.call.cuLibraryGetKernel(&kernel, library_, name), name);
  driver.check(driver.call.cuKernelGetFunction(&function, kernel), name);
  return function;
}

void EmulatedModule::launch(CUfunction function, Dim grid, Dim block, void** parameters) const {
  const Driver& driver = *device_.state()->driver;
  const CurrentContext current(driver, device_.context());
  CUlaunchConfig config{};
  config.gridDimX = grid.x, config.gridDimY = grid.y, config.gridDimZ = grid.z;
  config.blockDimX = block.x, config.blockDimY = block.y, config.blockDimZ = block.z;
  driver.check(driver.call.cuLaunchKernelEx(&config, function, parameters, nullptr), "cuLaunchKernelEx");
  driver.check(driver.call.cuCtxSynchronize(), "cuCtxSynchronize");
}

}  // namespace tilejit::bench
