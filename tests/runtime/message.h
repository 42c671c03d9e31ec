#pragma once
#include <string>

namespace tilejit::test {

/// What `call` says when it throws an Exception; empty if it throws none.
template <class Exception, class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace tilejit::test
