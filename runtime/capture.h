#pragma once
#include <tilejit/runtime/driver.h>

namespace tilejit {

/// Whether work on `stream` goes into a graph instead of the device. The one driver call that is safe to make then.
bool is_capturing(const Driver& driver, CUstream stream);

}  // namespace tilejit
