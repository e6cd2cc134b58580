// Snippets: the pieces of a document that show best why a query found it, with the places of the
// query's terms in them. Data only: render.hpp makes text and markup of it.
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

/// What snippets are to be like.
struct SnippetOptions {
  /// Pieces of one document at most: 1 .. kMaxFragments.
  std::uint32_t fragments = 2;
  /// Characters (code points) of a piece, about: kMinFragmentLength .. kMaxFragmentLength.
  std::uint32_t length = 160;
  /// Long texts take seconds.
  std::stop_token stop = {};
  /// Once it has passed, texts end with DeadlineError.
  Deadline deadline = kNoDeadline;
};

inline constexpr std::uint32_t kMaxFragments = 100;
inline constexpr std::uint32_t kMinFragmentLength = 10;
inline constexpr std::uint32_t kMaxFragmentLength = 100'000;

/// What is wrong with the options, for messages: "a snippet has 1 to ..."; nothing if they are in
/// range.
std::optional<std::string> snippet_problem(const SnippetOptions& options);

/// A place that became a term of the query.
struct Mark {
  /// Bytes [begin, end) of the text: a token as it stands there, or several that overlap
  /// (characters and pairs of Chinese, Japanese and Korean).
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  /// The number of the term in the plan; of several, the one that is worth most.
  std::uint32_t term = 0;

  bool operator==(const Mark&) const = default;
};

/// A piece of a text: bytes [begin, end), which are not empty.
struct Fragment {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  /// All there are, in order, none overlapping another.
  std::vector<Mark> marks = {};

  bool operator==(const Fragment&) const = default;
};

/// The best pieces of one text.
struct Snippet {
  /// In the order of the text, with something left out between them. None if the text is blank.
  std::vector<Fragment> fragments = {};
  /// Something other than blanks stands before the first, and behind the last.
  bool starts_late = false;
  bool ends_early = false;

  bool operator==(const Snippet&) const = default;
};

/// Makes the snippets of one plan's documents.
///
/// A fragment is the stretch of about the wanted length that has the most of the query's terms,
/// each counted once and by what it adds to a score (its weight in the query and its rarity, as the
/// plan's scorer has them); of several such, the one in which they occur most often; then the
/// first. Further fragments prefer terms that are not yet shown. Fragments begin and end at
/// sentences where these are near, else between words, and never within a character as users see it
/// (a grapheme cluster), unless that has dozens of code points. They are longer than wanted
/// where a single token is, and where fragments side by side are joined. A text without any of the
/// terms gives its beginning.
///
/// Terms are marked that add to the score or that a match may need; those that are excluded are
/// not. What is marked is exactly what the analyzer made a term of, however it is spelled.
///
/// Takes time in proportion to the text, and memory for `options` and some megabytes more whatever
/// the text is. The same text gives the same snippet. Not thread-safe: one object a thread.
class SnippetMaker {
 public:
  /// `analyzer`: the index's; it and the plan's terms are as they were for the search. It must
  /// outlive this object, the plan need not. Throws UsageError for a snippet_problem().
  SnippetMaker(const Plan& plan, const index::Analyzer& analyzer, SnippetOptions options = {});
  ~SnippetMaker();
  SnippetMaker(SnippetMaker&&) noexcept;
  SnippetMaker& operator=(SnippetMaker&&) noexcept;

  /// `text`: UTF-8; bytes that are not stay where they are and are no character of any word. Throws
  /// CancelledError after a stop request, DeadlineError once the deadline has passed, IoError if
  /// ICU's data cannot be loaded.
  Snippet make(std::string_view text);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The snippet of a single text: SnippetMaker(plan, analyzer, options).make(text).
Snippet make_snippet(std::string_view text, const Plan& plan, const index::Analyzer& analyzer,
                     const SnippetOptions& options = {});

}  // namespace gannet::query
