#include "query/results/matches.hpp"

#include <algorithm>
#include <span>

namespace gannet::query {
namespace {

std::uint32_t documents_of(const index::Segment& segment) {
  return static_cast<std::uint32_t>(segment.statistics().documents);
}

/// The number of the segment that has a document.
std::size_t segment_of(const index::Index& index, std::uint32_t docid, std::size_t guess) {
  const std::size_t last = index.segments().size() - 1;
  while (docid < index.docid_base(guess)) --guess;
  while (guess < last && docid >= index.docid_base(guess + 1)) ++guess;
  return guess;
}

}  // namespace

std::uint64_t Matches::count() const {
  if (counted) return *counted;
  std::uint64_t count = 0;
  for (const DocumentBitmap& bitmap : segments) count += count_bits(bitmap.words);
  return count;
}

Matches no_documents(const index::Index& index) {
  Matches matches;
  for (const auto& segment : index.segments()) {
    matches.segments.emplace_back(documents_of(*segment));
  }
  return matches;
}

void clear(Matches& matches, const index::Index& index) {
  const auto fits = [](const DocumentBitmap& bitmap, const auto& segment) {
    return bitmap.documents == documents_of(*segment);
  };
  if (std::ranges::equal(matches.segments, index.segments(), fits)) {
    for (DocumentBitmap& bitmap : matches.segments) bitmap.clear();
  } else {
    matches = no_documents(index);
    for (DocumentBitmap& bitmap : matches.segments) bitmap.watch_stretches();
  }
  matches.scores.clear();
  matches.counted.reset();
}

Matches all_documents(const index::Index& index) {
  Matches matches = no_documents(index);
  for (DocumentBitmap& bitmap : matches.segments) {
    std::ranges::fill(bitmap.words, ~std::uint64_t{0});
    if (bitmap.documents % 64 != 0) {
      bitmap.words.back() = (std::uint64_t{1} << bitmap.documents % 64) - 1;
    }
  }
  return matches;
}

Matches matches_of(const index::Index& index, const ResultView& result, bool scores) {
  Matches matches = no_documents(index);
  if (scores) {
    for (const DocumentBitmap& bitmap : matches.segments) {
      matches.scores.emplace_back(bitmap.documents, 0.0f);
    }
  }
  std::size_t s = 0;
  for (const Hit hit : result.hits()) {
    s = segment_of(index, hit.docid, s);
    const std::uint32_t document = hit.docid - index.docid_base(s);
    matches.segments[s].add(document);
    if (scores) matches.scores[s][document] = hit.score;
  }
  return matches;
}

}  // namespace gannet::query
