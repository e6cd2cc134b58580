#include "query/language/lexer.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "query/filter/check_filter.hpp"
#include "query/inexact/term_pattern.hpp"
#include "query/language/predicate.hpp"
#include "query/language/unsupported.hpp"
#include "query/texts/searched_texts.hpp"

namespace gannet::query {

Token Lexer::take() {
  Token taken = token_;
  advance();
  return taken;
}

void Lexer::advance() {
  check_stop_();
  const bool after_text = token_.kind == Token::Kind::kText;
  const bool after_sign =
      after_text || token_.kind == Token::Kind::kPlus || token_.kind == Token::Kind::kMinus;
  next_ = skip_space(text_, next_);
  if (next_ == text_.size()) {
    token_ = {Token::Kind::kEnd, {}, next_};
  } else if (text_[next_] == '(' || text_[next_] == ')') {
    read_parenthesis();
  } else if (!after_sign && starts_sign()) {
    emit(text_[next_] == '+' ? Token::Kind::kPlus : Token::Kind::kMinus, 1);
  } else if (after_text || (!read_predicate() && !read_text())) {
    read_word(after_sign);
  }
}

bool Lexer::ends_word(std::size_t i) const {
  return i >= text_.size() || space_at(text_, i) > 0 || text_[i] == '(' || text_[i] == ')';
}

/// A sign stands in front of what it signs; `+` or `-` alone is a word (that analysis will drop).
bool Lexer::starts_sign() const {
  const bool sign = text_[next_] == '+' || text_[next_] == '-';
  const bool alone = ends_word(next_ + 1) && !(next_ + 1 < text_.size() && text_[next_ + 1] == '(');
  return sign && !alone;
}

void Lexer::read_parenthesis() {
  if (text_[next_] == '(') return emit(Token::Kind::kOpen, 1);
  const std::size_t begin = next_ + 1;
  const bool suffix = begin < text_.size() && text_[begin] == '^';
  if (suffix && !words_)
    source_.fail(begin, "filters add nothing to a score: they have no weights");
  const auto weight = suffix ? read_weight(begin, word_at(begin)) : std::nullopt;
  const bool whole = weight && weight->position == 0;
  emit(Token::Kind::kClose, 1);
  if (!whole) return;
  token_.weight = weight->weight;
  next_ = begin + word_at(begin).size();
}

std::string_view Lexer::word_at(std::size_t begin) const {
  std::size_t end = begin;
  while (!ends_word(end)) ++end;
  return text_.substr(begin, end - begin);
}

/// The weight at the end of `word`, which begins at `begin`.
std::optional<WeightSuffix> Lexer::read_weight(std::size_t begin, std::string_view word) const {
  auto found = find_weight(word);
  if (found && !found->problem.empty()) source_.fail(begin + found->position, found->problem);
  return found;
}

bool Lexer::read_predicate() {
  constexpr std::string_view kEverything = "*:*";
  const std::size_t behind = next_ + kEverything.size();
  const bool weighted = behind < text_.size() && text_[behind] == '^';
  if (text_.substr(next_).starts_with(kEverything) && (weighted || ends_word(behind))) {
    if (weighted) source_.fail(behind, kNoPredicateWeight);
    emit(Token::Kind::kPredicate, kEverything.size());
    return true;
  }
  auto found = query::read_predicate(source_, next_, schema_);
  if (!found) return false;
  emit(Token::Kind::kPredicate, found->end - next_);
  token_.filter = std::move(found->filter);
  return true;
}

/// `title:`, if that is a text.
bool Lexer::read_text() {
  const std::string_view name = field_name_at(source_, next_);
  const auto text = name.empty() ? std::nullopt : find_text(schema_, name);
  if (!text) return false;
  check_text(name, next_ + name.size() + 1);
  emit(Token::Kind::kText, name.size() + 1);
  token_.searched = *text;
  return true;
}

/// What may stand at `behind`, behind `title:`.
void Lexer::check_text(std::string_view name, std::size_t behind) const {
  const std::string text(name);
  if (text_.substr(behind, 1) == "*" && ends_word(behind + 1)) {
    source_.fail(next_, "'" + text +
                            ":*' is not known: no column says which documents have a word of the "
                            "main text; all documents are *:*");
  }
  if (!words_) {
    source_.fail(
        next_, "'" + text + "' is a text, which filters do not search; put the word in the query");
  }
  const auto ends = [&](std::size_t at) { return ends_word(at) && text_.substr(at, 1) != "("; };
  if (ends(behind)) {
    source_.fail(behind, "a word or '(' is missing behind '" + text +
                             ":'; it stands there without white space");
  }
  const char first = text_[behind];
  if (first == '[' || first == '{' || first == '<' || first == '>') {
    source_.fail(behind, "'" + text + "' is a text, which has words and no ranges");
  }
  if ((first == '+' || first == '-') && !ends(behind + 1)) {
    source_.fail(behind, std::string("the sign stands before the name: ") + first + text + ":word");
  }
}

void Lexer::read_word(bool after_sign) {
  if (words_ && is_regex_at(text_, next_)) return read_regex();
  if (words_ && text_[next_] == '"') return read_phrase();
  if (const auto found = words_ ? find_quotation(text_, next_) : std::nullopt) {
    return read_quotation(*found);
  }
  const std::string_view whole = word_at(next_);
  const std::size_t end = next_ + whole.size();
  const auto suffix = read_weight(next_, whole);
  const bool weighted = suffix && suffix->position > 0;
  const std::string_view word = weighted ? whole.substr(0, suffix->position) : whole;
  auto kind = Token::Kind::kWord;
  if (word == "AND") kind = Token::Kind::kAnd;
  if (word == "OR") kind = Token::Kind::kOr;
  if (word == "NOT") kind = Token::Kind::kNot;
  if (kind != Token::Kind::kWord && (after_sign || weighted)) refuse_operator(word);
  const WordPlace place{text_, next_, word, &schema_, after_sign, weighted};
  if (!words_ && kind == Token::Kind::kWord) refuse_word(place);
  if (read_window(place)) return;
  if (word == "SYNONYM" && text_.substr(end, 1) == "(") kind = Token::Kind::kSynonym;
  refuse_unsupported(place);
  if (kind == Token::Kind::kWord) kind = kind_of_pattern(place);
  emit(kind, word.size());
  if (weighted) token_.weight = suffix->weight;
  next_ = end;
}

/// A regular expression may have parentheses, but no white space. Here it is only checked.
void Lexer::read_regex() {
  const std::size_t size = regex_size_at(text_, next_);
  const std::string_view inside = text_.substr(next_ + 1, size - 2);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (space_at(inside, i) == 0) continue;
    source_.fail(next_ + 1 + i, "a regular expression is of one word, which has no white space");
  }
  try {
    TermPattern::regex(inside);
  } catch (const PatternError& error) {
    source_.fail(next_ + 1 + error.position, error.what());
  } catch (const PatternTooLarge& error) {
    source_.fail(next_, error.what());
  }
  const std::size_t behind = next_ + size;
  const std::string_view rest = word_at(behind);
  const auto weight = rest.empty() ? std::nullopt : read_weight(behind, rest);
  if (!rest.empty() && (!weight || weight->position != 0)) {
    source_.fail(behind,
                 "behind a regular expression stands white space or a weight, as in /a.b/^2");
  }
  emit(Token::Kind::kRegex, size);
  if (weight) token_.weight = weight->weight;
  next_ = behind + rest.size();
}

/// `#od2(`, `NEAR/3`.
bool Lexer::read_window(const WordPlace& place) {
  if (!words_) return false;
  const bool call = place.next() == '(';
  const bool plain = !place.after_sign && !place.weighted;
  auto kind = Token::Kind::kWindow;
  auto found = call ? find_window_call(place.word) : std::nullopt;
  if (!found && plain && !call) {
    kind = Token::Kind::kNear;
    found = find_near(place.word);
  }
  if (!found) return false;
  emit(kind, place.word.size());
  token_.window = *found;
  return true;
}

/// From one quotation mark to the next one.
void Lexer::read_phrase() {
  const std::size_t begin = next_;
  const std::size_t close = text_.find('"', begin + 1);
  if (close == std::string_view::npos) {
    source_.fail(begin,
                 "the phrase is never closed: a second quotation mark is missing; if the mark is "
                 "just text, leave it out");
  }
  if (skip_space(text_.substr(0, close), begin + 1) == close) {
    source_.fail(begin, "nothing between the quotation marks");
  }
  read_quotation({begin + 1, close, close + 1});
}

/// What stands between quotation marks, and right behind them.
void Lexer::read_quotation(const Quotation& found) {
  const std::size_t begin = next_;
  std::size_t behind = found.behind;
  std::string_view rest = word_at(behind);
  WrittenWindow window;
  if (rest.starts_with('~')) {
    const std::string_view digits = rest.substr(1, std::min(rest.find('^'), rest.size()) - 1);
    const auto distance = window_distance(digits);
    if (!distance) {
      source_.fail(behind + 1,
                   "behind a phrase and '~' stands how far its words may be moved: 0 to " +
                       std::to_string(kMaxWindowDistance));
    }
    window.distance = *distance;
    behind += 1 + digits.size();
    rest = word_at(behind);
  }
  const auto weight = rest.empty() ? std::nullopt : read_weight(behind, rest);
  if (!rest.empty() && (!weight || weight->position != 0)) {
    source_.fail(behind,
                 "behind a phrase stands white space, how far its words may be moved, or a weight, "
                 "as in \"a b\"~2^1.5; the beginning of its last word is written \"a b*\"");
  }
  next_ = found.begin;
  emit(Token::Kind::kPhrase, found.end - found.begin);
  token_.position = begin;
  token_.window = window;
  if (weight) token_.weight = weight->weight;
  next_ = behind + rest.size();
}

/// Whether a word stands for others that are like it.
Token::Kind Lexer::kind_of_pattern(const WordPlace& place) const {
  const std::size_t tilde = find_fuzzy(place);
  const std::size_t mark = std::min(find_wildcard(place), find_single_wildcard(place));
  if (tilde == kNowhere) return mark == kNowhere ? Token::Kind::kWord : Token::Kind::kWildcard;
  const std::string_view edits = place.word.substr(tilde + 1);
  if (!edits.empty() && edits != "0" && edits != "1" && edits != "2") {
    source_.fail(next_ + tilde + 1,
                 "behind '~' stands how many characters may differ: 0, 1 or 2; without a number it "
                 "is 0, 1 or 2 for words of 1 to 2, 3 to 5 and more characters");
  }
  const std::size_t wild = place.word.find_first_of("*?");
  if (wild != kNowhere) {
    source_.fail(next_ + wild, "a fuzzy word ('~') has no wildcards");
  }
  return Token::Kind::kFuzzy;
}

void Lexer::refuse_operator(std::string_view word) const {
  source_.fail(next_, "'" + std::string(word) +
                          "' is an operator, which has no sign, field or weight of its own (in "
                          "small letters it is a word like any other)");
}

/// A filter has no words.
void Lexer::refuse_word(const WordPlace& place) const {
  const std::string_view name = field_name_at(source_, next_);
  if (!name.empty() && find_exists_field(place) != 0 && find_two_signs(place) != 0) {
    source_.fail(next_, unknown_field(name, schema_));
  }
  if (const auto found = find_unsupported_in_filter(place)) {
    source_.fail(next_ + found->position, found->message);
  }
  source_.fail(next_, "'" + std::string(place.word) + "' is no predicate; write FIELD:VALUE; " +
                          fields_of(schema_));
}

void Lexer::refuse_unsupported(const WordPlace& place) const {
  const auto found = find_unsupported(place);
  if (found) source_.fail(next_ + found->position, found->message);
}

void Lexer::emit(Token::Kind kind, std::size_t length) {
  token_ = {kind, text_.substr(next_, length), next_};
  next_ += length;
}

}  // namespace gannet::query
