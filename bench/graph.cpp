#include <tilejit/bench/graph.h>

#include <cuda.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <tilejit/runtime/device_state.h>

namespace tilejit::bench {
namespace {

// As libcuda exports them; without a stream, or for the legacy default one.
#define TILEJIT_GRAPH_ENTRIES(X)                                                    \
  X(cuStreamBeginCapture_v2, (CUstream, CUstreamCaptureMode))                       \
  X(cuStreamEndCapture, (CUstream, CUgraph*))                                       \
  X(cuGraphInstantiateWithFlags, (CUgraphExec*, CUgraph, unsigned long long flags)) \
  X(cuGraphLaunch, (CUgraphExec, CUstream))                                         \
  X(cuGraphExecDestroy, (CUgraphExec))                                              \
  X(cuGraphDestroy, (CUgraph))

struct Entries {
#define TILEJIT_ENTRY(NAME, SIGNATURE) CUresult(*NAME) SIGNATURE = nullptr;
  TILEJIT_GRAPH_ENTRIES(TILEJIT_ENTRY)
#undef TILEJIT_ENTRY
  explicit Entries(const Driver& driver) {
    const auto symbol = [&](const char* name, auto& entry) {
      entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(dlsym(driver.handle.get(), name));
      if (entry == nullptr) throw Error(fmt::format("{} has no {}", driver.library, name));
    };
#define TILEJIT_ENTRY(NAME, SIGNATURE) symbol(#NAME, NAME);
    TILEJIT_GRAPH_ENTRIES(TILEJIT_ENTRY)
#undef TILEJIT_ENTRY
  }
};

}  // namespace

struct Graph::Impl {
  std::shared_ptr<const Device::State> device;
  Entries call;
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;

  explicit Impl(const Device& of) : device(of.state()), call(*device->driver) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    try {
      const CurrentContext current(*device->driver, device->context);
      if (executable != nullptr) device->driver->check(call.cuGraphExecDestroy(executable), "cuGraphExecDestroy");
      if (graph != nullptr) device->driver->check(call.cuGraphDestroy(graph), "cuGraphDestroy");
    } catch (const CudaError& error) {
      device->log.warn(error.what());
    }
  }
};

Graph::Graph(const Device& device, StreamRef stream, const std::function<void()>& enqueue)
    : impl_(std::make_unique<Impl>(device)) {
  const Driver& driver = *impl_->device->driver;
  const CurrentContext current(driver, impl_->device->context);
  driver.check(impl_->call.cuStreamBeginCapture_v2(stream.handle(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
               "cuStreamBeginCapture");
  try {
    enqueue();
  } catch (...) {
    impl_->call.cuStreamEndCapture(stream.handle(), &impl_->graph);  // may answer that the capture broke
    throw;
  }
  driver.check(impl_->call.cuStreamEndCapture(stream.handle(), &impl_->graph), "cuStreamEndCapture");
  driver.check(impl_->call.cuGraphInstantiateWithFlags(&impl_->executable, impl_->graph, 0), "cuGraphInstantiate");
}

Graph::~Graph() = default;

void Graph::launch(StreamRef stream) const {
  const Driver& driver = *impl_->device->driver;
  const CurrentContext current(driver, impl_->device->context);
  driver.check(impl_->call.cuGraphLaunch(impl_->executable, stream.handle()), "cuGraphLaunch");
}

}  // namespace tilejit::bench
