// Inverting one batch of documents: analysis, counting, grouping by term.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "index/builder.hpp"
#include "index/inversion/tables/term_dictionary.hpp"
#include "index/text/analyzer.hpp"
#include "index/text/token_cache.hpp"

namespace gannet::index {

/// The postings of one batch, grouped by term. Docids count from the start of the batch.
struct InvertedBatch {
  Docid base = 0;                   ///< docid of the batch's first document; set when it is known
  std::vector<TermNumber> terms;    ///< distinct terms, in order of first occurrence
  std::vector<std::uint32_t> ends;  ///< where in `bytes` each term's fragment ends
  std::vector<std::uint8_t> bytes;  ///< fragments as posting_code.hpp has them

  std::span<const std::uint8_t> fragment(std::size_t i) const {
    const std::size_t start = i == 0 ? 0 : ends[i - 1];
    return std::span(bytes).subspan(start, ends[i] - start);
  }
  /// Bytes of memory in use.
  std::uint64_t memory() const {
    return sizeof(*this) + (terms.capacity() + ends.capacity()) * sizeof(std::uint32_t) +
           bytes.capacity();
  }
};

/// Inverts batches, one at a time. Keeps its tables between batches. Not thread-safe, but any
/// number of inverters may share a dictionary.
class Inverter {
 public:
  /// `cache_memory`: bytes that the cache of raw tokens may take.
  Inverter(const AnalyzerConfig& analyzer, TermDictionary& dictionary, std::uint64_t cache_memory,
           std::stop_token stop = {});

  /// Inverts `documents`, all their fields and terms; `lengths` becomes their lengths in terms.
  /// Throws InputError for a batch that has more than 4 GB of postings, and CancelledError.
  InvertedBatch invert(std::span<const Document> documents, std::vector<std::uint32_t>& lengths);

  /// To be called when the dictionary was cleared.
  void forget();

 private:
  struct Posting {
    std::uint32_t local, document, freq;
  };
  /// A term of the batch.
  struct Local {
    TermNumber term;
    std::uint32_t last_document;  ///< counted from 1
    std::uint32_t posting;        ///< its posting for that document
    std::uint32_t postings;       ///< how many documents of the batch have the term
  };
  struct Entry {
    TermNumber term;
    std::uint32_t local;  ///< index in locals_ + 1; 0: free
  };

  void start_batch();
  std::uint32_t count_tokens(std::string_view text, std::uint32_t document);
  std::uint32_t count_terms(std::span<const WeightedTerm> terms, std::uint32_t document);
  void count(Local& local, std::uint32_t index, std::uint32_t document, std::uint32_t weight);
  std::uint32_t local_of_token(std::string_view token);
  std::uint32_t local_of_term(TermNumber term);
  TermNumber term_of(std::string_view token);
  void grow_entries();
  void group_postings();
  InvertedBatch encode_groups();

  std::stop_token stop_;
  Analyzer analyzer_;
  Analyzer::Worker worker_;
  TermDictionary& dictionary_;
  TokenCache cache_;
  std::uint32_t batch_ = 0;     ///< number of the batch, from 1; slots of the cache refer to it
  std::vector<Entry> entries_;  ///< hash table: term number to local number
  std::vector<Local> locals_;
  std::vector<Posting> postings_;  ///< in order of documents
  std::vector<Posting> grouped_;   ///< the same by local number, then in order of documents
  std::vector<std::uint8_t> coded_;
};

}  // namespace gannet::index
