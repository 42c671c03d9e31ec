#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <tilejit/generator/nearest.h>
#include <tilejit/tools/failure.h>
#include <tilejit/tools/subcommands.h>

int main(int argc, char** argv) {
  using namespace tilejit::tool;
  CLI::App app("Run-time specialised, autotuned CUDA kernels: list, look at, compile, run and tune templates.",
               "tilejit");
  app.set_version_flag("--version", std::string("tilejit ") + TILEJIT_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);

  Action action;
  for (const auto add :
       {add_list, add_show, add_compile, add_inspect, add_run, add_access, add_tune, add_cache, add_doctor}) {
    add(app, action);
  }

  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  if (argc > 1 && argv[1][0] != '-' && std::find(known.begin(), known.end(), argv[1]) == known.end()) {
    std::fprintf(stderr, "tilejit: Usage: no command '%s'%s\n", argv[1], tilejit::suggestion(argv[1], known).c_str());
    return misused;
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "tilejit: Usage: %s\n", error.what());
    return misused;
  }

  try {
    return action();
  } catch (...) {
    const Failure failure = failure_of(std::current_exception());
    std::fprintf(stderr, "tilejit: %s\n", failure.message.c_str());
    return failure.status;
  }
}
