// From a phrase or window of a query to the terms that it has in a text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/index.hpp"
#include "index/text/analyzer.hpp"
#include "query/language/expand_word.hpp"
#include "query/language/parse.hpp"
#include "query/plan/phrase.hpp"
#include "query/plan/query.hpp"

namespace gannet::query {

/// What ends a phrase as a wildcard of its own, where it is the beginning of words, as `pow*` in
/// `"solar pow*"`, and `ra*` in `"x-ra*"`. Nothing for a phrase that ends otherwise, and where the
/// analyzer has pairs of characters as words: whatever follows `"大 東京*"` in a text, 東京 is a
/// word there.
std::optional<Syntax> prefix_of_phrase(const Syntax& phrase, const index::Analyzer& analyzer);

/// Reads the phrases of one query. Words are analysed as those of documents were; each raw token
/// takes a place, those that are dropped, too. In phrases without `~N` words are left out that
/// stand wherever others do: the characters of pairs. Everything that is passed must outlive it.
class WindowReader {
 public:
  WindowReader(const index::Index& index, const index::Analyzer& analyzer, const Query& query,
               const WordExpander& expander)
      : index_(index), analyzer_(analyzer), query_(query), expander_(expander) {}

  /// What `syntax`, a phrase or window, is in a text (index::kMainText, or the number of a text
  /// field): without statistics. Of no word if the analyzer drops all; of one word it is no phrase
  /// any more. Throws QueryError if the index has no positions, for more words than
  /// kMaxPhraseWords, or kMaxWindowWords of other windows, for more terms than a list is made of,
  /// and for wildcards but that behind the last word of a phrase, which stands for all terms that
  /// begin so; what WordExpander::expand() throws for these.
  Phrase read(const Syntax& syntax, std::uint32_t text) const;

  /// Two neighbours among words, as a phrase.
  struct Pair {
    const char* begin;  ///< of the first word where it is written
    const char* end;    ///< of the second
    Phrase phrase;
  };
  /// Each two neighbours among words without operators, as the phrases of two words that `window`
  /// makes of them, in their order. Words that the analyzer drops are no neighbours, but keep their
  /// places in a phrase; nor are characters that pairs of them imply (decision 0086). Throws
  /// QueryError if there are any and the index has no positions.
  std::vector<Pair> pairs(std::string_view words, std::uint32_t text,
                          const WrittenWindow& window) const;

 private:
  struct Words {
    std::vector<PhraseWord> words = {};
    std::vector<std::uint32_t> places = {};
    /// Whether a word is at its place wherever the word before or behind it is at its own.
    std::vector<bool> implied = {};
    /// The bytes that each was made of; none of what stands for several words.
    std::vector<std::string_view> from = {};
    std::uint32_t next_place = 0;

    void add(PhraseWord&& word, std::uint32_t place, bool is_implied, std::string_view bytes = {});
    void drop_implied();
  };
  void check_positions(std::string_view at, std::string_view needs,
                       std::string_view otherwise) const;
  void check_terms(const Syntax& syntax, const Words& words) const;
  const index::Analyzer& analyzer_of(std::uint32_t text) const;
  void append(std::string_view written, std::uint32_t text, Words& words) const;
  void append_phrase(const Syntax& syntax, std::uint32_t text, Words& words) const;
  [[noreturn]] void fail(std::string_view at, const std::string& what) const;

  const index::Index& index_;
  const index::Analyzer& analyzer_;
  const Query& query_;
  const WordExpander& expander_;
};

}  // namespace gannet::query
