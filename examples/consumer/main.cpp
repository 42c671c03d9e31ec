#include <cstdio>
#include <vector>

#include <tilejit/tilejit.h>

#include "consumer_templates.h"

// Runs the program's own template, embedded at build time, on whatever device there is.
int main() try {
  tilejit::Options options;
  options.templates = {consumer_templates};

  tilejit::TemplateLibrary library;
  library.add(consumer_templates);
  const auto decay = library.get("decay");
  std::printf("%s: %s (%s)\n", decay->name.c_str(), decay->info.summary.c_str(), decay->file.name.c_str());

  const auto device = tilejit::Device::open(tilejit::DeviceKind::any, 0, options);
  const tilejit::Jit jit(device, options);
  const auto stream = device.stream();
  const auto x = device.copy_of(std::vector<float>{8, 16, 24}, {3});
  const auto y = device.empty(tilejit::f32, {3});
  jit.function("decay")(stream, x, y);
  const std::vector<float> left = y.to_host<float>(stream);
  std::printf("left: %g %g %g\n", left[0], left[1], left[2]);
  return left == std::vector<float>{1, 2, 3} ? 0 : 1;
} catch (const tilejit::NoDevice& error) {
  std::printf("nothing was launched: %s\n", error.what());
  return 0;
} catch (const tilejit::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
