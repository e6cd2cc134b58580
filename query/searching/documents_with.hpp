// How many documents have a term.
#pragma once

#include <cstdint>
#include <string_view>

#include "index/index.hpp"

namespace gannet::query {

/// Documents of all segments that have the term with this key (index/fields/text_terms.hpp), with
/// deleted ones that no merge removed yet. One look-up a segment. Throws FormatError for a damaged
/// lexicon. Thread-safe.
inline std::uint64_t documents_with(const index::Index& index, std::string_view key) {
  std::uint64_t documents = 0;
  for (const auto& segment : index.segments()) {
    if (const auto id = segment->find(key)) documents += segment->document_frequency(*id);
  }
  return documents;
}

}  // namespace gannet::query
