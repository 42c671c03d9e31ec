#include <tilejit/tools/timing.h>

#include <algorithm>
#include <vector>

namespace tilejit::tool {

Timing time_launches(const Device& device, StreamRef stream, const BoundLaunch& launch, int rounds) {
  const Tensor evictor = device.empty(DType::u8, {std::max<std::int64_t>(2 * device.l2_bytes(), 1)});
  const Event start(device), stop(device);
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    evictor.fill_bytes(static_cast<unsigned char>(round), stream);
    start.record(stream);
    launch(stream);
    stop.record(stream);
    stop.synchronize();
    times.push_back(stop.milliseconds_since(start));
  }
  std::sort(times.begin(), times.end());
  if (times.empty()) return {};
  const std::size_t half = times.size() / 2;
  const double median = times.size() % 2 ? times[half] : (times[half - 1] + times[half]) / 2;
  return {rounds, median, times.front(), times.back()};
}

}  // namespace tilejit::tool
