// Inverting one batch of documents: analysis, counting, grouping by term.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/builder.hpp"
#include "index/fields/text_terms.hpp"
#include "index/lexicon/term_dictionary.hpp"
#include "index/text/analyzer.hpp"
#include "index/text/words/token_cache.hpp"

namespace gannet::index {

/// The postings of one batch, grouped by term. Docids count from the start of the batch.
struct InvertedBatch {
  Docid base = 0;                   ///< docid of the batch's first document; set when it is known
  std::vector<TermNumber> terms;    ///< distinct terms, in order of first occurrence
  std::vector<std::uint32_t> ends;  ///< where in `bytes` each term's fragment ends
  std::vector<std::uint8_t> bytes;  ///< fragments as posting_code.hpp has them
  bool has_positions = false;       ///< the fragments have

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

  /// The same for documents that have the text fields of `schema` besides. `with_positions`: the
  /// fragments get positions.
  Inverter(const AnalyzerConfig& analyzer, const Schema& schema, TermDictionary& dictionary,
           std::uint64_t cache_memory, std::stop_token stop = {}, bool with_positions = false);

  /// Inverts `documents`, all their fields, terms and values of text fields; `lengths` becomes the
  /// lengths of their main texts in terms.
  /// Throws InputError for a batch that has more than 4 GB of postings, with positions also for
  /// weighted terms and for a text of more than 2^31 places, and CancelledError.
  InvertedBatch invert(std::span<const Document> documents, std::vector<std::uint32_t>& lengths);

  /// Of the documents of the last batch, the length in terms of text field `field`.
  std::span<const std::uint32_t> text_lengths(std::uint32_t field) const;
  /// Of the documents of the last batch, the spans of a text: kMainText or a text field
  /// (Segment::text_spans()). Only with positions.
  std::span<const std::uint32_t> spans(std::uint32_t text) const;
  /// The numbers of the text fields.
  const std::vector<std::uint32_t>& text_fields() const { return text_fields_; }

  /// To be called when the dictionary was cleared.
  void forget();

 private:
  struct Posting {
    std::uint32_t local, document, freq;
  };
  /// One token that is a term.
  struct Occurrence {
    std::uint32_t posting;  ///< in postings_
    std::uint32_t place;    ///< in its text
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

  /// How one of the texts becomes terms.
  struct Text {
    Text(const AnalyzerConfig& config, std::string prefix, bool guarded, std::uint64_t cache_memory)
        : analyzer(config),
          worker(analyzer),
          cache(cache_memory),
          key(std::move(prefix)),
          prefix_size(key.size()),
          is_guarded(guarded) {}

    Analyzer analyzer;
    Analyzer::Worker worker;
    TokenCache cache;
    std::string key;  ///< what keys begin with, then the last one
    std::size_t prefix_size;
    bool is_guarded;  ///< no term may look like the key of a text field
    std::vector<std::uint32_t> lengths = {};
    std::uint64_t place = 0;  ///< in the document at work, that of the next token
    std::vector<std::uint32_t> spans = {};
  };

  void start_batch();
  void count_text_fields(const Document& document, std::uint32_t number);
  std::uint32_t count_tokens(Text& source, std::string_view text, std::uint32_t document);
  template <bool kPositions>
  std::uint32_t split_and_count(Text& source, std::string_view text, std::uint32_t document);
  static void end_text(Text& source, std::string_view document);
  std::uint32_t count_terms(std::span<const WeightedTerm> terms, std::uint32_t document);
  std::uint32_t count(Local& local, std::uint32_t index, std::uint32_t document,
                      std::uint32_t weight);
  std::uint32_t local_of_token(Text& source, std::string_view token);
  std::uint32_t local_of_term(TermNumber term);
  TermNumber term_of(Text& source, std::string_view token);
  void grow_entries();
  void group_postings();
  void group_positions();
  std::size_t longest_position() const;
  InvertedBatch encode_groups();

  std::stop_token stop_;
  TermDictionary& dictionary_;
  bool with_positions_;
  Text main_;
  std::vector<std::unique_ptr<Text>> texts_;  ///< by number of the schema; null: no text field
  std::vector<std::uint32_t> text_fields_;
  std::uint32_t batch_ = 0;     ///< number of the batch, from 1; slots of the cache refer to it
  std::vector<Entry> entries_;  ///< hash table: term number to local number
  std::vector<Local> locals_;
  std::vector<Posting> postings_;         ///< in order of documents
  std::vector<Posting> grouped_;          ///< the same by local number, then in order of documents
  std::vector<Occurrence> occurrences_;   ///< in order of documents and texts
  std::vector<std::uint32_t> positions_;  ///< of grouped_, one posting behind the other
  std::vector<std::uint8_t> coded_;
};

}  // namespace gannet::index
