#include <tilejit/runtime/emulator/driver/load.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include <tilejit/runtime/emulator/kernel/decoder.h>

namespace tilejit::emulator {
namespace {

bool is_binary(const char* code) {
  constexpr unsigned char elf[] = {0x7F, 'E', 'L', 'F'}, fat[] = {0x50, 0xED, 0x55, 0xBA};
  return std::memcmp(code, elf, 4) == 0 || std::memcmp(code, fat, 4) == 0;
}

/// PTX for an older architecture runs, for a newer one not; with a suffix only on its own.
bool runs_on(const Facts& facts, std::string_view target, std::string& log) {
  const std::size_t at = target.find('_');
  int number = 0;
  const char* const end = target.data() + target.size();
  const auto [rest, error] = std::from_chars(at == std::string_view::npos ? end : target.data() + at + 1, end, number);
  const int device = 10 * facts.major + facts.minor;
  const bool exact = rest != end;
  if (error == std::errc{} && (exact ? number == device : number <= device)) return true;
  log = "PTX for " + std::string(target) + " does not run on the emulated device sm_" + std::to_string(device);
  return false;
}

bool reserve(Device& d, CUmod_st& module) {
  for (const ptx::Variable& v : module.image.module->variables) {
    if (v.space != "global" && v.space != "const") continue;
    const auto bytes = static_cast<std::uint64_t>(ptx::bytes_of(v));
    if (bytes == 0) continue;
    const bool constant = v.space == "const";
    const std::uint64_t address = d.memory.allocate(bytes, std::string(v.name), constant);
    if (address == 0) return false;
    module.memory.push_back(address);
    auto* const at = reinterpret_cast<std::byte*>(address);
    std::memset(at, 0, bytes);
    std::memcpy(at, v.initial.data(), std::min<std::size_t>(v.initial.size(), bytes));
    module.image.symbols[v.name] = {constant ? Space::constant : Space::global, static_cast<std::int64_t>(address),
                                    static_cast<std::int64_t>(bytes)};
  }
  return true;
}

/// Writes the addresses that initialisers hold.
bool relocate(CUmod_st& module, std::string& log) {
  const ptx::Module& text = *module.image.module;
  for (const ptx::Variable& v : text.variables) {
    const auto home = module.image.symbols.find(v.name);
    if (home == module.image.symbols.end()) continue;
    for (const ptx::InitialSymbol& s : v.initial_symbols) {
      std::uint64_t value = 0;
      if (const auto found = module.image.symbols.find(s.symbol); found != module.image.symbols.end()) {
        value = static_cast<std::uint64_t>(found->second.address);
      } else {
        for (std::size_t f = 0; f < text.functions.size(); ++f) {
          if (text.functions[f].name == s.symbol) value = function_window + 16 * (f + 1);
        }
      }
      if (value == 0) {
        log = std::to_string(v.line) + ": '" + std::string(v.name) + "' is initialised with '" + std::string(s.symbol) +
              "', which is not defined";
        return false;
      }
      value += static_cast<std::uint64_t>(s.addend);
      if (s.mask != ~std::uint64_t{0} && s.mask != 0) value = (value & s.mask) >> __builtin_ctzll(s.mask);
      if (s.offset < 0 || s.offset + s.bytes > home->second.bytes) continue;
      std::memcpy(reinterpret_cast<std::byte*>(home->second.address) + s.offset, &value,
                  static_cast<std::size_t>(s.bytes));
    }
  }
  return true;
}

}  // namespace

CUresult load(Device& d, const void* code, CUmod_st& module, std::string& log) {
  const auto* text = static_cast<const char*>(code);
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (is_binary(text)) {
    log = "the emulated device loads PTX, not machine code";
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  module.image.compute_capability = 10 * d.facts.major + d.facts.minor;
  try {
    module.image.module = ptx::read(text);
  } catch (const ptx::SyntaxError& error) {
    log = std::string("PTX ") + error.what();
    return CUDA_ERROR_INVALID_PTX;
  }
  if (!runs_on(d.facts, module.image.module->target, log)) return CUDA_ERROR_NO_BINARY_FOR_GPU;
  if (module.image.module->address_size != 64) {
    log = "PTX with 32-bit addresses is not supported";
    return CUDA_ERROR_INVALID_PTX;
  }
  if (!reserve(d, module)) return CUDA_ERROR_OUT_OF_MEMORY;
  if (!relocate(module, log)) return CUDA_ERROR_INVALID_PTX;
  for (const ptx::Function& f : module.image.module->functions) {
    if (!f.entry || f.declaration) continue;
    auto kernel = std::make_unique<CUkern_st>();
    kernel->module = &module;
    kernel->function = &f;
    kernel->name = std::string(f.name);
    module.kernels.emplace(kernel->name, std::move(kernel));
  }
  return CUDA_SUCCESS;
}

void unload(Device& d, CUmod_st& module) {
  for (const CUdeviceptr address : module.memory) d.memory.free(address);
  module.memory.clear();
}

std::shared_ptr<const Program> program_of(Device& d, CUfunc_st& function) {
  const std::lock_guard lock(d.mutex);
  if (!function.program) function.program = Decoder(function.module->image, d.table).decode(*function.function);
  return function.program;
}

void write_log(const std::string& log, CUjit_option* options, void** values, unsigned count) {
  if (options == nullptr || values == nullptr) return;
  const auto value_of = [&](CUjit_option which) -> void** {
    for (unsigned k = 0; k < count; ++k) {
      if (options[k] == which) return &values[k];
    }
    return nullptr;
  };
  void** const buffer = value_of(CU_JIT_ERROR_LOG_BUFFER);
  void** const size = value_of(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
  if (buffer == nullptr || *buffer == nullptr || size == nullptr) return;
  const auto room = static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(*size));
  if (room == 0) return;
  const std::size_t bytes = std::min(room - 1, log.size());
  std::memcpy(*buffer, log.data(), bytes);
  static_cast<char*>(*buffer)[bytes] = 0;
  *size = reinterpret_cast<void*>(bytes);
}

}  // namespace tilejit::emulator
