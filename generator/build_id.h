#pragma once
#include <string>

namespace tilejit {

/// The GNU build-id of an ELF file, in hex, read from the file; where it has none, "sha256:" and the digest of all its
/// bytes. Empty: not a readable ELF file of this machine's word size.
std::string identity_of(const std::string& path);

}  // namespace tilejit
