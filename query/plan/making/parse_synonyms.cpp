#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

#include "codecs/base/error.hpp"
#include "query/plan/synonyms.hpp"

namespace gannet::query {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// A character of a line: one behind a backslash has no meaning of its own.
struct Character {
  char value;
  bool plain;
};

std::vector<Character> characters_of(std::string_view line) {
  std::vector<Character> characters;
  characters.reserve(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool plain = line[i] == '\\' && i + 1 < line.size();
    if (plain) ++i;
    characters.push_back({line[i], plain});
  }
  return characters;
}

void add_entry(std::string& entry, std::vector<std::string>& entries) {
  while (!entry.empty() && is_blank(entry.back())) entry.pop_back();
  if (!entry.empty()) entries.push_back(std::move(entry));
  entry.clear();
}

class LineReader {
 public:
  LineReader(std::string_view path, std::size_t line) : path_(path) { rule_.line = line; }

  SynonymRule read(std::string_view line) {
    const std::vector<Character> characters = characters_of(line);
    std::string entry;
    bool arrow = false;
    for (std::size_t i = 0; i < characters.size(); ++i) {
      const auto [value, plain] = characters[i];
      if (!plain && value == ',') {
        add_entry(entry, arrow ? rule_.to : rule_.from);
      } else if (is_arrow(characters, i)) {
        if (arrow) fail("there are two arrows (=>); write a rule a line");
        add_entry(entry, rule_.from);
        arrow = true;
        ++i;
      } else if (!entry.empty() || !is_blank(value)) {
        entry += value;
      }
    }
    add_entry(entry, arrow ? rule_.to : rule_.from);
    if (arrow && (rule_.from.empty() || rule_.to.empty())) {
      fail("an arrow (=>) wants words on both sides");
    }
    return std::move(rule_);
  }

 private:
  static bool is_arrow(const std::vector<Character>& characters, std::size_t i) {
    const auto is = [&](std::size_t at, char c) {
      return at < characters.size() && !characters[at].plain && characters[at].value == c;
    };
    return is(i, '=') && is(i + 1, '>');
  }

  [[noreturn]] void fail(std::string_view what) const {
    throw UsageError(fmt::format("{}:{}: {}", path_, rule_.line, what));
  }

  std::string_view path_;
  SynonymRule rule_;
};

}  // namespace

std::vector<SynonymRule> parse_synonyms(std::string_view text, std::string_view path) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<SynonymRule> rules;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!simdjson::validate_utf8(line.data(), line.size())) {
      throw UsageError(fmt::format("{}:{}: is not UTF-8; convert the file to it", path, number));
    }
    const auto first = std::ranges::find_if_not(line, is_blank);
    if (first == line.end() || *first == '#') continue;
    SynonymRule rule = LineReader(path, number).read(line);
    if (!rule.from.empty()) rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace gannet::query
