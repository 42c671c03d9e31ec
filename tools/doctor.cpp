#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include <tilejit/tools/diagnosis.h>
#include <tilejit/tools/failure.h>
#include <tilejit/tools/output.h>
#include <tilejit/tools/subcommands.h>

namespace tilejit::tool {

void add_doctor(CLI::App& app, Action& action) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand(
      "doctor", "Toolkit, NVRTC, drivers, devices, cache: what was found, whether it can be used, what to do if not");
  command->add_flag("--json", *json, "As JSON");
  command->callback([json, &action] {
    action = [json] {
      const std::vector<Finding> findings = diagnose(Options::resolve());
      print(*json ? to_json(findings) : to_text(findings));
      const bool works =
          std::none_of(findings.begin(), findings.end(), [](const Finding& one) { return one.needed && !one.usable; });
      return works ? fine : failed;
    };
  });
}

}  // namespace tilejit::tool
