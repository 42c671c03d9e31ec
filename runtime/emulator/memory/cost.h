#pragma once
#include <cstdint>

#include <tilejit/runtime/emulator/report/site_state.h>

/// What one request of a warp costs, from its lanes' addresses. Only lanes in `mask` count; each touches `bytes` bytes.
namespace tilejit::emulator {

/// Sectors are 32-byte segments; ideal is what the distinct bytes would need lying together.
AccessCost global_cost(const std::uint64_t* address, std::uint32_t mask, std::uint32_t bytes);

/// A model of sm_70 and later: 32 banks of four bytes; lanes of up to four bytes go in one pass, of eight in two, of
/// sixteen in four (two where neighbours agree); a pass takes as many wavefronts as its busiest bank has words.
AccessCost shared_cost(const std::uint64_t* address, std::uint32_t mask, std::uint32_t bytes);

}  // namespace tilejit::emulator
