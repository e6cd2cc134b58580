// The list of a union of terms, or of a phrase: what a segment would hold had it been one term.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/index.hpp"
#include "index/lists/encode_list.hpp"
#include "query/postings/list_recipe.hpp"

namespace gannet::query {

/// The documents of a segment that have any of several terms, or a window of several words, each
/// with a frequency; encoded by the segment's codecs, with skips and bounds of tiles, as the
/// segment itself would have it. Immutable; any number of threads may use one. Needs no segment to
/// stay alive.
class MadeList {
 public:
  /// Terms of one union: their streams take a KiB each while they are merged. Of all words of a
  /// window together, which take 2.5 KiB each and room for their places.
  static constexpr std::size_t kMaxTerms = std::size_t{1} << 16;

  /// `recipe`: of terms of the segment; one or more of a union, one or more of each word of a
  /// window. `text`: theirs (index::kMainText, or the number of a field). Reads their lists: of a
  /// union in O(postings), or O(postings * log(postings)) where these are few; of a window in
  /// O(postings of the rarest word), times the words, and the positions of what all words have; of
  /// a word with several terms in O(their postings * log(terms)) at most.
  /// Throws FormatError for a damaged list, UsageError for a window if the segment has no
  /// positions, CancelledError as the thread's StopScope says.
  MadeList(const index::Segment& segment, ListRecipe recipe, std::uint32_t text);
  /// Of a union.
  MadeList(const index::Segment& segment, std::span<const index::TermId> terms, std::uint32_t text,
           ListRecipe::Kind kind = ListRecipe::Kind::kSum)
      : MadeList(segment, ListRecipe{.kind = kind, .terms = {terms.begin(), terms.end()}}, text) {}
  MadeList(const MadeList&) = delete;
  MadeList& operator=(const MadeList&) = delete;

  /// Whether no document has it, as may be of a window. It has no list() then.
  bool empty() const { return list_.count == 0; }
  const index::PostingList& list() const { return list_; }
  /// The sum of all frequencies.
  std::uint64_t occurrences() const { return occurrences_; }
  const ListRecipe& recipe() const { return recipe_; }
  /// That of the recipe.
  std::size_t hash() const { return hash_; }
  /// Memory that it takes.
  std::size_t bytes() const;

 private:
  ListRecipe recipe_;
  std::size_t hash_;
  index::EncodedList encoded_;
  index::PostingList list_;  ///< views of encoded_
  std::uint64_t occurrences_ = 0;
};

}  // namespace gannet::query
