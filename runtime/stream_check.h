#pragma once
#include <string>

#include <tilejit/runtime/device_state.h>
#include <tilejit/runtime/stream.h>

namespace tilejit {

/// InvalidArgument, naming `call`, if `stream` is of another context than the device's. One driver call, safe on a
/// capturing stream. The default stream (null) is of whatever context is current, so it passes. A stream that was
/// destroyed is not told from one that lives.
void check_stream(const Device::State& state, StreamRef stream, const std::string& call);

}  // namespace tilejit
