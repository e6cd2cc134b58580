// Snippets: the fragments of a document that best show why a query matches it, with marks at the
// query's terms. Snippets are byte ranges; render.hpp makes text and markup of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/deadline.hpp"
#include "query/plan/plan.hpp"

namespace gannet::index {
class Analyzer;
}

namespace gannet::query {

struct SnippetOptions {
  /// Largest number of fragments per document: 1 .. kMaxFragments.
  std::uint32_t fragments = 2;
  /// Approximate length of a fragment in code points: kMinFragmentLength .. kMaxFragmentLength.
  std::uint32_t length = 160;
  /// Stops make() with CancelledError; long texts take seconds.
  std::stop_token stop = {};
  /// Ends make() with DeadlineError once it has passed.
  Deadline deadline = kNoDeadline;
};

inline constexpr std::uint32_t kMaxFragments = 100;
inline constexpr std::uint32_t kMinFragmentLength = 10;
inline constexpr std::uint32_t kMaxFragmentLength = 100'000;

/// What is wrong with the options, as a message: "a snippet has 1 to ..."; nullopt if all are in
/// range.
std::optional<std::string> snippet_problem(const SnippetOptions& options);

/// An occurrence of a term of the query.
struct Mark {
  /// Bytes [begin, end) of the text: one token, or several tokens that overlap (characters and
  /// pairs of Chinese, Japanese and Korean).
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  /// The term's number in the plan. Of several overlapping tokens, the term that adds most to a
  /// score.
  std::uint32_t term = 0;

  bool operator==(const Mark&) const = default;
};

/// A part of a text: bytes [begin, end), not empty.
struct Fragment {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  /// All terms within the fragment, ascending and disjoint. A term that extends beyond the fragment
  /// is not marked.
  std::vector<Mark> marks = {};

  bool operator==(const Fragment&) const = default;
};

/// The best fragments of one text.
struct Snippet {
  /// In the order of the text, with text left out between them; empty if the text is blank.
  std::vector<Fragment> fragments = {};
  /// Whether text other than white space precedes the first fragment, and follows the last one.
  bool starts_late = false;
  bool ends_early = false;

  bool operator==(const Snippet&) const = default;
};

/// Makes the snippets of the documents of one plan.
///
/// A fragment is the part of the text, of about the requested length, that has the most of the
/// query's terms. Each term counts once, by what it adds to the score of a document of average
/// length (its weight in the query and its rarity, by the plan's scorer); of a phrase or window
/// each of its words where the phrase occurs, by an equal share. Of equal parts, the one with the
/// most occurrences wins, then the first. Further fragments prefer terms that are not shown yet. A
/// fragment begins and ends at a sentence boundary if one is near, else between words. A grapheme
/// cluster (a character as users see it) is not cut unless it has dozens of code points. A fragment
/// is longer than requested if a single token is, or if adjacent fragments are joined. For a text
/// without any of the terms, the snippet is the beginning of the text.
///
/// Terms of the main text are marked if they add to the score or if a match may need them; excluded
/// terms are not marked. Terms of an inexact word such as `aero*` are marked wherever they stand,
/// words of a phrase or window where any occurrence of it has them (window_shape.hpp). A mark
/// covers exactly what the analyzer turns into a marked term, however it is spelled.
///
/// Takes time linear in the text, times the number of fragments if more than 65,536 tokens match;
/// with phrases once more, times their words (the cube of these where equal words may be moved, as
/// in `"a a a"~8`), and sorts the places of words of several terms.
/// Besides the snippet, takes memory for SnippetOptions::length and some megabytes, whatever the
/// text is; with phrases also 4 bytes for each of the text's tokens that is a word of theirs, and
/// as many for each that an occurrence of a phrase has, by phrase. Deterministic. Not thread-safe:
/// one object per thread.
class SnippetMaker {
 public:
  /// `analyzer` is the index's, with the settings by which the plan's terms were made. The analyzer
  /// must outlive this object; the plan need not. Throws UsageError if there is a
  /// snippet_problem(), and IoError if ICU's data cannot be loaded.
  SnippetMaker(const Plan& plan, const index::Analyzer& analyzer, SnippetOptions options = {});
  ~SnippetMaker();
  SnippetMaker(SnippetMaker&&) noexcept;
  SnippetMaker& operator=(SnippetMaker&&) noexcept;

  /// The snippet of a UTF-8 text. Bytes that are not UTF-8 are kept and belong to no word. Throws
  /// CancelledError after a stop request, DeadlineError once the deadline has passed, and IoError
  /// if ICU fails.
  Snippet make(std::string_view text);
  /// The snippet of the stored main text of a document. Where that is made of several values, which
  /// the text alone does not tell, no phrase crosses them: places are those of the index. `index`
  /// must have been made by the analyzer. Throws also UsageError for a docid that the index does
  /// not have, FormatError for a damaged list.
  Snippet make(std::string_view text, const index::Index& index, index::Docid docid);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The snippet of a single text: SnippetMaker(plan, analyzer, options).make(text). Thread-safe.
Snippet make_snippet(std::string_view text, const Plan& plan, const index::Analyzer& analyzer,
                     const SnippetOptions& options = {});

}  // namespace gannet::query
