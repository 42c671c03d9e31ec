#include <tilejit/tools/failure.h>

#include <fmt/format.h>

#include <new>

#include <tilejit/runtime/errors.h>

namespace tilejit::tool {

Failure failure_of(const std::exception_ptr& error) {
  const auto named = [](const char* name, const std::exception& what, int status = failed) {
    return Failure{status, fmt::format("{}: {}", name, what.what())};
  };
  try {
    std::rethrow_exception(error);
  } catch (const InvalidArgument& what) {
    return named("InvalidArgument", what, misused);
  } catch (const TemplateError& what) {
    return named("TemplateError", what);
  } catch (const CompileError& what) {
    return named("CompileError", what);
  } catch (const ToolchainError& what) {
    return named("ToolchainError", what);
  } catch (const NoDevice& what) {
    return named("NoDevice", what);
  } catch (const NotPrepared& what) {
    return named("NotPrepared", what);
  } catch (const CudaError& what) {
    return named("CudaError", what);
  } catch (const Error& what) {
    return named("Error", what);
  } catch (const std::bad_alloc&) {
    return {failed, "OutOfMemory: this needs more host memory than there is"};
  } catch (const std::exception& what) {
    return named("Error", what);
  }
}

}  // namespace tilejit::tool
