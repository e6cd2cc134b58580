#include "query/detail/count_any.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace gannet::query {
namespace {

/// Lists that have together fewer than a posting for so many documents are merged; others are
/// marked in a bitmap.
constexpr std::uint64_t kDocumentsPerPosting = 64;

std::vector<index::Docid> docids_of(const index::PostingList& list) {
  std::vector<index::Docid> docids(std::max<std::size_t>(list.count, codecs::kTile));
  list.decode_docids(docids.data());
  docids.resize(list.count);
  return docids;
}

std::uint64_t merged_count(const std::vector<index::PostingList>& lists) {
  std::vector<index::Docid> all;
  for (const index::PostingList& list : lists) {
    const std::vector<index::Docid> docids = docids_of(list);
    all.insert(all.end(), docids.begin(), docids.end());
  }
  std::ranges::sort(all);
  return static_cast<std::uint64_t>(std::unique(all.begin(), all.end()) - all.begin());
}

std::uint64_t marked_count(const std::vector<index::PostingList>& lists, std::uint64_t documents) {
  std::vector<std::uint64_t> marks((documents + 63) / 64);
  for (const index::PostingList& list : lists) {
    for (const index::Docid docid : docids_of(list)) {
      marks[docid / 64] |= std::uint64_t{1} << docid % 64;
    }
  }
  std::uint64_t count = 0;
  for (const std::uint64_t word : marks) count += static_cast<std::uint64_t>(std::popcount(word));
  return count;
}

}  // namespace

std::uint64_t count_any(const index::Index& index, const TermBinding& binding,
                        std::span<const std::uint32_t> terms) {
  std::uint64_t sum = 0;
  for (std::size_t s = 0; s < index.segments().size(); ++s) {
    const index::Segment& segment = *index.segments()[s];
    std::vector<index::PostingList> lists;
    std::uint64_t postings = 0;
    for (const std::uint32_t term : terms) {
      const index::TermId id = binding.ids(s)[term];
      if (id == kNoTerm) continue;
      lists.push_back(segment.list(id));
      postings += lists.back().count;
    }
    const std::uint64_t documents = segment.statistics().documents;
    if (lists.size() < 2) {
      sum += postings;
    } else if (postings < documents / kDocumentsPerPosting) {
      sum += merged_count(lists);
    } else {
      sum += marked_count(lists, documents);
    }
  }
  return sum;
}

}  // namespace gannet::query
