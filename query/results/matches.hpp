// All documents that match a plan, by segment.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "index/index.hpp"
#include "query/filter/document_bitmap.hpp"
#include "query/results/results.hpp"

namespace gannet::query {

/// Plain data: not thread-safe.
struct Matches {
  /// One per segment of the index.
  std::vector<DocumentBitmap> segments = {};
  /// One per segment, each with a score per document, 0 for documents that do not match; empty if
  /// there are no scores.
  std::vector<std::vector<float>> scores = {};

  /// The number of matching documents, if the search has counted them.
  std::optional<std::uint64_t> counted = {};

  bool scored() const { return !scores.empty(); }
  /// `counted`, or the number of bits that are set; the latter takes O(documents / 64) time.
  std::uint64_t count() const;
};

/// Matches without any document and without scores. O(documents / 64).
Matches no_documents(const index::Index& index);

/// Makes `matches` equal to no_documents(index), and reuses its memory if its segments have the
/// sizes of the index's segments. The bitmaps then also record which runs of 4,096 documents have
/// bits (DocumentBitmap::touched).
void clear(Matches& matches, const index::Index& index);

/// Matches with every document of the index, deleted documents included, without scores.
Matches all_documents(const index::Index& index);

/// The matches that are listed in a result. The result is of a plan that ran on `index` with
/// Want::kDocids, or with Want::kTopK and k = the number of all documents. `scores`: whether to
/// keep the scores. Runs on the calling thread, in O(docids + documents / 64) time; scores add
/// O(documents).
Matches matches_of(const index::Index& index, const ResultView& result, bool scores);

}  // namespace gannet::query
