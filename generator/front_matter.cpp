#include <tilejit/generator/front_matter.h>

#include <fmt/format.h>

#include <algorithm>

#include <tilejit/generator/error.h>
#include <tilejit/generator/front_matter_arguments.h>
#include <tilejit/generator/front_matter_config.h>
#include <tilejit/generator/front_matter_reader.h>
#include <tilejit/generator/identifier.h>

namespace tilejit {
namespace {

constexpr std::string_view opening = "/*---", closing = "---*/";
constexpr std::size_t max_bytes = 65536;

std::size_t first_character(std::string_view source) {
  const std::size_t first = source.find_first_not_of(" \t\r\n");
  return first == source.npos ? source.size() : first;
}

struct Block {
  SourcePosition at;
  std::size_t begin = 0, end = 0;  ///< of the TOML between the two marks
};

Block find_block(const FrontMatterReader& reader) {
  const std::string_view source = reader.source();
  const std::size_t first = first_character(source);
  const SourcePosition at = position_of(source, first);
  if (!has_front_matter(source))
    reader.fail(at, fmt::format("front matter was expected: a template's first comment starts with {}", opening));
  const std::size_t end = source.find("*/", first + opening.size());
  if (end == source.npos) reader.fail(at, fmt::format("front matter starts here and is not closed by {}", closing));
  const std::size_t begin = first + opening.size();
  if (end < begin + 3 || source.substr(end - 3, closing.size()) != closing)
    reader.fail(position_of(source, end), fmt::format("front matter is closed by {}, not by */ alone", closing));
  if (end - 3 - begin > max_bytes)
    reader.fail(at, fmt::format("front matter has {} bytes; {} fit", end - 3 - begin, max_bytes));
  return {at, begin, end - 3};
}

void read_symbols(FrontMatter& info) {
  Symbols& symbols = info.symbols;
  symbols.values = info.sizes;
  symbols.values.insert(symbols.values.end(), info.constants.begin(), info.constants.end());
  symbols.values.insert(symbols.values.end(), {"num_warps", "num_stages", "sms", "shared_limit"});
  for (const ArgumentInfo& argument : info.arguments) {
    if (argument.kind != ArgumentInfo::Kind::tensor) continue;
    symbols.tensors.push_back(argument.name);
    symbols.ranks.push_back(static_cast<int>(argument.shape.size()));
  }
}

/// What the compiler must know before there is a Problem.
void require_compile_time(const FrontMatterReader& reader, const TomlNode& node, const Expression& expression,
                          std::string_view what, const FrontMatter& info) {
  const std::size_t first = info.sizes.size(), last = first + info.default_config.size();
  for (std::size_t value = 0; value < info.symbols.values.size(); ++value)
    if (expression.uses_value(value) && (value < first || value >= last))
      reader.fail(node.at, fmt::format("{} is fixed when the kernel is compiled; \"{}\" is not known then", what,
                                       info.symbols.values[value]));
  if (expression.uses_layout())
    reader.fail(
        node.at,
        fmt::format("{} is fixed when the kernel is compiled; of tensors it may use size and floating alone", what));
}

void read_requires(const FrontMatterReader& reader, const TomlNode& node, FrontMatter& info) {
  info.requires_ = reader.expressions(node, "requires", info.symbols);
  const std::size_t first = info.sizes.size(), last = first + info.default_config.size();
  for (std::size_t i = 0; i < info.requires_.size(); ++i)
    for (std::size_t value = first; value < last; ++value)
      if (info.requires_[i].uses_value(value))
        reader.fail(node.items[i].at, fmt::format("requires speaks of the Problem alone; \"{}\" belongs to the Config, "
                                                  "and such a condition into where",
                                                  info.symbols.values[value]));
}

void read_cost(const FrontMatterReader& reader, const TomlNode& node, FrontMatter& info) {
  reader.expect(node, TomlNode::Kind::table, "cost, written [cost],");
  reader.check_keys(node, {"bytes", "flops"}, "[cost]");
  if (const auto* bytes = node.find("bytes"))
    info.cost_bytes = reader.expression(bytes->value, "bytes in [cost]", info.symbols);
  if (const auto* flops = node.find("flops"))
    info.cost_flops = reader.expression(flops->value, "flops in [cost]", info.symbols);
}

void read_tolerance(const FrontMatterReader& reader, const TomlNode& node, FrontMatter& info) {
  const auto read = [&](const TomlNode& number, std::string_view what) {
    const double value = reader.number(number, what);
    if (value < 0) reader.fail(number.at, fmt::format("{} is at least 0", what));
    return value;
  };
  if (node.kind != TomlNode::Kind::table) {
    info.relative_tolerance = read(node, "tolerance, a number or { relative, absolute },");
    return;
  }
  reader.check_keys(node, {"relative", "absolute", "terms"}, "tolerance");
  if (const auto* relative = node.find("relative")) info.relative_tolerance = read(relative->value, "relative");
  if (const auto* absolute = node.find("absolute")) info.absolute_tolerance = read(absolute->value, "absolute");
  if (const auto* terms = node.find("terms"))
    info.tolerance_terms = reader.expression(terms->value, "terms in tolerance", info.symbols);
}

void read_options(const FrontMatterReader& reader, const TomlNode& node, FrontMatter& info) {
  info.options = reader.strings(node, "options");
  for (std::size_t i = 0; i < info.options.size(); ++i) {
    const std::string& option = info.options[i];
    const std::string_view name = std::string_view(option).substr(0, option.find_first_of("= "));
    if (option.size() < 2 || option[0] != '-')
      reader.fail(node.items[i].at, fmt::format("options: \"{}\" is not an option of NVRTC", option));
    for (std::string_view ours : {"--gpu-architecture", "-arch", "--std", "-std", "--no-source-include", "--no-cache",
                                  "--device-debug", "-G", "--generate-line-info", "-lineinfo"})
      if (name == ours) reader.fail(node.items[i].at, fmt::format("options: {} is the generator's own", name));
    if (name.substr(0, 2) == "-I" || name == "--include-path" || name == "--pre-include" || name == "-include")
      reader.fail(node.items[i].at, "options: what a template reads is a closed set; there is no include path");
  }
}

void read_use(const FrontMatterReader& reader, const TomlNode& node, FrontMatter& info) {
  info.use = reader.strings(node, "use");
  for (std::size_t i = 0; i < info.use.size(); ++i) {
    const std::string& name = info.use[i];
    info.use_at.push_back(node.items[i].at);
    const bool plain =
        !name.empty() && name[0] != '/' && name.find("..") == name.npos && name.find_first_of("\"\\<>\n") == name.npos;
    if (!plain)
      reader.fail(node.items[i].at, fmt::format("use: \"{}\" is not a header's name below the templates", name));
    if (std::find(info.use.begin(), info.use.begin() + static_cast<std::ptrdiff_t>(i), name) !=
        info.use.begin() + static_cast<std::ptrdiff_t>(i))
      reader.fail(node.items[i].at, fmt::format("use: \"{}\" stands twice", name));
  }
}

std::vector<Expression> read_axes(const FrontMatterReader& reader, const TomlNode& node, std::string_view what,
                                  const Symbols& symbols) {
  std::vector<Expression> axes = reader.expressions(node, what, symbols);
  if (axes.empty() || axes.size() > 3)
    reader.fail(node.at, fmt::format("{} has 1 to 3 expressions, x first, not {}", what, axes.size()));
  return axes;
}

void read_launch(const FrontMatterReader& reader, const TomlNode& root, FrontMatter& info) {
  if (const auto* cluster = root.find("cluster")) {
    info.cluster = read_axes(reader, cluster->value, "cluster", info.symbols);
    for (std::size_t i = 0; i < info.cluster.size(); ++i)
      require_compile_time(reader, cluster->value.items[i], info.cluster[i], "cluster", info);
  }
  if (const auto* min_blocks = root.find("min_blocks")) {
    info.min_blocks = reader.expression(min_blocks->value, "min_blocks", info.symbols);
    require_compile_time(reader, min_blocks->value, *info.min_blocks, "min_blocks", info);
  }
  if (const auto* shared = root.find("shared")) info.shared = reader.expression(shared->value, "shared", info.symbols);
}

void read_maps(const FrontMatterReader& reader, const TomlNode& arguments, FrontMatter& info) {
  for (std::size_t i = 0; i < info.arguments.size(); ++i) {
    ArgumentInfo& argument = info.arguments[i];
    if (argument.via == Via::pointer) continue;
    const TomlNode& node = arguments.items[i];
    argument.map = read_map(reader, node, argument, info.symbols);
    for (std::size_t axis = 0; axis < argument.map.box.size(); ++axis)
      require_compile_time(reader, node.find("box")->value.items[axis], argument.map.box[axis], "box", info);
    if (argument.map.swizzle)
      require_compile_time(reader, node.find("swizzle")->value, *argument.map.swizzle, "swizzle", info);
  }
}

void check_needs(const FrontMatterReader& reader, const TomlNode& root, const TomlNode& arguments,
                 const FrontMatter& info) {
  const auto needs = [&](std::string_view feature) {
    return std::find(info.needs.begin(), info.needs.end(), feature) != info.needs.end();
  };
  for (std::size_t i = 0; i < info.arguments.size(); ++i)
    if (info.arguments[i].via != Via::pointer && !needs("tma"))
      reader.fail(arguments.items[i].find("via")->at, "a TMA map asks for needs = [\"tma\"]");
  if (!info.cluster.empty() && !needs("cluster"))
    reader.fail(root.find("cluster")->at, "cluster asks for needs = [\"cluster\"]");
}

}  // namespace

std::vector<std::string> known_features() {
  return {"tma", "cluster", "wgmma", "setmaxnreg", "fp8_convert", "bf16_arithmetic", "mma"};
}

std::string template_name_of(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);  // npos + 1 is 0
  return std::string(name.substr(0, name.rfind('.')));
}

bool has_front_matter(std::string_view source) {
  return source.substr(first_character(source), opening.size()) == opening;
}

FrontMatter parse_front_matter(std::string_view source, const std::string& file) {
  const FrontMatterReader reader(source, file);
  if (const std::size_t zero = source.find('\0'); zero != source.npos)
    reader.fail(position_of(source, zero), "a zero byte, at which the compiler would take the text to end");
  const std::string name = template_name_of(file);
  const Block block = find_block(reader);
  if (!is_identifier(name) || is_keyword(name))
    reader.fail(block.at, fmt::format("the file's name is the function's name too, and \"{}\" cannot be one", name));
  const TomlNode root = read_toml(source, block.begin, block.end, file);
  reader.check_keys(root,
                    {"version", "summary", "arguments", "config", "default", "grid", "where", "requires", "needs",
                     "cluster", "min_blocks", "shared", "cost", "tolerance", "options", "use"},
                    "front matter");
  const auto required = [&](std::string_view key, std::string_view what) -> const TomlNode& {
    const TomlNode::Entry* entry = root.find(key);
    if (entry == nullptr) reader.fail(block.at, fmt::format("{} is missing: {}", key, what));
    return entry->value;
  };

  FrontMatter info;
  if (const auto* version = root.find("version"))
    if (reader.integer(version->value, "version") != info.version)
      reader.fail(version->value.at,
                  fmt::format("version {} is not known; this is version {}", version->value.integer, info.version));
  const TomlNode& summary = required("summary", "one line that says what the template computes");
  info.summary = reader.string(summary, "summary");
  if (info.summary.find_first_of("\r\n") != info.summary.npos) reader.fail(summary.at, "summary is one line");
  const TomlNode& arguments =
      required("arguments", "an [[arguments]] table for each parameter of the function, in order");
  info.arguments = read_arguments(reader, arguments);
  info.sizes = sizes_in(reader, arguments, info.arguments);
  read_config(reader, block.at, root.find("config"), root.find("default"), info);
  read_symbols(info);

  info.grid =
      read_axes(reader, required("grid", "1 to 3 expressions, the programs along x, y and z"), "grid", info.symbols);
  if (const auto* where = root.find("where")) {
    info.where = reader.expressions(where->value, "where", info.symbols);
    check_default(reader, where->value, info);
  }
  if (const auto* conditions = root.find("requires")) read_requires(reader, conditions->value, info);
  if (const auto* needs = root.find("needs")) {
    reader.expect(needs->value, TomlNode::Kind::array, "needs");
    for (const TomlNode& item : needs->value.items) info.needs.push_back(reader.word(item, "needs", known_features()));
  }
  read_launch(reader, root, info);
  read_maps(reader, arguments, info);
  check_needs(reader, root, arguments, info);
  if (const auto* cost = root.find("cost")) read_cost(reader, cost->value, info);
  if (const auto* tolerance = root.find("tolerance")) read_tolerance(reader, tolerance->value, info);
  if (const auto* options = root.find("options")) read_options(reader, options->value, info);
  if (const auto* use = root.find("use")) read_use(reader, use->value, info);
  check_function(reader, block.at, info.arguments);
  return info;
}

}  // namespace tilejit
