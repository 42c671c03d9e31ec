#include <algorithm>
#include <cctype>
#include <stdexcept>

#include <tilejit/tests/ptx/normal.h>
#include <tilejit/tests/ptx/statements.h>

namespace tilejit::ptx {

namespace {

/// Both kinds of comment become blanks; quotes are respected.
std::string without_comments(const std::string& text) {
  std::string result = text;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (result[i] == '"') {
      i = result.find('"', i + 1);
    } else if (result.compare(i, 2, "//") == 0) {
      for (; i < result.size() && result[i] != '\n'; ++i) {
        result[i] = ' ';
      }
    } else if (result.compare(i, 2, "/*") == 0) {
      const std::size_t end = result.find("*/", i) + 2;
      std::fill(result.begin() + static_cast<std::ptrdiff_t>(i), result.begin() + static_cast<std::ptrdiff_t>(end),
                ' ');
    }
  }
  return result;
}

/// A parameter's .ptr and what it points to say nothing that is kept. Takes normal text.
std::string without_pointees(std::string header) {
  for (std::size_t at = header.find(" .ptr"); at != std::string::npos; at = header.find(" .ptr")) {
    std::size_t end = at + 5;
    for (const std::string part : {" .global", " .shared", " .const", " .local", " .param"}) {
      end += header.compare(end, part.size(), part) == 0 ? part.size() : 0;
    }
    if (header.compare(end, 8, " .align ") == 0) {
      end = header.find_first_not_of("0123456789", end + 8);
    }
    header.erase(at, end - at);
  }
  return header;
}

class Walk {
 public:
  explicit Walk(const std::string& text) : text_(without_comments(text)) {}

  Statements run() {
    while (skip_blanks()) {
      top_level();
    }
    for (auto* sorted : {&result_.declarations, &result_.labels, &result_.files}) {
      std::sort(sorted->begin(), sorted->end());
    }
    return std::move(result_);
  }

 private:
  bool skip_blanks() {
    while (at_ < text_.size() && (std::isspace(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '\0')) {
      ++at_;
    }
    return at_ < text_.size();
  }

  bool starts(const char* word) const { return text_.compare(at_, std::string(word).size(), word) == 0; }

  std::string upto(const char* ends) {
    const std::size_t end = std::min(text_.find_first_of(ends, at_), text_.size());
    std::string result = text_.substr(at_, end - at_);
    at_ = end;
    return result;
  }

  void top_level() {
    if (starts(".version") || starts(".target") || starts(".address_size")) {
      upto("\n");
    } else if (starts(".file")) {
      file();
    } else if (starts(".section")) {
      at_ = text_.find('}', at_) + 1;
    } else {
      const std::string head = upto("={;");
      const bool function = head.find(".func") != std::string::npos || head.find(".entry") != std::string::npos;
      if (function) {
        header(head);
      } else {
        result_.variables.push_back(normal(head + upto(";")));
      }
      if (function && text_[at_] == '{') {
        body();
      } else {
        ++at_;
      }
    }
  }

  void file() {
    const std::string line = upto("\n");
    const std::size_t open = line.find('"');
    const std::size_t close = line.find('"', open + 1);
    result_.files.push_back(std::to_string(std::stoi(line.substr(5))) + " " + line.substr(open + 1, close - open - 1));
  }

  void header(const std::string& head) {
    const std::size_t list_end = head.rfind(')');
    const std::string behind = head.substr(list_end == std::string::npos ? head.size() : list_end + 1);
    std::vector<std::string> directives;
    for (std::size_t dot = behind.find('.'); dot != std::string::npos;) {
      const std::size_t next = behind.find('.', dot + 1);
      std::string directive = normal(behind.substr(dot, next - dot));
      std::replace(directive.begin(), directive.end(), ' ', ',');
      directives.push_back(directive);
      dot = next;
    }
    std::sort(directives.begin(), directives.end());
    const std::string front = normal(head.substr(0, head.size() - behind.size()));
    std::string result = without_pointees(front);
    const std::size_t parameters = result.rfind('(');
    const std::size_t name = result.find_last_of(" )", parameters - 1) + 1;
    function_ = result.substr(name, parameters - name);
    for (const std::string& directive : directives) {
      result += directive;
    }
    result_.functions.push_back(result);
  }

  std::string place() const { return function_ + "#" + std::to_string(scopes_.back()) + " "; }

  void body() {
    int opened = 0;
    int index = 0;
    std::string location = "- ";
    scopes_.clear();
    do {
      skip_blanks();
      if (text_[at_] == '{') {
        scopes_.push_back(opened++);
        ++at_;
      } else if (text_[at_] == '}') {
        scopes_.pop_back();
        ++at_;
      } else if (starts(".loc ") || starts(".loc\t")) {
        int file = 0, line = 0, column = 0;
        if (std::sscanf(upto("\n").c_str(), ".loc %d %d %d", &file, &line, &column) != 3) {
          throw std::runtime_error("a .loc that the walk does not know");
        }
        if (line != 0) {
          location = std::to_string(file) + ":" + std::to_string(line) + ":" + std::to_string(column) + " ";
        }
      } else if (starts(".pragma")) {
        upto(";");
        ++at_;
      } else if (text_[at_] == '.') {
        declaration(upto(";"));
        ++at_;
      } else if (!label(index)) {
        result_.instructions.push_back(place() + location + normal(upto(";")));
        ++at_;
        ++index;
      }
    } while (!scopes_.empty());
  }

  bool label(int index) {
    const std::size_t end =
        text_.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$%", at_);
    const std::size_t colon = text_.find_first_not_of(" \t\n", end);
    if (text_[colon] != ':') {
      return false;
    }
    const std::string name = text_.substr(at_, end - at_);
    at_ = colon + 1;
    skip_blanks();
    if (starts(".callprototype")) {
      result_.declarations.push_back(place() + normal(name + " " + upto(";")));
      ++at_;
    } else {
      result_.labels.push_back(place() + name + " " + std::to_string(index));
    }
    return true;
  }

  /// .reg .b16 a, b; is two, and .reg.b16 has its blank.
  void declaration(const std::string& text) {
    std::string spaced;
    for (const char c : text) {
      spaced += c == '.' ? std::string(" .") : std::string(1, c);
    }
    const std::string all = normal(spaced);
    const std::size_t first_comma = all.find(',');
    const std::size_t name = all.rfind(' ', first_comma) + 1;
    const std::string prefix = all.substr(0, name);
    for (std::size_t at = name; at != std::string::npos;) {
      const std::size_t comma = all.find(',', at);
      result_.declarations.push_back(place() + prefix + all.substr(at, comma - at));
      at = comma == std::string::npos ? comma : comma + 1;
    }
  }

  std::string text_;
  std::size_t at_ = 0;
  std::string function_;
  std::vector<int> scopes_;
  Statements result_;
};

}  // namespace

Statements statements_in(const std::string& text) { return Walk(text).run(); }

}  // namespace tilejit::ptx
