#include <tilejit/runtime/capture.h>

namespace tilejit {

bool is_capturing(const Driver& driver, CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  const CUresult code = driver.call.cuStreamIsCapturing(stream, &status);
  // The legacy default stream cannot be asked while another stream captures; work on it would break that capture.
  if (code == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT) return true;
  driver.check(code, "cuStreamIsCapturing");
  return status != CU_STREAM_CAPTURE_STATUS_NONE;
}

}  // namespace tilejit
