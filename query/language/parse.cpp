#include "query/language/parse.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "query/language/lexer.hpp"

namespace gannet::query {
namespace {

/// Recursive descent:
///   group  = { or }                      or  = and { "OR" and }
///   unary  = { "NOT" } near              and = unary { "AND" unary }
///   near   = operand { "NEAR/N" operand } of words alone
///   operand = [ "+" | "-" ] ( predicate | [ text ":" ] ( word | pattern | phrase [ "~N" ]
///             | [ "SYNONYM" | "#odN" | "#uwN" | "#N" ] "(" group ")" ) [ "^" number ] ); behind
///             SYNONYM and windows there are words alone
class Parser {
 public:
  Parser(const SourceText& source, const index::Schema& schema, bool words)
      : lexer_(source, schema, words) {}

  Syntax parse() {
    Syntax group = parse_group();
    if (kind() == Token::Kind::kClose) {
      fail(lexer_.token().position, "')' without a '(' before it");
    }
    return group;
  }

 private:
  [[noreturn]] void fail(std::size_t position, const std::string& what) const {
    lexer_.source().fail(position, what);
  }

  Token::Kind kind() const { return lexer_.token().kind; }

  Syntax parse_group() {
    Syntax group{Syntax::Kind::kGroup, Sign::kNone, {}, {}, 1, {}, {}, {}};
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
    Syntax chain{made, Sign::kNone, {}, {}, 1, {}, {}, {}};
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
    Syntax negation{Syntax::Kind::kNot, Sign::kNone, {}, {}, 1, {}, {}, {}};
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
    Syntax operand = parse_near();
    if (any && std::exchange(operand.sign, Sign::kNone) == Sign::kMustNot) negated = !negated;
    return negated ? negate(std::move(operand)) : operand;
  }

  /// Words with NEAR/3 between them are one window.
  Syntax parse_near() {
    Syntax first = parse_operand();
    if (kind() != Token::Kind::kNear) return first;
    const Token near = lexer_.token();
    Syntax window{Syntax::Kind::kWindow, Sign::kNone, near.text, {}, 1, {}, {}, near.window};
    window.parts.push_back(std::move(first));
    bool plain = true;
    while (kind() == Token::Kind::kNear) {
      const Token token = lexer_.take();
      if (token.window != near.window) {
        fail(token.position,
             "words near each other have one distance between them all: " + std::string(near.text) +
                 " and " + std::string(token.text) + " stand side by side");
      }
      require_operand(token, "after");
      plain = plain && kind() != Token::Kind::kNot;  // which as an operand would be a word
      window.parts.push_back(parse_operand());
    }
    if (!plain || !std::ranges::all_of(window.parts, is_plain)) {
      fail(near.position, std::string(near.text) +
                              " stands between words alone; signs, fields and weights stand around "
                              "parentheses, as in +title:(a NEAR/3 b)^2");
    }
    return window;
  }

  static bool is_plain(const Syntax& part) {
    return part.kind == Syntax::Kind::kWord && part.sign == Sign::kNone && part.weight == 1 &&
           !part.text;
  }

  Syntax parse_operand() {
    if (kind() == Token::Kind::kAnd || kind() == Token::Kind::kOr || kind() == Token::Kind::kNear) {
      fail(lexer_.token().position,
           std::string(lexer_.token().text) + " needs an operand before it" + kQuoteHint);
    }
    Sign sign = Sign::kNone;
    if (kind() == Token::Kind::kPlus) sign = Sign::kMust;
    if (kind() == Token::Kind::kMinus) sign = Sign::kMustNot;
    if (sign != Sign::kNone) lexer_.take();
    std::optional<std::uint32_t> text;
    if (kind() == Token::Kind::kText) text = lexer_.take().searched;
    Syntax operand = kind() == Token::Kind::kOpen      ? parse_parentheses()
                     : kind() == Token::Kind::kSynonym ? parse_synonym()
                     : kind() == Token::Kind::kWindow  ? parse_window()
                                                       : parse_word();
    operand.sign = sign;
    operand.text = text;
    return operand;
  }

  Syntax parse_word() {
    const Token word = lexer_.take();
    Syntax::Kind made = Syntax::Kind::kWord;
    if (word.kind == Token::Kind::kPredicate) made = Syntax::Kind::kPredicate;
    if (word.kind == Token::Kind::kWildcard) made = Syntax::Kind::kWildcard;
    if (word.kind == Token::Kind::kRegex) made = Syntax::Kind::kRegex;
    if (word.kind == Token::Kind::kFuzzy) made = Syntax::Kind::kFuzzy;
    if (word.kind == Token::Kind::kPhrase) made = Syntax::Kind::kPhrase;
    return {made, Sign::kNone, word.text, {}, word.weight, word.filter, {}, word.window};
  }

  Syntax parse_synonym() {
    const Token synonym = lexer_.take();
    Syntax group = parse_parentheses();
    if (!std::ranges::all_of(group.parts, is_plain)) {
      fail(synonym.position,
           "SYNONYM(...) has words alone, which count as one; signs, operators, weights and fields "
           "stand before or behind it");
    }
    group.kind = Syntax::Kind::kSynonym;
    return group;
  }

  Syntax parse_window() {
    const Token window = lexer_.take();
    Syntax group = parse_parentheses();
    if (!std::ranges::all_of(group.parts, is_plain)) {
      fail(window.position, std::string(window.text) +
                                "(...) has words alone; signs, operators, weights and fields stand "
                                "before or behind it");
    }
    group.kind = Syntax::Kind::kWindow;
    group.word = window.text;
    group.window = window.window;
    return group;
  }

  Syntax parse_parentheses() {
    const Token open = lexer_.take();
    if (++depth_ > kMaxNesting) {
      fail(open.position,
           "parentheses are nested more than " + std::to_string(kMaxNesting) + " deep");
    }
    Syntax group = parse_group();
    if (kind() == Token::Kind::kEnd) fail(open.position, "'(' is never closed");
    if (group.parts.empty()) fail(open.position, "nothing between the parentheses");
    group.weight = lexer_.take().weight;
    --depth_;
    return group;
  }

  void require_operand(const Token& op, const char* where) const {
    const bool operand = kind() != Token::Kind::kEnd && kind() != Token::Kind::kClose &&
                         kind() != Token::Kind::kAnd && kind() != Token::Kind::kOr &&
                         kind() != Token::Kind::kNear;
    if (!operand) {
      fail(op.position, std::string(op.text) + " needs an operand " + where + " it" + kQuoteHint);
    }
  }

  static constexpr const char* kQuoteHint = " (in small letters it is a word like any other)";

  Lexer lexer_;
  std::size_t depth_ = 0;
};

}  // namespace

Syntax parse(std::string_view text, const index::Schema& schema) {
  return Parser({text}, schema, true).parse();
}

Syntax parse_predicates(std::string_view text, const index::Schema& schema) {
  return Parser({text, "filter"}, schema, false).parse();
}

}  // namespace gannet::query
