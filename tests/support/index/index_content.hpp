// All that an index says of its living documents, to be held against another one.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "index/fields/field_column.hpp"
#include "index/index.hpp"
#include "index/positions/position_cursor.hpp"

namespace gannet::test {

/// By the documents' ids.
struct IndexContent {
  std::map<std::string, std::string> documents;  ///< stored texts
  std::map<std::string, std::uint32_t> lengths;
  std::map<std::string, std::string> values;  ///< of columns with numbers
  /// Key of the term, id, frequency, a line each; then the positions, if there are.
  std::set<std::string> postings;

  bool operator==(const IndexContent&) const = default;

  /// Throws what reading the index throws.
  static IndexContent of(const index::Index& index) {
    IndexContent content;
    for (std::size_t s = 0; s < index.segments().size(); ++s) {
      content.add_documents(index, s);
      content.add_postings(index, s);
      for (std::size_t f = 0; f < index.schema().fields().size(); ++f) {
        content.add_values(index, s, f);
      }
    }
    return content;
  }

 private:
  void add_documents(const index::Index& index, std::size_t s) {
    const index::Segment& segment = *index.segments()[s];
    for (index::Docid d = 0; d < segment.statistics().documents; ++d) {
      if (!index.is_live(index.docid_base(s) + d)) continue;
      documents[segment.document_id(d)] = segment.stored_text(d).value_or("");
      lengths[segment.document_id(d)] = segment.document_lengths()[d];
    }
  }

  void add_postings(const index::Index& index, std::size_t s) {
    const index::Segment& segment = *index.segments()[s];
    std::vector<index::Docid> docids;
    std::vector<std::uint32_t> freqs;
    for (index::TermId t = 0; t < segment.statistics().terms; ++t) {
      const index::PostingList list = segment.list(t);
      docids.resize(list.count);
      freqs.resize(list.count);
      list.decode_docids(docids.data());
      list.decode_frequencies(freqs.data());
      std::vector<std::uint32_t> positions;
      if (segment.positions() != nullptr) {
        index::decode_list_positions(segment, t, list, docids, freqs, positions);
      }
      std::size_t at = 0;
      for (std::size_t i = 0; i < docids.size(); ++i) {
        std::string line = segment.term(t) + '\n' + segment.document_id(docids[i]) + '\n' +
                           std::to_string(freqs[i]);
        for (std::uint32_t k = 0; k < freqs[i] && !positions.empty(); ++k) {
          line += ' ' + std::to_string(positions[at++]);
        }
        if (index.is_live(index.docid_base(s) + docids[i])) postings.insert(std::move(line));
      }
    }
  }

  void add_values(const index::Index& index, std::size_t s, std::size_t f) {
    const index::Segment& segment = *index.segments()[s];
    const index::FieldColumn& column = segment.field(f);
    if (column.texts() != nullptr || column.spec().multi || column.dictionary() != nullptr) return;
    std::vector<std::uint64_t> codes(column.codes());
    for (std::size_t b = 0; b < column.blocks().size(); ++b) {
      column.decode(b, codes.data() + column.blocks()[b].first);
    }
    for (index::Docid d = 0; d < segment.statistics().documents; ++d) {
      if (!column.has(d) || !index.is_live(index.docid_base(s) + d)) continue;
      values[segment.document_id(d)] +=
          std::to_string(f) + ':' + std::to_string(column.keys().key(codes[d])) + ' ';
    }
  }
};

}  // namespace gannet::test
