#include <tilejit/generator/ptx/locations.h>

#include <limits>

#include <tilejit/generator/ptx/expression.h>
#include <tilejit/generator/ptx/literal.h>

namespace tilejit::ptx {

namespace {

int read_number(Lexer& in) {
  const Token token = in.expect(Token::Kind::integer, "a number");
  const std::int64_t value = integer_of(token);
  if (value < 0 || value > std::numeric_limits<int>::max()) {
    Lexer::fail_at(token, "expected a number from 0 to 2147483647");
  }
  return static_cast<int>(value);
}

std::tuple<int, int, int> read_place(Lexer& in) {
  const int file = read_number(in);
  const int line = read_number(in);
  return {file, line, read_number(in)};
}

/// .b8 1, 2, 3 with a label before each string.
void read_strings(Lexer& in, DebugStrings& strings) {
  std::string* string = nullptr;
  while (!in.take('}')) {
    if (in.peek().kind == Token::Kind::word && in.second().is(':')) {
      string = &strings[in.next().text];
      in.next();
      continue;
    }
    if (!in.take_dot("b8")) {
      in.fail_expecting("a label, .b8 or '}'");
    }
    do {
      const std::int64_t byte = read_constant(in);
      if (string != nullptr) {
        *string += static_cast<char>(byte);
      }
    } while (in.take(','));
  }
}

}  // namespace

void Locations::read(Lexer& in) {
  in.next();
  const Place place = read_place(in);
  int inlined_at = -1;
  Name name;
  while (in.peek().is(',') && in.second().kind == Token::Kind::word) {
    in.next();
    const Token attribute = in.next();
    if (attribute.text == "function_name") {
      name.label = in.expect(Token::Kind::word, "a label").text;
      name.offset = read_offset(in);
    } else if (attribute.text == "inlined_at") {
      const Place outer = read_place(in);
      const auto found = latest_.find(outer);
      inlined_at = found != latest_.end() ? found->second : index_of(outer, -1, {});
    } else {
      Lexer::fail_at(attribute, "expected function_name or inlined_at, found " + quoted(attribute.text));
    }
  }
  if (std::get<1>(place) != 0) {
    current_ = index_of(place, inlined_at, name);
  }
}

int Locations::index_of(const Place& place, int inlined_at, const Name& name) {
  const auto next = static_cast<int>(locations_.size());
  const auto [entry, added] = known_.try_emplace({place, inlined_at, name}, next);
  if (added) {
    SourceLocation location;
    std::tie(location.file, location.line, location.column) = place;
    location.inlined_at = inlined_at;
    locations_.push_back(location);
    names_.push_back(name);
  }
  latest_[place] = entry->second;
  return entry->second;
}

std::vector<SourceLocation> Locations::finish(const DebugStrings& strings) {
  for (std::size_t i = 0; i < locations_.size(); ++i) {
    const auto found = strings.find(names_[i].label);
    const auto skipped = static_cast<std::uint64_t>(names_[i].offset);
    if (found != strings.end() && skipped < found->second.size()) {
      locations_[i].inlined_function = found->second.c_str() + skipped;
    }
  }
  return std::move(locations_);
}

void read_file(Lexer& in, std::map<int, std::string>& files) {
  in.next();
  const int number = read_number(in);
  files[number] = in.expect(Token::Kind::string, "a file's name").text;
  while (in.take(',')) {
    read_number(in);
  }
}

void read_section(Lexer& in, DebugStrings& strings) {
  in.next();
  const Token name = in.next();
  in.expect('{');
  if (name.is_dot("debug_str")) {
    return read_strings(in, strings);
  }
  while (!in.take('}')) {
    if (in.peek().kind == Token::Kind::end) {
      in.fail_expecting("'}'");
    }
    in.next();
  }
}

}  // namespace tilejit::ptx
