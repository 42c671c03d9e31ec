#include <tilejit/runtime/emulator/driver/entered.h>

/// Streams and events. Whatever is put on a stream has run when the call returns, so there is nothing to wait for.
using namespace tilejit::emulator;

namespace {

bool is_special(CUstream s) { return s == nullptr || s == CU_STREAM_LEGACY || s == CU_STREAM_PER_THREAD; }

bool known(Device& d, CUstream s) {
  const std::lock_guard lock(d.mutex);
  return is_special(s) || d.streams.contains(s);
}
bool known(Device& d, CUevent e) {
  const std::lock_guard lock(d.mutex);
  return d.events.contains(e);
}

template <class F>
CUresult on_stream(CUstream stream, F body) {
  return in_context([&](Device& d, CUctx_st& c) -> CUresult {
    if (!known(d, stream)) return CUDA_ERROR_INVALID_HANDLE;
    return body(d, c);
  });
}
template <class F>
CUresult on_event(CUevent event, F body) {
  return in_context([&](Device& d, CUctx_st& c) -> CUresult {
    if (!known(d, event)) return CUDA_ERROR_INVALID_HANDLE;
    return body(d, c);
  });
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuStreamCreateWithPriority(CUstream* out, unsigned flags, int priority) {
  return in_context([&](Device& d, CUctx_st& c) {
    if (out == nullptr || (flags & ~CU_STREAM_NON_BLOCKING) != 0) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(d.mutex);
    *out = new CUstream_st{&c, flags, priority, d.next_id++};
    d.streams.insert(*out);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuStreamCreate(CUstream* out, unsigned flags) { return cuStreamCreateWithPriority(out, flags, 0); }

CUresult CUDAAPI cuStreamDestroy(CUstream stream) {
  return initialised([&](Device& d) {
    const std::lock_guard lock(d.mutex);
    if (d.streams.erase(stream) == 0) return CUDA_ERROR_INVALID_HANDLE;
    delete stream;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuStreamSynchronize(CUstream stream) {
  return on_stream(stream, [](Device&, CUctx_st&) { return CUDA_SUCCESS; });
}

CUresult CUDAAPI cuStreamQuery(CUstream stream) {
  return on_stream(stream, [](Device&, CUctx_st&) { return CUDA_SUCCESS; });
}

CUresult CUDAAPI cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  return on_stream(stream,
                   [&](Device& d, CUctx_st&) { return known(d, event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE; });
}

CUresult CUDAAPI cuStreamGetCtx(CUstream stream, CUcontext* out) {
  return on_stream(stream, [&](Device&, CUctx_st& c) {
    if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *out = is_special(stream) ? &c : stream->context;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return on_stream(stream, [&](Device&, CUctx_st&) {
    if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *flags = is_special(stream) ? 0 : stream->flags;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuStreamGetPriority(CUstream stream, int* priority) {
  return on_stream(stream, [&](Device&, CUctx_st&) {
    if (priority == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *priority = is_special(stream) ? 0 : stream->priority;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuStreamGetId(CUstream stream, unsigned long long* id) {
  return on_stream(stream, [&](Device&, CUctx_st&) {
    if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *id = is_special(stream) ? static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(stream)) : stream->id;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return on_stream(stream, [&](Device&, CUctx_st&) {
    if (status == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *status = CU_STREAM_CAPTURE_STATUS_NONE;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t*, CUgraph*,
                                           const CUgraphNode**, size_t*);
CUresult CUDAAPI cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t*, CUgraph*,
                                           const CUgraphNode**, size_t*) {
  return cuStreamIsCapturing(stream, status);
}
CUresult CUDAAPI cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t*, CUgraph*,
                                        const CUgraphNode**, const CUgraphEdgeData**, size_t*) {
  return cuStreamIsCapturing(stream, status);
}

CUresult CUDAAPI cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode) {
  return on_stream(stream, [](Device&, CUctx_st&) { return CUDA_ERROR_NOT_SUPPORTED; });
}

CUresult CUDAAPI cuStreamEndCapture(CUstream stream, CUgraph*) {
  return on_stream(stream, [](Device&, CUctx_st&) { return CUDA_ERROR_NOT_SUPPORTED; });
}

CUresult CUDAAPI cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return initialised([&](Device&) { return mode == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; });
}

CUresult CUDAAPI cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return on_stream(stream, [&](Device&, CUctx_st&) {
    if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
    function(data);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned) {
  return on_stream(stream, [&](Device&, CUctx_st&) {
    if (callback == nullptr) return CUDA_ERROR_INVALID_VALUE;
    callback(stream, CUDA_SUCCESS, data);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuEventCreate(CUevent* out, unsigned flags) {
  return in_context([&](Device& d, CUctx_st& c) {
    if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(d.mutex);
    *out = new CUevent_st{&c, flags, false, {}};
    d.events.insert(*out);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuEventDestroy(CUevent event) {
  return initialised([&](Device& d) {
    const std::lock_guard lock(d.mutex);
    if (d.events.erase(event) == 0) return CUDA_ERROR_INVALID_HANDLE;
    delete event;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuEventRecord(CUevent event, CUstream stream) {
  return on_event(event, [&](Device& d, CUctx_st&) {
    if (!known(d, stream)) return CUDA_ERROR_INVALID_HANDLE;
    const std::lock_guard lock(d.mutex);
    event->recorded = true;
    event->at = std::chrono::steady_clock::now();
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned) {
  return cuEventRecord(event, stream);
}

CUresult CUDAAPI cuEventSynchronize(CUevent event) {
  return on_event(event, [](Device&, CUctx_st&) { return CUDA_SUCCESS; });
}

CUresult CUDAAPI cuEventQuery(CUevent event) {
  return on_event(event, [](Device&, CUctx_st&) { return CUDA_SUCCESS; });
}

CUresult CUDAAPI cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return on_event(start, [&](Device& d, CUctx_st&) {
    if (milliseconds == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!known(d, end)) return CUDA_ERROR_INVALID_HANDLE;
    const std::lock_guard lock(d.mutex);
    if (!start->recorded || !end->recorded || ((start->flags | end->flags) & CU_EVENT_DISABLE_TIMING) != 0) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    *milliseconds = std::chrono::duration<float, std::milli>(end->at - start->at).count();
    return CUDA_SUCCESS;
  });
}
}
