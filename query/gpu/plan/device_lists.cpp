#include "query/gpu/plan/device_lists.hpp"

#include <algorithm>

#include "codecs/base/error.hpp"
#include "index/lists/list_check.hpp"
#include "index/lists/list_table.hpp"

namespace gannet::query::cuda {
namespace {

/// Encodes lists behind what a segment has.
class ListAppender {
 public:
  ListAppender(const index::Segment& segment, DeviceLists& lists)
      : segment_(segment), lists_(lists) {}

  /// Where the list is, appended if need be; nowhere if it is damaged.
  DeviceList place(index::TermId term, const index::ListRow& row) {
    const std::uint64_t documents = segment_.statistics().documents;
    if (row.is_short()) {
      if (index::check_packed(row.packed, row.count, documents)) return {};
      index::PostingList list;
      list.count = row.count;
      list.packed = row.packed;
      return append(list, segment_.text_of(term));
    }
    const bool has_own_codec = row.streams[0].codec != 0 || row.streams[1].codec != 0;
    if (!has_own_codec) {
      return {row.first_word, row.first_tile, row.streams[0].words, row.count};
    }
    try {
      return append(segment_.list(term), segment_.text_of(term));
    } catch (const FormatError&) {
      return {};
    }
  }

 private:
  DeviceList append(const index::PostingList& list, std::uint32_t text) {
    docids_.resize(list.count);
    freqs_.resize(list.count);
    list.decode_docids(docids_.data());
    list.decode_frequencies(freqs_.data());
    add_tiles(segment_.text_lengths(text));
    for (std::uint32_t& freq : freqs_) --freq;
    const std::size_t first = lists_.words.size();
    segment_.docid_codec().encode_docids(docids_, lists_.words);
    const DeviceList placed{
        segment_.words().size() + first,
        segment_.skips().size() + lists_.skips.size() - codecs::tile_count(list.count),
        static_cast<std::uint32_t>(lists_.words.size() - first), list.count};
    segment_.freq_codec().encode(freqs_, lists_.words);
    return placed;
  }

  void add_tiles(std::span<const std::uint32_t> lengths) {
    for (std::size_t first = 0; first < docids_.size(); first += codecs::kTile) {
      const std::size_t end = std::min<std::size_t>(first + codecs::kTile, docids_.size());
      std::uint32_t max_freq = 0;
      std::uint32_t min_length = ~0u;
      for (std::size_t i = first; i < end; ++i) {
        max_freq = std::max(max_freq, freqs_[i]);
        min_length = std::min(min_length, lengths[docids_[i]]);
      }
      lists_.skips.push_back(docids_[end - 1]);
      lists_.max_freqs.push_back(max_freq);
      lists_.min_lengths.push_back(min_length);
    }
  }

  const index::Segment& segment_;
  DeviceLists& lists_;
  std::vector<std::uint32_t> docids_, freqs_;
};

}  // namespace

DeviceLists::DeviceLists(const index::Segment& segment) {
  table.resize(segment.statistics().terms);
  ListAppender appender(segment, *this);
  using index::ListTable;
  for (std::uint64_t first = 0; first < table.size(); first += ListTable::kBlock) {
    try {
      ListTable::Cursor rows(segment.list_table(), first / ListTable::kBlock);
      const std::uint64_t end = std::min<std::uint64_t>(first + ListTable::kBlock, table.size());
      for (std::uint64_t term = first; term < end && rows.next(); ++term) {
        table[term] = appender.place(static_cast<index::TermId>(term), rows.row());
      }
    } catch (const FormatError&) {
      // The rest of the block is unreadable; Segment::list() says so when one of it is used.
    }
  }
}

}  // namespace gannet::query::cuda
