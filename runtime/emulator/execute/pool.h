#pragma once
#include <functional>

namespace tilejit::emulator {

/// Calls work(0) ... work(count - 1) at once, the first on the calling thread, the others on threads that stay for the
/// next time. Returns when all are done. `work` does not throw. Calls from several threads take turns.
void run_on_workers(int count, const std::function<void(int)>& work);

}  // namespace tilejit::emulator
