// Synonyms of the words of queries.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/index.hpp"

namespace gannet::query {

/// A line of a file of synonyms: each word of `from` stands for all words of `to`.
struct SynonymRule {
  std::size_t line = 0;  ///< from 1
  std::vector<std::string> from = {};
  std::vector<std::string> to = {};  ///< empty: `from`, whose words stand for one another
};

/// Reads synonyms in the format of Solr. `car, auto` says that each stands for both, `tv, telly =>
/// television` that the words before the arrow stand for those behind it, and not for themselves
/// unless they are named there. A backslash takes the character behind it as it is (`\,`, `\=`).
/// Lines that begin with `#` and blank lines are passed over. `path` is the name of the file, for
/// messages. O(size). Throws UsageError, with the line, for text that is not UTF-8, for two arrows
/// in a line, and for an arrow without words on either side.
std::vector<SynonymRule> parse_synonyms(std::string_view text, std::string_view path);

/// Synonyms as an index has the words: each was analysed by the index's analyzers. What is said of
/// a word in several lines adds up. Lines are not followed further: if `a` stands for `b` and `b`
/// for `c`, `a` does not stand for `c`.
///
/// A query word with synonyms becomes one term of a plan, a union (QueryTerm::any_of). Documents,
/// scores and counts are those of an index in which all these words are one word: the frequencies
/// of a document add up, and the document frequency counts documents with any of the words.
///
/// Immutable; any number of threads may use one.
class Synonyms {
 public:
  /// What could not be used.
  struct LeftOut {
    std::size_t line = 0;
    std::string entry = {};
  };
  static constexpr std::size_t kShown = 8;

  /// Analyses each entry once for the main text of `index`, and once more for text fields that have
  /// another analyzer. Keeps no reference to the index. O(size of the rules).
  Synonyms(const std::vector<SynonymRule>& rules, const index::Index& index);

  /// The terms that a term of a text stands for, ascending and distinct; none if nothing is said of
  /// it. `text` is index::kMainText, or the number of a text field. Takes time linear in the number
  /// of terms of all lines that have the term. Throws UsageError if they are more than
  /// MadeList::kMaxTerms.
  std::vector<std::string> of(std::uint32_t text, std::string_view term) const;

  /// Entries of which analysis by the main text's analyzer makes no term or several, such as "new
  /// york", which would need phrases. They are left out, and their lines have the others.
  std::size_t left_out_count() const { return left_out_count_; }
  /// The first kShown of them.
  const std::vector<LeftOut>& left_out() const { return left_out_; }

 private:
  struct Table;  ///< for one analyzer
  std::shared_ptr<const Table> table_of(const std::vector<SynonymRule>& rules,
                                        const index::Analyzer& analyzer, bool note);

  std::size_t left_out_count_ = 0;
  std::vector<LeftOut> left_out_;
  std::shared_ptr<const Table> main_;
  std::vector<std::shared_ptr<const Table>> fields_;  ///< by field; null where there is no text
};

}  // namespace gannet::query
