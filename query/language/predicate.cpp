#include "query/language/predicate.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "query/filter/check_filter.hpp"
#include "query/language/unsupported.hpp"

namespace gannet::query {
namespace {

bool is_name_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

/// A value as it stands in the text.
struct Literal {
  std::string text;
  std::size_t position;
  bool star = false;  ///< a `*` stands behind it, or it is nothing else
  bool quoted = false;
};

/// White space ends a value, too.
constexpr std::string_view kValueEnds = "()";

class PredicateReader {
 public:
  PredicateReader(const SourceText& source, std::size_t at, const index::FieldSpec& field)
      : source_(source), text_(source.text), at_(at), field_(field) {}

  PredicateText read() {
    Filter filter = read_right_side();
    if (at_ < text_.size() && text_[at_] == '^') {
      source_.fail(at_, kNoPredicateWeight);
    }
    if (!ends_word()) {
      source_.fail(at_, "white space or a parenthesis must stand behind the value of '" +
                            field_.name + ":'");
    }
    return {std::move(filter), at_};
  }

 private:
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool at_end() const { return at_ == text_.size(); }
  bool at_space() const { return space_at(text_, at_) > 0; }
  bool ends_word() const { return at_end() || at_space() || here() == '(' || here() == ')'; }
  void skip_space() { at_ = query::skip_space(text_, at_); }
  /// Whether an operator in letters, of two of them, stands here.
  bool at_operator(std::string_view op) const {
    return text_.substr(at_, 2) == op && (at_ + 2 == text_.size() || space_at(text_, at_ + 2) > 0);
  }
  bool take(char c) {
    if (at_end() || here() != c) return false;
    ++at_;
    return true;
  }

  Filter read_right_side() {
    switch (here()) {
      case '(':
        return read_list();
      case '>':
      case '<':
        return read_comparison();
      default:
        return read_operand(false);
    }
  }

  /// A range or a value.
  Filter read_operand(bool in_list) {
    if (here() == '[' || here() == '{') return read_range();
    const Literal literal = read_literal(kValueEnds, in_list);
    refuse_set(literal);
    if (!literal.star) return Filter::equal(field_.name, checked(literal));
    if (literal.text.empty() && !literal.quoted) return Filter::exists(field_.name);
    if (const auto problem = prefix_problem(field_)) {
      source_.fail(literal.position, *problem);
    }
    return Filter::prefix(field_.name, literal.text);
  }

  Filter read_list() {
    const std::size_t open = at_++;
    Filter any = Filter::none();
    std::vector<std::string> values;
    StopCheck check_stop;
    while (true) {
      check_stop();
      skip_space();
      if (at_end()) source_.fail(open, "'(' is never closed");
      if (here() == ')') source_.fail(at_, "a value is missing before ')'");
      const bool compares = here() == '<' || here() == '>';
      const Filter part = compares ? read_comparison() : read_operand(true);
      if (part.kind() == Filter::Kind::kAnyOf) {
        values.push_back(part.values().front());
      } else {
        any = std::move(any) || part;
      }
      skip_space();
      if (take(')')) break;
      if (at_end()) source_.fail(open, "'(' is never closed");
      read_or();
    }
    Filter set = Filter::any_of(field_.name, std::move(values));
    return std::move(set) || std::move(any);
  }

  void read_or() {
    const std::string_view behind = text_.substr(at_, 3);
    if (!at_operator("OR") && behind != "OR(" && behind != "OR)") {
      source_.fail(at_, "between the values of '" + field_.name +
                            ":(...)' stands OR; for AND and NOT repeat the field, as in " +
                            field_.name + ":a AND " + field_.name + ":b");
    }
    at_ += 2;
  }

  Filter read_comparison() {
    const bool above = here() == '>';
    ++at_;
    const bool inclusive = take('=');
    const Literal literal = read_literal(kValueEnds);
    if (literal.star) source_.fail(literal.position, "a comparison needs a value, not '*'");
    FilterBound bound{checked(literal), inclusive};
    return above ? Filter::between(field_.name, std::move(bound), {})
                 : Filter::between(field_.name, {}, std::move(bound));
  }

  Filter read_range() {
    const std::size_t open = at_;
    const bool from = here() == '[';
    ++at_;
    FilterBound least{read_end(open), from};
    skip_space();
    const std::string_view rest = text_.substr(at_);
    if (!at_operator("TO") || rest == "TO") {
      if (at_end() || rest == "TO") fail_open(open);
      source_.fail(at_, "a range is written [10 TO 20]; TO is missing here");
    }
    at_ += 2;
    FilterBound greatest{read_end(open), true};
    skip_space();
    if (at_end()) fail_open(open);
    if (here() != ']' && here() != '}') source_.fail(at_, "a range ends with ']' or '}'");
    greatest.inclusive = here() == ']';
    ++at_;
    return Filter::between(field_.name, std::move(least), std::move(greatest));
  }

  [[noreturn]] void fail_open(std::size_t open) const {
    source_.fail(open, std::string("'") + text_[open] + "' is never closed");
  }

  std::optional<std::string> read_end(std::size_t open) {
    skip_space();
    if (at_end()) fail_open(open);
    const Literal literal = read_literal("[]{}()");
    if (!literal.star) return checked(literal);
    if (!literal.text.empty() || literal.quoted) {
      source_.fail(literal.position, "an end of a range is a value, or '*' alone");
    }
    return std::nullopt;
  }

  /// `tag:IN [a b]`
  void refuse_set(const Literal& literal) const {
    if (literal.quoted || literal.text != "IN") return;
    if (text_.substr(query::skip_space(text_, at_), 1) != "[") return;
    source_.fail(literal.position, "a set is written " + field_.name + ":(a OR b)");
  }

  /// What other languages read as more than a string; characters behind backslashes are letters.
  void refuse_marks(const Literal& literal, bool in_list) const {
    if (!field_.is_keyword()) return;
    std::string value(text_.substr(literal.position, at_ - literal.position));
    for (std::size_t i = value.find('\\'); i < value.size(); i = value.find('\\', i + 2)) {
      value.replace(i, 2, "xx");
    }
    if (literal.star) value.pop_back();
    if (const auto found = find_unsupported_value(value, in_list)) {
      source_.fail(literal.position + found->position, found->message);
    }
  }

  /// A value in quotation marks, or all up to white space or one of `ends`. A backslash takes the
  /// next character as it is.
  Literal read_literal(std::string_view ends, bool in_list = false) {
    Literal literal{{}, at_};
    if (here() == '"') {
      read_quoted(literal);
      literal.star = take('*');
      return literal;
    }
    const auto in_value = [&] {
      return !at_end() && !at_space() && ends.find(here()) == std::string_view::npos;
    };
    while (in_value() && here() != '*' && here() != '^') {
      if (here() == '"') source_.fail(at_, "'\"' inside a value; put the whole value in them");
      read_character(literal);
    }
    const bool stars = in_value() && here() == '*';
    if (stars) ++at_;
    literal.star = stars;
    if (stars && in_value() && here() != '^') {
      source_.fail(at_ - 1,
                   "'*' stands only at the end of a value; to mean the character, put the "
                   "value in quotation marks");
    }
    if (literal.text.empty() && !stars) {
      source_.fail(at_, "a value is missing behind '" + field_.name +
                            ":'; it stands there without white space");
    }
    refuse_marks(literal, in_list);
    return literal;
  }

  void read_quoted(Literal& literal) {
    const std::size_t open = at_++;
    literal.quoted = true;
    while (!at_end() && here() != '"') read_character(literal);
    if (at_end()) source_.fail(open, "the quotation mark is never closed");
    ++at_;
  }

  void read_character(Literal& literal) {
    if (here() == '\\') {
      if (at_ + 1 == text_.size()) source_.fail(at_, "nothing stands behind the backslash");
      ++at_;
    }
    literal.text += text_[at_++];
  }

  std::string checked(const Literal& literal) const {
    if (const auto problem = value_problem(field_, literal.text)) {
      source_.fail(literal.position, *problem);
    }
    return literal.text;
  }

  const SourceText& source_;
  std::string_view text_;
  std::size_t at_;
  const index::FieldSpec& field_;
};

/// `title:*`: the text has a word. What else stands behind its name is searched.
std::optional<PredicateText> read_text_exists(const SourceText& source, std::size_t begin,
                                              const index::FieldSpec& field) {
  const std::size_t star = begin + field.name.size() + 1;
  if (source.text.substr(star, 1) != "*") return std::nullopt;
  const std::size_t end = star + 1;
  const std::string_view behind = source.text.substr(end, 1);
  const bool ends =
      behind.empty() || space_at(source.text, end) > 0 || behind == ")" || behind == "(";
  if (!ends) return std::nullopt;
  return PredicateText{Filter::exists(field.name), end};
}

}  // namespace

std::string_view field_name_at(const SourceText& source, std::size_t begin) {
  const std::string_view rest = source.text.substr(begin);
  const auto end = std::ranges::find_if_not(rest, is_name_part);
  if (end == rest.begin() || end == rest.end() || *end != ':') return {};
  return rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
}

std::optional<PredicateText> read_predicate(const SourceText& source, std::size_t begin,
                                            const index::Schema& schema) {
  if (schema.empty()) return std::nullopt;
  const std::string_view name = field_name_at(source, begin);
  const int number = name.empty() ? -1 : schema.find(name);
  if (number < 0) return std::nullopt;
  const index::FieldSpec& field = schema.fields()[static_cast<std::size_t>(number)];
  if (field.is_text()) return read_text_exists(source, begin, field);
  return PredicateReader(source, begin + name.size() + 1, field).read();
}

}  // namespace gannet::query
