#include <tilejit/cache/file_calls.h>

#include <unistd.h>

#include <cstdio>

namespace tilejit {

const FileCalls& system_file_calls() {
  static constexpr FileCalls calls{::write, ::fsync, ::close, [](int folder, const char* from, const char* to) {
                                     return ::renameat(folder, from, folder, to);
                                   }};
  return calls;
}

}  // namespace tilejit
