// Which terms documents have, and how often: gathered from the posting lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "index/index.hpp"

namespace gannet::query {

/// A term that some of the documents have.
struct VocabularyTerm {
  std::string text;
  /// Documents of the whole index that have it.
  std::uint64_t document_frequency = 0;
};

/// A term of a document.
struct DocumentTerm {
  std::uint32_t term;       ///< its number in the vocabulary
  std::uint32_t frequency;  ///< in the document, >= 1
};

/// The terms of some documents.
struct DocumentVectors {
  /// In bytewise order of the texts.
  std::vector<VocabularyTerm> vocabulary;
  /// Those of document i are [offsets[i], offsets[i + 1]), ascending by number.
  std::vector<DocumentTerm> terms;
  std::vector<std::size_t> offsets{0};
  /// Tiles of 128 postings in the lists that were looked at, and of them decoded.
  std::uint64_t tiles_total = 0;
  std::uint64_t tiles_decoded = 0;

  std::span<const DocumentTerm> of(std::size_t document) const {
    return std::span(terms).subspan(offsets[document], offsets[document + 1] - offsets[document]);
  }
};

/// The terms of `documents` (ascending, distinct, documents of the index), but for terms that more
/// than `max_document_frequency` documents have.
///
/// One pass over the list table of each segment that has one of the documents. Lists that are too
/// long are passed over; of the others the tiles are decoded that can hold one of the documents. So
/// it costs a look at every term of the index, the decoding of all short lists, and the more tiles
/// the more documents: from some thousand documents on nearly all, which is what it costs to decode
/// the index once. Needs 1.5 bits for each document of a segment and 20 bytes for each term of each
/// of the documents. Uses the threads of the calling thread's TBB arena; the result does not depend
/// on them.
///
/// Throws FormatError for a damaged list, CancelledError after a stop request.
DocumentVectors gather_document_vectors(const index::Index& index,
                                        std::span<const index::Docid> documents,
                                        std::uint64_t max_document_frequency,
                                        const std::stop_token& stop);

}  // namespace gannet::query
