#include "query/expansion/document_vectors.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "index/lists/list_table.hpp"
#include "query/expansion/list_scan.hpp"

namespace gannet::query {
namespace {

/// Terms that one task looks at: a multiple of the list table's blocks.
constexpr std::uint64_t kTermsPerTask = 16 * index::ListTable::kBlock;

/// A document of the segment has a term.
struct Occurrence {
  std::uint32_t document;  ///< its number among the segment's documents that are wanted
  std::uint32_t term;      ///< number of the term among those found, of the task or the segment
  std::uint32_t frequency;
};

/// What was found in a run of terms.
struct ScannedTerms {
  std::vector<VocabularyTerm> vocabulary;  ///< document frequencies are the segment's
  std::vector<Occurrence> occurrences;     ///< by term, then by document
  std::uint64_t tiles_total = 0;
  std::uint64_t tiles_decoded = 0;
};

/// How many documents have each of a block's terms. What is unreadable counts as 0, so that
/// Segment::list() is asked, which says so.
std::vector<std::uint32_t> frequencies_of(const index::Segment& segment, std::uint64_t first,
                                          std::uint64_t end) {
  std::vector<std::uint32_t> counts(end - first, 0);
  try {
    index::ListTable::Cursor rows(segment.list_table(), first / index::ListTable::kBlock);
    for (std::uint32_t& count : counts) {
      if (!rows.next()) break;
      count = rows.row().count;
    }
  } catch (const FormatError&) {
    return counts;
  }
  return counts;
}

/// Of the terms first .. end - 1, those from `least` on.
ScannedTerms scan_terms(const index::Segment& segment, std::uint64_t first, std::uint64_t least,
                        std::uint64_t end, const DocumentSet& documents,
                        std::uint64_t max_document_frequency, const std::stop_token& stop) {
  ScannedTerms found;
  ListScan scan(documents);
  const std::vector<std::uint32_t> counts = frequencies_of(segment, first, end);
  for (std::uint64_t id = std::max(first, least); id < end; ++id) {
    if (counts[id - first] > max_document_frequency) continue;
    throw_if_stopped(stop);
    const auto term = static_cast<index::TermId>(id);
    const auto number = static_cast<std::uint32_t>(found.vocabulary.size());
    const std::size_t before = found.occurrences.size();
    const index::PostingList list = segment.list(term);
    scan.scan(list, [&](std::uint32_t document, std::uint32_t frequency) {
      found.occurrences.push_back({document, number, frequency});
    });
    if (found.occurrences.size() > before) {
      found.vocabulary.push_back({segment.term(term), list.count});
    }
  }
  found.tiles_total = scan.tiles_total();
  found.tiles_decoded = scan.tiles_decoded();
  return found;
}

/// The occurrences of all terms, found in parallel, joined in the order of the terms.
ScannedTerms scan_segment(const index::Segment& segment, std::span<const index::Docid> members,
                          std::uint64_t first_term, std::uint64_t max_document_frequency,
                          const std::stop_token& stop) {
  const DocumentSet documents(members, segment.statistics().documents);
  const std::uint64_t terms = segment.statistics().terms;
  std::vector<ScannedTerms> parts((terms + kTermsPerTask - 1) / kTermsPerTask);
  tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t i) {
    throw_if_stopped(stop);
    const std::uint64_t first = i * kTermsPerTask;
    const std::uint64_t end = std::min(first + kTermsPerTask, terms);
    if (end <= first_term) return;
    parts[i] = scan_terms(segment, first, first_term, end, documents, max_document_frequency, stop);
  });
  ScannedTerms all;
  for (ScannedTerms& part : parts) {
    const auto shift = static_cast<std::uint32_t>(all.vocabulary.size());
    std::ranges::move(part.vocabulary, std::back_inserter(all.vocabulary));
    for (Occurrence occurrence : part.occurrences) {
      occurrence.term += shift;
      all.occurrences.push_back(occurrence);
    }
    all.tiles_total += part.tiles_total;
    all.tiles_decoded += part.tiles_decoded;
    part = {};
  }
  return all;
}

/// Documents of the segments in which a term was not found, too.
void count_everywhere(const index::Index& index, std::vector<VocabularyTerm>& vocabulary,
                      const std::stop_token& stop) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, vocabulary.size()), [&](const auto& range) {
    throw_if_stopped(stop);
    for (std::size_t i = range.begin(); i != range.end(); ++i) {
      std::uint64_t sum = 0;
      for (const auto& segment : index.segments()) {
        const auto id = segment->find(vocabulary[i].text);
        if (id) sum += segment->document_frequency(*id);
      }
      vocabulary[i].document_frequency = sum;
    }
  });
}

/// Joins the segments' vocabularies; occurrences get the numbers of the joined one.
std::vector<VocabularyTerm> join_vocabularies(const index::Index& index,
                                              std::vector<ScannedTerms>& found,
                                              const std::stop_token& stop) {
  if (index.segments().size() == 1) return std::move(found.front().vocabulary);
  std::vector<VocabularyTerm> joined;
  for (const ScannedTerms& part : found) {
    joined.insert(joined.end(), part.vocabulary.begin(), part.vocabulary.end());
  }
  std::ranges::sort(joined, {}, &VocabularyTerm::text);
  const auto same = [](const VocabularyTerm& x, const VocabularyTerm& y) {
    return x.text == y.text;
  };
  joined.erase(std::unique(joined.begin(), joined.end(), same), joined.end());
  for (ScannedTerms& part : found) {
    throw_if_stopped(stop);
    std::vector<std::uint32_t> numbers;
    auto at = joined.begin();
    for (const VocabularyTerm& term : part.vocabulary) {
      at = std::ranges::lower_bound(at, joined.end(), term.text, {}, &VocabularyTerm::text);
      numbers.push_back(static_cast<std::uint32_t>(at - joined.begin()));
    }
    for (Occurrence& occurrence : part.occurrences) occurrence.term = numbers[occurrence.term];
  }
  count_everywhere(index, joined, stop);
  return joined;
}

/// Sorts the occurrences by document; those of a document stay in the order of the terms.
/// `first[s]`: the number of segment s's first document.
void sort_by_document(const std::vector<ScannedTerms>& found, const std::vector<std::size_t>& first,
                      std::size_t documents, DocumentVectors& vectors) {
  vectors.offsets.assign(documents + 1, 0);
  for (std::size_t s = 0; s < found.size(); ++s) {
    for (const Occurrence& o : found[s].occurrences) ++vectors.offsets[first[s] + o.document + 1];
  }
  std::partial_sum(vectors.offsets.begin(), vectors.offsets.end(), vectors.offsets.begin());
  vectors.terms.resize(vectors.offsets.back());
  std::vector<std::size_t> next(vectors.offsets.begin(), vectors.offsets.end() - 1);
  for (std::size_t s = 0; s < found.size(); ++s) {
    for (const Occurrence& o : found[s].occurrences) {
      vectors.terms[next[first[s] + o.document]++] = {o.term, o.frequency};
    }
  }
}

}  // namespace

DocumentVectors gather_document_vectors(const index::Index& index,
                                        std::span<const index::Docid> documents,
                                        std::uint64_t max_document_frequency,
                                        const std::stop_token& stop) {
  DocumentVectors vectors;
  if (documents.empty()) return vectors;
  std::vector<ScannedTerms> found;
  std::vector<std::size_t> first;
  std::size_t begin = 0;
  for (std::size_t s = 0; s < index.segments().size(); ++s) {
    const index::Segment& segment = *index.segments()[s];
    const std::uint64_t end_of_segment = index.docid_base(s) + segment.statistics().documents;
    std::vector<index::Docid> members;
    first.push_back(begin);
    for (; begin < documents.size() && documents[begin] < end_of_segment; ++begin) {
      members.push_back(documents[begin] - index.docid_base(s));
    }
    found.emplace_back();
    if (members.empty()) continue;
    // Documents are compared by their main texts.
    const std::uint64_t first_term =
        index.schema().has_text() ? segment.terms_with_prefix(std::string_view("\0", 1)).end : 0;
    found.back() = scan_segment(segment, members, first_term, max_document_frequency, stop);
    vectors.tiles_total += found.back().tiles_total;
    vectors.tiles_decoded += found.back().tiles_decoded;
  }
  vectors.vocabulary = join_vocabularies(index, found, stop);
  sort_by_document(found, first, documents.size(), vectors);
  return vectors;
}

}  // namespace gannet::query
