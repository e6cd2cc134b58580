#include "query/postings/document_places.hpp"

#include <string>

#include "codecs/base/error.hpp"
#include "codecs/core/tile.hpp"
#include "index/positions/position_cursor.hpp"
#include "query/postings/posting_stream.hpp"

namespace gannet::query {

SegmentPlace place_of(const index::Index& index, index::Docid docid) {
  const std::uint64_t documents = index.statistics().documents;
  if (docid >= documents) {
    throw UsageError("there is no document " + std::to_string(docid) + "; the index has " +
                     std::to_string(documents));
  }
  std::size_t segment = index.segments().size() - 1;
  while (index.docid_base(segment) > docid) --segment;
  return {segment, docid - index.docid_base(segment)};
}

std::vector<std::uint32_t> places_in(const index::Segment& segment, std::string_view key,
                                     index::Docid docid) {
  if (segment.positions() == nullptr) return {};
  const auto term = segment.find(key);
  if (!term) return {};
  PostingStream stream(segment, *term);
  if (!stream.seek(docid) || stream.docid() != docid) return {};
  index::PositionCursor cursor(segment, *term, segment.list(*term));
  const std::uint32_t posting = stream.posting() % codecs::kTile;
  cursor.open_tile(stream.tile(), stream.tile_docids(), stream.tile_frequencies());
  cursor.check(posting);  // before room is made for what a damaged file says
  std::vector<std::uint32_t> places(stream.frequency(stream.posting()));
  cursor.decode(posting, places.data());
  return places;
}

}  // namespace gannet::query
