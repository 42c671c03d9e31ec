#include <tilejit/cache/log.h>
#include <tilejit/runtime/driver.h>

namespace tilejit {

CurrentContext::CurrentContext(const Driver& driver, CUcontext context) : driver_(driver) {
  driver.check(driver.call.cuCtxGetCurrent(&previous_), "cuCtxGetCurrent");
  if (previous_ == context) return;
  driver.check(driver.call.cuCtxPushCurrent(context), "cuCtxPushCurrent");
  pushed_ = true;
}

CurrentContext::~CurrentContext() {
  if (!pushed_) return;
  CUcontext popped = nullptr;
  const CUresult code = driver_.call.cuCtxPopCurrent(&popped);
  // A lost context makes the pop report what a kernel did earlier, and some drivers leave the stack as it was then.
  CUcontext now = nullptr;
  if (code == CUDA_SUCCESS || code == CUDA_ERROR_DEINITIALIZED) return;
  if (driver_.call.cuCtxGetCurrent(&now) == CUDA_SUCCESS && now == previous_) return;
  if (driver_.call.cuCtxSetCurrent(previous_) == CUDA_SUCCESS) return;
  Logger("tilejit.driver", {})
      .error("the calling thread's CUDA context could not be put back: cuCtxPopCurrent gave " + std::to_string(code));
}

}  // namespace tilejit
