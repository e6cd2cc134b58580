// The list of a union of terms: what a segment would hold had the terms been one term.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/index.hpp"
#include "index/lists/encode_list.hpp"

namespace gannet::query {

/// What a document has in the list of a union.
enum class UnionFrequency : std::uint8_t {
  kSum,  ///< the sum of its frequencies (or impacts), at most 2^32 - 1
  kOne,  ///< 1
};

/// A hash of a union's terms.
std::size_t hash_of_terms(std::span<const index::TermId> terms);

/// The documents of a segment that have any of several terms, each with a frequency; encoded by the
/// segment's codecs, with skips and bounds of tiles, as the segment itself would have it.
/// Immutable; any number of threads may use one. Needs no segment to stay alive.
class UnionList {
 public:
  /// Terms of one union: their streams take a KiB each while they are merged.
  static constexpr std::size_t kMaxTerms = std::size_t{1} << 16;

  /// `terms`: one or more of the segment's, distinct, all of the text with number `text`
  /// (index::kMainText, or that of a field). Reads their lists, which takes O(postings), or
  /// O(postings * log(postings)) where these are few. Throws FormatError for a damaged list,
  /// CancelledError as the thread's StopScope says.
  UnionList(const index::Segment& segment, std::span<const index::TermId> terms, std::uint32_t text,
            UnionFrequency frequency = UnionFrequency::kSum);
  UnionList(const UnionList&) = delete;
  UnionList& operator=(const UnionList&) = delete;

  const index::PostingList& list() const { return list_; }
  /// The sum of all frequencies.
  std::uint64_t occurrences() const { return occurrences_; }
  std::span<const index::TermId> terms() const { return terms_; }
  UnionFrequency frequency() const { return frequency_; }
  /// hash_of_terms() of these.
  std::size_t hash() const { return hash_; }
  /// Memory that it takes.
  std::size_t bytes() const;

 private:
  std::vector<index::TermId> terms_;
  std::size_t hash_;
  UnionFrequency frequency_;
  index::EncodedList encoded_;
  index::PostingList list_;  ///< views of encoded_
  std::uint64_t occurrences_ = 0;
};

}  // namespace gannet::query
