#include <cstdio>
#include <vector>

#include <tilejit/tilejit.h>

int main() try {
  auto device = tilejit::Device::open(tilejit::DeviceKind::any);  // a GPU, else the emulated device
  tilejit::Jit jit(device);
  auto copy = jit.function("copy_2d");
  auto stream = device.stream();

  std::vector<float> host = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  auto x = device.copy_of(host, {3, 4});
  auto y = device.empty(tilejit::f32, {4, 3});
  copy(stream, x.t(), y);  // first call: specialise, tune, compile, cache; next calls: launch

  // Memory, stream and context of the program's own are as good: here the right two columns of y, from a pointer.
  auto right = tilejit::TensorView(static_cast<float*>(y.data()) + 1, tilejit::f32, {4, 2}, {3, 1});
  auto z = device.empty(tilejit::f32, {4, 2});
  copy(stream, right, z);

  for (float value : y.to_host<float>(stream)) std::printf("%g ", value);
  std::printf("| ");
  for (float value : z.to_host<float>(stream)) std::printf("%g ", value);
  std::printf("\n");
} catch (const tilejit::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
