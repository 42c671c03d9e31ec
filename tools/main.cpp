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

  std::vector<CLI::App*> commands = app.get_subcommands({});
  for (int i = 1; i < argc && argv[i][0] != '-' && !commands.empty(); ++i) {
    const auto named = std::ranges::find(commands, std::string(argv[i]), &CLI::App::get_name);
    if (named == commands.end()) {
      std::vector<std::string> known;
      for (const CLI::App* command : commands) known.push_back(command->get_name());
      std::fprintf(stderr, "tilejit: Usage: no command '%s'%s\n", argv[i], tilejit::suggestion(argv[i], known).c_str());
      return misused;
    }
    commands = (*named)->get_subcommands({});
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
