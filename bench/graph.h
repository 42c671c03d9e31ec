#pragma once
#include <functional>
#include <memory>

#include <tilejit/runtime/device.h>

namespace tilejit::bench {

/// What was put on a stream, captured as an executable graph: launched again without the host's part in between.
class Graph {
 public:
  /// Captures what `enqueue` puts on `stream`; nothing of it runs. It must neither tune, allocate nor wait: bind
  /// launches and their workspaces before. The memory that it works on must outlive the graph. CudaError: the driver
  /// refuses the capture; what `enqueue` throws is passed on, with the stream capturing no more.
  Graph(const Device& device, StreamRef stream, const std::function<void()>& enqueue);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void launch(StreamRef stream) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tilejit::bench
