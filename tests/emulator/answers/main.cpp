/// A GPU's answers beside the emulated device's, and the golden files that the latter is compared with where there is
/// no GPU. Needs libcuda, libmpfr and the emulated device, no compiler.
///
///   build/default/bin/gpu_answers                                      compares: minutes, most for every float there
///   is build/default/bin/gpu_answers --write tests/golden/gpu_answers     and writes FOLDER/sm_90/{mma,probes,banks,
///                                                                      approximations}.txt, about 200 KB
///   --only mma,probes,banks,approximations    some parts      --tiles N      a form of mma.sync, at least 2000 (20000)
///   --stride N    every N-th float for approximations (1)     --gpu LIBRARY, --emulated LIBRARY    elsewhere
/// Exit status: 0 all that must be equal is, 1 something differs, 77 there is no GPU.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "approximations.h"
#include "banks.h"
#include "mma_check.h"
#include "probes.h"

namespace {

using namespace tilejit::testing;

struct Typed {
  std::string write, only = "mma,probes,banks,approximations", gpu = "libcuda.so.1",
                     emulated = TILEJIT_BINARY_DIR "/lib/libtilejit_emulated_cuda.so";
  int tiles = 20000;
  std::uint64_t stride = 1;
};

Typed read(int count, char** words) {
  Typed t;
  for (int i = 1; i < count; ++i) {
    const std::string option = words[i];
    if (i + 1 == count) throw std::runtime_error(option + " wants a value");
    const std::string value = words[++i];
    if (option == "--write")
      t.write = value;
    else if (option == "--only")
      t.only = value;
    else if (option == "--gpu")
      t.gpu = value;
    else if (option == "--emulated")
      t.emulated = value;
    else if (option == "--tiles")
      t.tiles = std::stoi(value);
    else if (option == "--stride")
      t.stride = std::max(1ull, std::stoull(value));
    else
      throw std::runtime_error("there is no option " + option);
  }
  return t;
}

int run(const Typed& typed) {
  std::string why;
  const std::unique_ptr<Card> gpu = Card::open(typed.gpu, why);
  if (gpu == nullptr) {
    std::printf("no GPU: %s\n", why.c_str());
    return 77;
  }
  setenv(
      "TILEJIT_EMULATED_CC",
      (std::to_string(gpu->compute_capability() / 10) + "." + std::to_string(gpu->compute_capability() % 10)).c_str(),
      1);
  const std::unique_ptr<Card> emulated = Card::open(typed.emulated, why);
  if (emulated == nullptr) throw std::runtime_error("no emulated device: " + why);
  std::printf("%s and %s\n", gpu->name().c_str(), emulated->name().c_str());

  const std::string folder = typed.write + "/sm_" + std::to_string(gpu->compute_capability());
  if (!typed.write.empty()) std::filesystem::create_directories(folder);
  int bad = 0;
  const auto part = [&](const std::string& name, auto check) {
    if (typed.only.find(name) == std::string::npos) return;
    std::printf("\n== %s\n", name.c_str());
    std::ofstream file;
    if (!typed.write.empty()) {
      file.open(folder + "/" + name + ".txt");
      file << "# Answers of " << gpu->name() << ", written by gpu_answers --write\n";
    }
    check(typed.write.empty() ? nullptr : &file);
    if (file.is_open() && !file.flush()) throw std::runtime_error("cannot write " + folder + "/" + name + ".txt");
    std::fflush(stdout);
  };
  part("mma", [&](std::ostream* out) { bad += check_mma(*gpu, emulated.get(), typed.tiles, out); });
  part("probes", [&](std::ostream* out) { bad += check_probes(*gpu, emulated.get(), out); });
  part("banks", [&](std::ostream* out) { check_banks(*gpu, emulated.get(), out); });
  part("approximations", [&](std::ostream* out) { check_approximations(*gpu, *emulated, typed.stride, out); });
  return bad == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(read(count, words));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu_answers: %s\n", error.what());
    return 2;
  }
}
