// Where a term stands in one document, by the index.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "index/index.hpp"

namespace gannet::query {

/// A document of an index in its segment.
struct SegmentPlace {
  std::size_t segment;
  index::Docid docid;  ///< within the segment
};

/// `docid`: of the index. Throws UsageError for one that it does not have. O(segments).
SegmentPlace place_of(const index::Index& index, index::Docid docid);

/// The positions of a term in a document, ascending; none if the document lacks the term, or the
/// segment has no positions. `key`: the term as index::text_key() has it. Decodes a tile of the
/// list at most, and the positions of the one posting. Throws FormatError for a damaged list.
/// Thread-safe.
std::vector<std::uint32_t> places_in(const index::Segment& segment, std::string_view key,
                                     index::Docid docid);

}  // namespace gannet::query
