#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include <tilejit/tools/call.h>
#include <tilejit/tools/failure.h>
#include <tilejit/tools/offline_build.h>
#include <tilejit/tools/op_call.h>
#include <tilejit/tools/output.h>
#include <tilejit/tools/subcommands.h>

namespace tilejit::tool {
namespace {

using Json = nlohmann::ordered_json;

struct CompileOptions {
  CallText call;
  std::string arch = default_arch;
  std::string folder;
  bool json = false;
};

std::vector<std::string> write_files(const std::string& folder, const std::string& name, const ObjectCode& object) {
  if (folder.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(fmt::format("{}: cannot be made: {}", folder, error.message()));
  std::vector<std::string> files;
  const auto write = [&](const char* suffix, const std::string& bytes) {
    if (bytes.empty()) return;
    files.push_back((std::filesystem::path(folder) / (name + suffix)).string());
    write_file(files.back(), bytes);
  };
  write(".cubin", object.cubin);
  write(".ptx", object.ptx);
  write(".cu", object.source);
  return files;
}

std::string figure(int value, const char* unit = "") {
  return value < 0 ? "not said" : fmt::format("{}{}", value, unit);
}

int compile(const CompileOptions& typed) {
  const Options options = Options::resolve();
  const TemplateLibrary library = library_of(options, template_paths_of(typed.call));
  refuse_op(typed.call, library, "compile", typed.arch);
  const Call call = resolve(typed.call, library);
  const OfflineCall offline = specialize_offline(call, typed.arch);
  const BuildResult built = build_offline(call, offline, options);
  const ObjectCode& object = built.object;
  const Resources& used = object.resources;
  const std::vector<std::string> files = write_files(typed.folder, call.kernel->name, object);

  if (typed.json) {
    Json json{{"format", "tilejit.compile"}, {"version", 1}};
    json["template"] = call.kernel->name;
    json["arch"] = object.arch;
    json["config"] = Json::parse(config_json(offline.specialization.config));
    json["entry"] = object.entry;
    json["from_cache"] = built.from_cache;
    json["threads"] = object.threads;
    json["registers"] = used.registers;
    json["shared"] = used.shared;
    json["scratch"] = object.scratch;
    json["stack"] = used.stack;
    json["spill_stores"] = used.spill_stores;
    json["spill_loads"] = used.spill_loads;
    json["barriers"] = used.barriers;
    json["cubin_bytes"] = object.cubin.size();
    json["files"] = files;
    print(json.dump(2) + "\n");
    return fine;
  }
  print(
      fmt::format("{} for {}: {}\n", call.kernel->name, object.arch, built.from_cache ? "from the cache" : "compiled"));
  print(fmt::format("config      {}\n", to_string(offline.specialization.config)));
  print(fmt::format("entry       {}, {} threads a program\n", object.entry, object.threads));
  print(fmt::format("registers   {}\n", figure(used.registers)));
  print(fmt::format("shared      {} static, {} bytes scratch\n", figure(used.shared, " bytes"), object.scratch));
  print(fmt::format("stack       {}\n", figure(used.stack, " bytes")));
  print(fmt::format("spills      {} stored, {} loaded\n", figure(used.spill_stores, " bytes"),
                    figure(used.spill_loads, " bytes")));
  for (const std::string& file : files) print(fmt::format("wrote       {}\n", file));
  return fine;
}

}  // namespace

void add_compile(CLI::App& app, Action& action) {
  const auto typed = std::make_shared<CompileOptions>();
  CLI::App* command = app.add_subcommand("compile", "Compile a call for an arch; needs no GPU");
  add_call_options(*command, typed->call);
  add_debug_option(*command, typed->call);
  command->add_option("--arch", typed->arch, "For which arch")->capture_default_str();
  command->add_option("-o,--output", typed->folder, "A folder for TEMPLATE.cubin, TEMPLATE.ptx and TEMPLATE.cu")
      ->check([](const std::string& folder) { return std::string(folder.empty() ? "expected a folder's name" : ""); })
      ->type_name("DIR");
  command->add_flag("--json", typed->json, "As JSON");
  command->callback([typed, &action] { action = [typed] { return compile(*typed); }; });
}

}  // namespace tilejit::tool
