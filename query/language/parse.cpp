#include "query/language/parse.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "codecs/error.hpp"
#include "query/language/unsupported.hpp"
#include "query/language/weight.hpp"

namespace gannet::query {
namespace {

struct Token {
  enum class Kind { kWord, kAnd, kOr, kNot, kPlus, kMinus, kOpen, kClose, kEnd };
  Kind kind;
  std::string_view text;
  std::size_t position;  ///< in bytes
  float weight = 1;      ///< kWord and kClose: what stands behind them
};

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

[[noreturn]] void fail(std::string_view text, std::size_t position, const std::string& what) {
  const auto starts_character = [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  };
  const auto before = text.substr(0, position);
  const auto column = 1 + std::count_if(before.begin(), before.end(), starts_character);
  throw UsageError("query, column " + std::to_string(column) + ": " + what);
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { advance(); }

  const Token& token() const { return token_; }
  std::string_view text() const { return text_; }

  /// Takes the current token and reads the next one.
  Token take() {
    Token taken = token_;
    advance();
    return taken;
  }

 private:
  bool ends_word(std::size_t i) const {
    return i >= text_.size() || is_space(text_[i]) || text_[i] == '(' || text_[i] == ')';
  }

  void advance() {
    const bool after_sign = token_.kind == Token::Kind::kPlus || token_.kind == Token::Kind::kMinus;
    while (next_ < text_.size() && is_space(text_[next_])) ++next_;
    if (next_ == text_.size()) {
      token_ = {Token::Kind::kEnd, {}, next_};
    } else if (text_[next_] == '(' || text_[next_] == ')') {
      read_parenthesis();
    } else if (!after_sign && starts_sign()) {
      emit(text_[next_] == '+' ? Token::Kind::kPlus : Token::Kind::kMinus, 1);
    } else {
      read_word(after_sign);
    }
  }

  /// A sign stands in front of what it signs; `+` or `-` alone is a word (that analysis will drop).
  bool starts_sign() const {
    const bool sign = text_[next_] == '+' || text_[next_] == '-';
    const bool alone =
        ends_word(next_ + 1) && !(next_ + 1 < text_.size() && text_[next_ + 1] == '(');
    return sign && !alone;
  }

  void read_parenthesis() {
    if (text_[next_] == '(') return emit(Token::Kind::kOpen, 1);
    const std::size_t begin = next_ + 1;
    const bool suffix = begin < text_.size() && text_[begin] == '^';
    const auto weight = suffix ? read_weight(begin, word_at(begin)) : std::nullopt;
    const bool whole = weight && weight->position == 0;
    emit(Token::Kind::kClose, 1);
    if (!whole) return;
    token_.weight = weight->weight;
    next_ = begin + word_at(begin).size();
  }

  std::string_view word_at(std::size_t begin) const {
    std::size_t end = begin;
    while (!ends_word(end)) ++end;
    return text_.substr(begin, end - begin);
  }

  /// The weight at the end of `word`, which begins at `begin`.
  std::optional<WeightSuffix> read_weight(std::size_t begin, std::string_view word) const {
    auto found = find_weight(word);
    if (found && !found->problem.empty()) fail(text_, begin + found->position, found->problem);
    return found;
  }

  void read_word(bool after_sign) {
    const std::string_view whole = word_at(next_);
    const std::size_t end = next_ + whole.size();
    const auto suffix = read_weight(next_, whole);
    const bool weighted = suffix && suffix->position > 0;
    const std::string_view word = weighted ? whole.substr(0, suffix->position) : whole;
    auto kind = Token::Kind::kWord;
    if (!after_sign && !weighted) {
      if (word == "AND") kind = Token::Kind::kAnd;
      if (word == "OR") kind = Token::Kind::kOr;
      if (word == "NOT") kind = Token::Kind::kNot;
    }
    refuse_unsupported(word, weighted || end == text_.size() ? '\0' : text_[end]);
    emit(kind, word.size());
    if (weighted) token_.weight = suffix->weight;
    next_ = end;
  }

  void refuse_unsupported(std::string_view word, char next) const {
    if (const auto found = find_unsupported(word, next)) {
      fail(text_, next_ + found->position, found->message);
    }
  }

  void emit(Token::Kind kind, std::size_t length) {
    token_ = {kind, text_.substr(next_, length), next_};
    next_ += length;
  }

  std::string_view text_;
  std::size_t next_ = 0;
  Token token_{Token::Kind::kEnd, {}, 0};
};

/// Recursive descent:
///   group  = { or }                      or  = and { "OR" and }
///   unary  = { "NOT" } operand           and = unary { "AND" unary }
///   operand = [ "+" | "-" ] ( word | "(" group ")" ) [ "^" number ]
class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text) {}

  Syntax parse() {
    Syntax group = parse_group();
    if (kind() == Token::Kind::kClose) {
      fail(lexer_.text(), lexer_.token().position, "')' without a '(' before it");
    }
    return group;
  }

 private:
  Token::Kind kind() const { return lexer_.token().kind; }

  Syntax parse_group() {
    Syntax group{Syntax::Kind::kGroup, Sign::kNone, {}, {}, 1};
    while (kind() != Token::Kind::kEnd && kind() != Token::Kind::kClose) {
      group.parts.push_back(parse_or());
    }
    return group;
  }

  Syntax parse_or() {
    return parse_chain(Token::Kind::kOr, Syntax::Kind::kOr, [this] { return parse_and(); });
  }

  Syntax parse_and() {
    return parse_chain(Token::Kind::kAnd, Syntax::Kind::kAnd, [this] { return parse_unary(); });
  }

  template <class ParsePart>
  Syntax parse_chain(Token::Kind op, Syntax::Kind made, ParsePart parse_part) {
    Syntax first = parse_part();
    if (kind() != op) return first;
    Syntax chain{made, Sign::kNone, {}, {}, 1};
    chain.parts.push_back(unsign(std::move(first)));
    while (kind() == op) {
      const Token token = lexer_.take();
      require_operand(token, "after");
      chain.parts.push_back(unsign(parse_part()));
    }
    return chain;
  }

  /// Operands of AND, OR and NOT have no sign of their own: -x there is NOT x, +x is x.
  static Syntax unsign(Syntax operand) {
    const Sign sign = std::exchange(operand.sign, Sign::kNone);
    return sign == Sign::kMustNot ? negate(std::move(operand)) : operand;
  }

  static Syntax negate(Syntax operand) {
    Syntax negation{Syntax::Kind::kNot, Sign::kNone, {}, {}, 1};
    negation.parts.push_back(std::move(operand));
    return negation;
  }

  Syntax parse_unary() {
    bool negated = false;
    bool any = false;
    for (; kind() == Token::Kind::kNot; negated = !negated, any = true) {
      const Token token = lexer_.take();
      require_operand(token, "after");
    }
    Syntax operand = parse_operand();
    if (any) operand = unsign(std::move(operand));
    return negated ? negate(std::move(operand)) : operand;
  }

  Syntax parse_operand() {
    if (kind() == Token::Kind::kAnd || kind() == Token::Kind::kOr) {
      fail(lexer_.text(), lexer_.token().position,
           std::string(lexer_.token().text) + " needs an operand before it" + kQuoteHint);
    }
    Sign sign = Sign::kNone;
    if (kind() == Token::Kind::kPlus) sign = Sign::kMust;
    if (kind() == Token::Kind::kMinus) sign = Sign::kMustNot;
    if (sign != Sign::kNone) lexer_.take();
    Syntax operand = kind() == Token::Kind::kOpen ? parse_parentheses() : parse_word();
    operand.sign = sign;
    return operand;
  }

  Syntax parse_word() {
    const Token word = lexer_.take();
    return {Syntax::Kind::kWord, Sign::kNone, word.text, {}, word.weight};
  }

  Syntax parse_parentheses() {
    const Token open = lexer_.take();
    if (++depth_ > kMaxNesting) {
      fail(lexer_.text(), open.position,
           "parentheses are nested more than " + std::to_string(kMaxNesting) + " deep");
    }
    Syntax group = parse_group();
    if (kind() == Token::Kind::kEnd) fail(lexer_.text(), open.position, "'(' is never closed");
    if (group.parts.empty()) fail(lexer_.text(), open.position, "nothing between the parentheses");
    group.weight = lexer_.take().weight;
    --depth_;
    return group;
  }

  void require_operand(const Token& op, const char* where) const {
    const bool operand = kind() != Token::Kind::kEnd && kind() != Token::Kind::kClose &&
                         kind() != Token::Kind::kAnd && kind() != Token::Kind::kOr;
    if (!operand) {
      fail(lexer_.text(), op.position,
           std::string(op.text) + " needs an operand " + where + " it" + kQuoteHint);
    }
  }

  static constexpr const char* kQuoteHint = " (in small letters it is a word like any other)";

  Lexer lexer_;
  std::size_t depth_ = 0;
};

}  // namespace

Syntax parse(std::string_view text) { return Parser(text).parse(); }

}  // namespace gannet::query
