// Builds one kernel with the libnvrtc and the cache folder it is given, and says how: "compiled" or "cached", and
// whether libnvrtc was loaded.
#include <cstdio>
#include <exception>

#include <tilejit/generator/build.h>

#include "sources.h"

int main(int count, char** arguments) {
  if (count != 3) return 2;
  try {
    const tilejit::Nvrtc nvrtc(arguments[1]);
    tilejit::StoreOptions options;
    options.root = arguments[2];
    tilejit::Store store(options);
    const auto result = tilejit::build(tilejit::test::good_source(), tilejit::test::sm("sm_90a"), nvrtc, store);
    std::printf("%s %s %zu\n", result.from_cache ? "cached" : "compiled", nvrtc.loaded() ? "loaded" : "unloaded",
                result.object.cubin.size());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
