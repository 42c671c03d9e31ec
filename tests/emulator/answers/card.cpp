#include "card.h"

#include <cuda.h>
#include <dlfcn.h>

#include <stdexcept>

namespace tilejit::testing {

struct Card::Entries {
  void* library = nullptr;
  CUcontext context = nullptr;
  decltype(&cuGetProcAddress_v2) get = nullptr;

  template <class F>
  F* at(const char* name) const {
    void* found = nullptr;
    if (get(name, &found, 12000, 0, nullptr) != CUDA_SUCCESS || found == nullptr)
      throw std::runtime_error(std::string("the driver has no ") + name);
    return reinterpret_cast<F*>(found);
  }
};
#define ENTRY(NAME) entries_->at<decltype(NAME)>(#NAME)

void Card::check(int code, const char* what) const {
  if (code == CUDA_SUCCESS) return;
  const char* text = nullptr;
  ENTRY(cuGetErrorString)(static_cast<CUresult>(code), &text);
  throw std::runtime_error(name_ + ": " + what + ": " + (text == nullptr ? std::to_string(code) : text));
}

std::unique_ptr<Card> Card::open(const std::string& library, std::string& why) {
  std::unique_ptr<Card> card(new Card);
  card->entries_ = std::make_unique<Entries>();
  Entries& e = *card->entries_;
  e.library = dlopen(library.c_str(), RTLD_LOCAL | RTLD_NOW);
  if (e.library == nullptr) return why = dlerror(), nullptr;
  e.get = reinterpret_cast<decltype(e.get)>(dlsym(e.library, "cuGetProcAddress_v2"));
  if (e.get == nullptr) return why = library + " has no cuGetProcAddress_v2", nullptr;
  int count = 0;
  if (e.at<decltype(cuInit)>("cuInit")(0) != CUDA_SUCCESS ||
      e.at<decltype(cuDeviceGetCount)>("cuDeviceGetCount")(&count) != CUDA_SUCCESS || count == 0) {
    return why = library + " has no device", nullptr;
  }
  char name[256] = "";
  e.at<decltype(cuDeviceGetName)>("cuDeviceGetName")(name, sizeof(name), 0);
  card->name_ = name;
  int major = 0, minor = 0;
  const auto attribute = e.at<decltype(cuDeviceGetAttribute)>("cuDeviceGetAttribute");
  attribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0);
  attribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0);
  card->compute_capability_ = 10 * major + minor;
  card->check(e.at<decltype(cuDevicePrimaryCtxRetain)>("cuDevicePrimaryCtxRetain")(&e.context, 0), "context");
  return card;
}

Card::~Card() = default;  // the context lasts as long as the process: libraries stay open

void* Card::symbol(const char* name) const { return dlsym(entries_->library, name); }

Words Card::run(const std::string& ptx, const Shape& shape, const std::vector<Words>& inputs,
                std::size_t out_words) const {
  check(ENTRY(cuCtxSetCurrent)(entries_->context), "context");
  char log[8192] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof(log))};
  CUmodule module = nullptr;
  if (const CUresult code = ENTRY(cuModuleLoadDataEx)(&module, ptx.c_str(), 2, options, values); code != CUDA_SUCCESS) {
    throw std::runtime_error(name_ + ": cannot load: " + std::to_string(code) + " " + log);
  }
  std::vector<CUdeviceptr> pointers;
  Words out(out_words);
  std::string problem;
  try {
    CUfunction kernel = nullptr;
    check(ENTRY(cuModuleGetFunction)(&kernel, module, "k"), "function");
    const auto place = [&](const Words& words) {
      pointers.push_back(0);
      check(ENTRY(cuMemAlloc)(&pointers.back(), words.size() * 4), "allocate");
      check(ENTRY(cuMemcpyHtoD)(pointers.back(), words.data(), words.size() * 4), "write");
    };
    place(out);
    for (const Words& words : inputs) place(words);
    std::vector<void*> parameters;
    for (CUdeviceptr& p : pointers) parameters.push_back(&p);
    check(ENTRY(cuLaunchKernel)(kernel, shape.blocks, 1, 1, shape.threads, 1, 1, shape.shared, nullptr,
                                parameters.data(), nullptr),
          "launch");
    check(ENTRY(cuCtxSynchronize)(), "run");
    check(ENTRY(cuMemcpyDtoH)(out.data(), pointers[0], out.size() * 4), "read");
  } catch (const std::runtime_error& error) {
    problem = error.what();
  }
  for (const CUdeviceptr p : pointers) ENTRY(cuMemFree)(p);
  ENTRY(cuModuleUnload)(module);
  if (!problem.empty()) {
    ENTRY(cuDevicePrimaryCtxReset)(0);
    throw std::runtime_error(problem);
  }
  return out;
}

}  // namespace tilejit::testing
