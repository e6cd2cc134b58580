#include "query/inexact/regex_syntax.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace gannet::query {
namespace {

/// Ranges of more characters are not folded: who writes one means whole scripts.
constexpr char32_t kMostFolded = 4'096;
/// Marks of repetition side by side, such as x+*: each is a level of the tree.
constexpr std::size_t kMostMarks = 8;

bool is_letter_or_digit(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
bool is_decimal(char32_t c) { return c >= '0' && c <= '9'; }
bool is_accent(char32_t c) { return c >= 0x300 && c <= 0x36f; }
bool is_one_of(char32_t c, std::u32string_view marks) {
  return marks.find(c) != std::u32string_view::npos;
}

Regex text_node(std::string text) {
  return {.kind = Regex::Kind::kText, .text = std::move(text), .set = {}, .parts = {}};
}
Regex node_of(Regex::Kind kind, std::vector<Regex> parts) {
  return {.kind = kind, .text = {}, .set = {}, .parts = std::move(parts)};
}

/// Recursive descent:
///   choice = chain { "|" chain }       repeat = atom { "*" | "+" | "?" | "{" numbers "}" }
///   chain  = { repeat }                atom   = "(" choice ")" | class | "." | character
class RegexParser {
 public:
  RegexParser(std::string_view pattern, const FoldText& fold)
      : text_(pattern), points_(code_points(pattern)), fold_(fold) {}

  Regex parse() {
    if (std::ranges::any_of(points_, [](char32_t c) { return c > kLastCodePoint; })) {
      fail(0, "a regular expression is text in UTF-8");
    }
    Regex all = parse_choice();
    if (!at_end()) fail(next_, "')' without a '(' before it");
    return all;
  }

 private:
  [[noreturn]] void fail(std::size_t point, const std::string& what) const {
    std::size_t position = 0;
    std::string skipped;
    for (std::size_t i = 0; i < point && i < points_.size(); ++i) append_utf8(points_[i], skipped);
    position = std::min(skipped.size(), text_.size());
    throw PatternError(what, position);
  }

  bool at_end() const { return next_ == points_.size(); }
  char32_t peek() const { return at_end() ? U'\0' : points_[next_]; }
  bool is_at(char32_t c) const { return !at_end() && points_[next_] == c; }
  bool take(char32_t c) {
    if (!is_at(c)) return false;
    ++next_;
    return true;
  }

  Regex parse_choice() {
    std::vector<Regex> parts{parse_chain()};
    while (take('|')) parts.push_back(parse_chain());
    return parts.size() == 1 ? std::move(parts.front())
                             : node_of(Regex::Kind::kChoice, std::move(parts));
  }

  Regex parse_chain() {
    std::vector<Regex> parts;
    while (!at_end() && !is_at('|') && !is_at(')')) parts.push_back(parse_repeat());
    return node_of(Regex::Kind::kChain, std::move(parts));
  }

  Regex parse_repeat() {
    Regex part = parse_atom();
    std::size_t repeats = 0;
    while (!at_end() && is_one_of(peek(), U"*+?{")) {
      if (++repeats > kMostMarks) fail(next_, "too many marks of repetition side by side");
      std::uint32_t least = 0;
      std::uint32_t most = Regex::kNoLimit;
      if (is_at('{')) {
        parse_numbers(least, most);
      } else {
        least = is_at('+') ? 1 : 0;
        most = is_at('?') ? 1 : Regex::kNoLimit;
        ++next_;
      }
      std::vector<Regex> one;
      one.push_back(std::move(part));
      part = node_of(Regex::Kind::kRepeat, std::move(one));
      part.least = least;
      part.most = most;
    }
    return part;
  }

  /// `{3}`, `{2,}`, `{2,5}`.
  void parse_numbers(std::uint32_t& least, std::uint32_t& most) {
    const std::size_t open = next_++;
    const auto first = parse_number();
    if (!first) fail(open, "'{' begins a number of repetitions, as in x{2} or x{2,5}");
    least = most = *first;
    if (take(',')) most = parse_number().value_or(Regex::kNoLimit);
    if (!take('}')) fail(open, "'{' begins a number of repetitions, as in x{2} or x{2,5}");
    if (most < least) fail(open, "the second number of repetitions is less than the first");
  }

  std::optional<std::uint32_t> parse_number() {
    std::optional<std::uint32_t> number;
    const std::size_t begin = next_;
    for (; !at_end() && is_decimal(peek()); ++next_) {
      number = number.value_or(0) * 10 + static_cast<std::uint32_t>(peek() - '0');
      if (*number > TermPattern::kMaxRepeats) {
        fail(begin, "a pattern repeats a part at most " + std::to_string(TermPattern::kMaxRepeats) +
                        " times");
      }
    }
    return number;
  }

  Regex parse_atom() {
    const std::size_t at = next_;
    const char32_t c = points_[next_++];
    switch (c) {
      case '(':
        return parse_group(at);
      case '[':
        return parse_class(at);
      case '.':
        return {.kind = Regex::Kind::kAny, .text = {}, .set = {}, .parts = {}};
      case '*':
      case '+':
      case '?':
        fail(at,
             "nothing stands before the mark of repetition; with a backslash before it, it is "
             "just the character");
      case '^':
      case '$':
        fail(at,
             "a pattern is of the whole word: leave '^' and '$' out; with a backslash before "
             "it, it is just the character");
      default:
        break;
    }
    if (is_one_of(c, U"~&@#<>\"{}]")) {
      fail(at,
           "this mark is not known in a regular expression; with a backslash before it, it is "
           "just the character");
    }
    return text_node(folded(character(c, at)));
  }

  Regex parse_group(std::size_t open) {
    if (++depth_ > TermPattern::kMaxNesting) {
      fail(open,
           "groups are nested more than " + std::to_string(TermPattern::kMaxNesting) + " deep");
    }
    Regex group = parse_choice();
    if (!take(')')) fail(open, "'(' is never closed");
    --depth_;
    return group;
  }

  /// A character that was taken, or the one behind a backslash, with the accents that follow.
  std::string character(char32_t c, std::size_t at) {
    std::string text;
    append_utf8(c == '\\' ? escaped(at) : c, text);
    while (!at_end() && is_accent(peek())) append_utf8(points_[next_++], text);
    return text;
  }

  char32_t escaped(std::size_t at) {
    if (at_end()) fail(at, "nothing stands behind the backslash");
    const char32_t c = points_[next_++];
    if (is_letter_or_digit(c)) {
      fail(at,
           "a backslash takes a mark as it is; letters and digits behind it mean nothing: "
           "write [0-9], [a-z]");
    }
    return c;
  }

  std::string folded(const std::string& text) const { return fold_ ? fold_(text) : text; }

  Regex parse_class(std::size_t open) {
    const bool negated = take('^');
    CodePointSet set;
    bool any = false;
    while (!at_end() && !is_at(']')) {
      any = true;
      const char32_t first = class_member();
      char32_t last = first;
      const bool range = is_at('-') && next_ + 1 < points_.size() && points_[next_ + 1] != ']';
      if (range) {
        ++next_;
        last = class_member();
        if (last < first) fail(open, "a range of the class is the wrong way round");
      }
      add_folded(first, last, set);
    }
    if (!take(']')) fail(open, "'[' is never closed");
    if (!any) fail(open, "the class has no character");
    if (negated) set = set.complement();
    if (set.ranges().empty()) fail(open, "the class has no character");
    return {.kind = Regex::Kind::kSet, .text = {}, .set = std::move(set), .parts = {}};
  }

  char32_t class_member() {
    const std::size_t at = next_;
    const char32_t c = points_[next_++];
    if (c == '[') {
      fail(at, "'[' within a class; with a backslash before it, it is just the character");
    }
    return c == '\\' ? escaped(at) : c;
  }

  void add_folded(char32_t first, char32_t last, CodePointSet& set) const {
    if (!fold_ || last - first >= kMostFolded) return set.add(first, last);
    for (char32_t c = first; c <= last; ++c) {
      std::string text;
      append_utf8(c, text);
      const std::u32string made = code_points(folded(text));
      const char32_t member = made.size() == 1 ? made.front() : c;
      set.add(member, member);
    }
  }

  std::string_view text_;
  std::u32string points_;
  const FoldText& fold_;
  std::size_t next_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

Regex parse_regex(std::string_view pattern, const FoldText& fold) {
  return RegexParser(pattern, fold).parse();
}

}  // namespace gannet::query
