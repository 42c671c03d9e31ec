#pragma once
#include <functional>

namespace CLI {
class App;
}

namespace tilejit::tool {

/// What was chosen on the command line; returns the exit status and may throw.
using Action = std::function<int()>;

/// Each adds one subcommand to `app`; where it is the one typed, it sets `action` while the line is parsed. One file
/// each, of the same name.
void add_access(CLI::App& app, Action& action);
void add_list(CLI::App& app, Action& action);
void add_show(CLI::App& app, Action& action);
void add_compile(CLI::App& app, Action& action);
void add_inspect(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_tune(CLI::App& app, Action& action);
void add_cache(CLI::App& app, Action& action);
void add_doctor(CLI::App& app, Action& action);

}  // namespace tilejit::tool
