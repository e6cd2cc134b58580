#include "query/texts/count_any.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "query/postings/posting_stream.hpp"
#include "query/texts/union_counts.hpp"

namespace gannet::query {
namespace {

/// Lists that have together fewer than a posting for so many documents are merged; others are
/// marked in a bitmap.
constexpr std::uint64_t kDocumentsPerPosting = 64;
/// Tiles between two looks at the stop token.
constexpr std::uint32_t kUnionTilesPerLook = 1024;

/// Calls visit(docids, n) for runs of a list's documents.
template <class Visit>
void read_documents(const index::Segment& segment, index::TermId term, const Visit& visit) {
  PostingStream stream(segment, term);
  std::uint32_t runs = 0;
  const auto end = static_cast<index::Docid>(segment.statistics().documents);
  stream.take_until(end, [&](const index::Docid* docids, std::uint32_t n, std::uint32_t) {
    if (++runs % kUnionTilesPerLook == 0) throw_if_stopped();
    visit(docids, n);
  });
}

std::uint64_t merged_union(const index::Segment& segment, std::span<const index::TermId> terms) {
  std::vector<index::Docid> all;
  for (const index::TermId term : terms) {
    read_documents(segment, term, [&](const index::Docid* docids, std::uint32_t n) {
      all.insert(all.end(), docids, docids + n);
    });
  }
  std::ranges::sort(all);
  return static_cast<std::uint64_t>(std::unique(all.begin(), all.end()) - all.begin());
}

std::uint64_t marked_union(const index::Segment& segment, std::span<const index::TermId> terms) {
  std::vector<std::uint64_t> marks((segment.statistics().documents + 63) / 64);
  for (const index::TermId term : terms) {
    read_documents(segment, term, [&](const index::Docid* docids, std::uint32_t n) {
      for (std::uint32_t i = 0; i < n; ++i) {
        marks[docids[i] / 64] |= std::uint64_t{1} << docids[i] % 64;
      }
    });
  }
  std::uint64_t count = 0;
  for (const std::uint64_t word : marks) count += static_cast<std::uint64_t>(std::popcount(word));
  return count;
}

void make_distinct(std::vector<index::TermId>& terms) {
  std::ranges::sort(terms);
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
}

std::uint64_t postings_of(const index::Segment& segment, std::span<const index::TermId> terms) {
  std::uint64_t postings = 0;
  for (const index::TermId term : terms) postings += segment.document_frequency(term);
  return postings;
}

/// Of two terms or more.
std::uint64_t count_union(const index::Segment& segment, std::span<const index::TermId> terms) {
  const std::uint64_t documents = segment.statistics().documents;
  const bool few = postings_of(segment, terms) < documents / kDocumentsPerPosting;
  return few ? merged_union(segment, terms) : marked_union(segment, terms);
}

}  // namespace

std::uint64_t count_any(const std::shared_ptr<const index::Segment>& segment,
                        std::vector<index::TermId> terms) {
  make_distinct(terms);
  if (terms.size() < 2) return postings_of(*segment, terms);
  return union_counts().of(segment, terms, [&] { return count_union(*segment, terms); });
}

std::uint64_t count_any(const index::Index& index, const TermBinding& binding,
                        std::span<const std::uint32_t> terms) {
  std::uint64_t sum = 0;
  for (std::size_t s = 0; s < index.segments().size(); ++s) {
    std::vector<index::TermId> ids;
    for (const std::uint32_t term : terms) {
      const index::TermId id = binding.ids(s)[term];
      if (id != kNoTerm) binding.append_terms(s, id, ids);
    }
    const std::uint64_t own = index.segments()[s]->statistics().terms;
    if (std::ranges::all_of(ids, [&](index::TermId id) { return id < own; })) {
      sum += count_any(index.segments()[s], std::move(ids));
      continue;
    }
    // The lists of phrases are known to the binding alone.
    const index::Segment& view = binding.segment(s, *index.segments()[s]);
    make_distinct(ids);
    sum += ids.size() < 2 ? postings_of(view, ids) : count_union(view, ids);
  }
  return sum;
}

}  // namespace gannet::query
