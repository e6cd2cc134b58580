// The words, signs, operators, parentheses and predicates of a query or a filter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "codecs/base/cancellation.hpp"
#include "query/language/source_text.hpp"
#include "query/language/word_shapes.hpp"
#include "query/language/written_window.hpp"
#include "query/plan/filter.hpp"
#include "query/plan/making/weight.hpp"

namespace gannet::query {

struct Token {
  enum class Kind : std::uint8_t {
    kWord,
    kPredicate,
    kText,      ///< `title:`, in front of what is searched there
    kSynonym,   ///< SYNONYM, right before a parenthesis
    kWildcard,  ///< `aero*`, `w?ng`
    kRegex,     ///< `/aero.*ic/`, with the slashes
    kFuzzy,     ///< `wing~`, `wing~1`
    kPhrase,    ///< `"wing tip"`, `“wing tip”~2`; the text is what stands between the marks
    kWindow,    ///< `#od2`, `#uw8`, `#2`, right before a parenthesis
    kNear,      ///< `NEAR/3`, `ONEAR/3`
    kAnd,
    kOr,
    kNot,
    kPlus,
    kMinus,
    kOpen,
    kClose,
    kEnd
  };
  Kind kind;
  std::string_view text;
  std::size_t position;        ///< in bytes
  float weight = 1;            ///< of words, patterns and kClose: what stands behind them
  Filter filter = {};          ///< of a predicate
  std::uint32_t searched = 0;  ///< of kText: the text's number
  WrittenWindow window = {};   ///< of kPhrase, kWindow and kNear
};

/// Reads a text token by token. Throws UsageError with the column for what the language does not
/// know, weights out of range, and predicates out of form; CancelledError when the StopScope's
/// token asks for it.
class Lexer {
 public:
  /// Without `words` there are only predicates, and their operators. The schema must outlive it.
  Lexer(const SourceText& source, const index::Schema& schema, bool words)
      : source_(source), text_(source.text), schema_(schema), words_(words) {
    advance();
  }

  const Token& token() const { return token_; }
  const SourceText& source() const { return source_; }

  /// Takes the current token and reads the next one.
  Token take();

 private:
  void advance();
  bool ends_word(std::size_t i) const;
  bool starts_sign() const;
  void read_parenthesis();
  std::string_view word_at(std::size_t begin) const;
  std::optional<WeightSuffix> read_weight(std::size_t begin, std::string_view word) const;
  bool read_predicate();
  bool read_text();
  void check_text(std::string_view name, std::size_t behind) const;
  void read_word(bool after_sign);
  void read_regex();
  void read_phrase();
  void read_quotation(const Quotation& found);
  bool read_window(const WordPlace& place);
  Token::Kind kind_of_pattern(const WordPlace& place) const;
  void refuse_operator(std::string_view word) const;
  void refuse_word(const WordPlace& place) const;
  void refuse_unsupported(const WordPlace& place) const;
  void emit(Token::Kind kind, std::size_t length);

  SourceText source_;
  std::string_view text_;
  const index::Schema& schema_;
  bool words_;
  StopCheck check_stop_;
  std::size_t next_ = 0;
  Token token_{Token::Kind::kEnd, {}, 0};
};

}  // namespace gannet::query
