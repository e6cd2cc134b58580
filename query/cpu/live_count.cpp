#include "query/cpu/live_count.hpp"

#include "query/cpu/collector.hpp"
#include "query/postings/posting_stream.hpp"

namespace gannet::query {
namespace {

std::uint64_t deleted_in(PostingStream& stream, const index::LiveDocuments& live) {
  const auto words = live.words();
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == ~std::uint64_t{0}) continue;
    for_each_bit(~words[i], [&](std::uint32_t bit) {
      // Bits behind the last document are 0, too: no list has such documents.
      const auto docid = static_cast<index::Docid>(i * 64 + bit);
      if (stream.seek(docid) && stream.docid() == docid) ++found;
    });
    if (stream.at_end()) break;
  }
  return found;
}

}  // namespace

std::optional<std::uint64_t> live_count(const index::Segment& segment, index::TermId term,
                                        const index::LiveDocuments* live) {
  const std::uint64_t deleted = live == nullptr ? 0 : live->deleted();
  const std::uint64_t count = segment.document_frequency(term);
  if (deleted * kLookUpCost > count) return std::nullopt;
  PostingStream stream(segment, term);
  return deleted == 0 ? count : count - deleted_in(stream, *live);
}

}  // namespace gannet::query
