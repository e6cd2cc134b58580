// All documents that match a plan, by segment.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "index/index.hpp"
#include "query/filter/document_bitmap.hpp"
#include "query/results/results.hpp"

namespace gannet::query {

struct Matches {
  /// One a segment of the index.
  std::vector<DocumentBitmap> segments = {};
  /// One a segment, and in it one a document, 0 for those that do not match; or none at all.
  std::vector<std::vector<float>> scores = {};

  /// How many match, where whoever found them has counted them.
  std::optional<std::uint64_t> counted = {};

  bool scored() const { return !scores.empty(); }
  /// Documents that match.
  std::uint64_t count() const;
};

/// No document of the index, without scores.
Matches no_documents(const index::Index& index);

/// Makes `matches` no_documents(index), in the memory that it has if it was of this index. What is
/// found then is also recorded by stretches of documents (DocumentBitmap::touched).
void clear(Matches& matches, const index::Index& index);

/// Every document of the index, without scores.
Matches all_documents(const index::Index& index);

/// What a result has, of a plan that ran on `index` with Want::kDocids, or with Want::kTopK and k =
/// all documents. `scores`: keeps them.
Matches matches_of(const index::Index& index, const ResultView& result, bool scores);

}  // namespace gannet::query
