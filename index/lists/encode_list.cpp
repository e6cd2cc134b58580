#include "index/lists/encode_list.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "index/files/messages.hpp"
#include "index/lists/bound_code.hpp"
#include "index/lists/list_table.hpp"

namespace gannet::index {
namespace {

using codecs::kTile;

[[noreturn]] void fail_term(const std::string& term, const std::string& what) {
  throw UsageError("term '" + printable(term) + "': " + what);
}

void check_postings(const std::string& term, std::span<const Docid> docids,
                    std::span<const std::uint32_t> freqs, std::size_t documents) {
  if (docids.empty()) fail_term(term, "its list is empty");
  if (docids.size() != freqs.size()) fail_term(term, "it has not one frequency a docid");
  if (docids.size() > codecs::kMaxListLength) fail_term(term, "its list is too long");
  for (std::size_t i = 1; i < docids.size(); ++i) {
    if (docids[i] <= docids[i - 1]) fail_term(term, "its docids are not strictly ascending");
  }
  if (docids.back() >= documents) {
    fail_term(term, "docid " + std::to_string(docids.back()) + " is no document of the " +
                        std::to_string(documents) + " there are");
  }
  if (std::find(freqs.begin(), freqs.end(), 0u) != freqs.end()) {
    fail_term(term, "a frequency is 0");
  }
}

void add_tile(std::span<const Docid> docids, std::span<const std::uint32_t> freqs,
              std::span<const std::uint32_t> lengths, EncodedList& list) {
  std::uint32_t min_length = ~0u;
  for (const Docid docid : docids) min_length = std::min(min_length, lengths[docid]);
  list.skips.push_back(docids.back());
  list.max_freqs.push_back(bound_not_below(*std::max_element(freqs.begin(), freqs.end())));
  list.min_lengths.push_back(bound_not_above(min_length));
}

void encode_streams(std::span<const Docid> docids, std::span<const std::uint32_t> freqs,
                    const codecs::ListCodec& docid_codec, const codecs::ListCodec& freq_codec,
                    EncodedList& list, ListRow& row) {
  docid_codec.encode_docids(docids, list.words);
  row.streams[0].words = static_cast<std::uint32_t>(list.words.size());
  std::vector<std::uint32_t> values(freqs.size());
  std::transform(freqs.begin(), freqs.end(), values.begin(),
                 [](std::uint32_t freq) { return freq - 1; });
  freq_codec.encode(values, list.words);
  row.streams[1].words = static_cast<std::uint32_t>(list.words.size()) - row.streams[0].words;
}

}  // namespace

EncodedList encode_list(std::string term, std::span<const Docid> docids,
                        std::span<const std::uint32_t> freqs,
                        std::span<const std::uint32_t> lengths,
                        const codecs::ListCodec& docid_codec, const codecs::ListCodec& freq_codec,
                        const ListPositions& positions) {
  check_postings(term, docids, freqs, lengths.size());
  EncodedList list;
  if (!positions.values.empty()) {
    list.positions = encode_list_positions(term, docids, freqs, positions);
  }
  list.term = std::move(term);
  const RowShape shape = RowShape::of(lengths.size(), 2);
  const auto count = static_cast<std::uint32_t>(docids.size());
  if (is_short_list(count)) {
    append_short_row(shape, docids, freqs, list.row);
    return list;
  }
  ListRow row;
  row.count = count;
  row.repetitions = std::accumulate(freqs.begin(), freqs.end(), std::uint64_t{0}) - count;
  encode_streams(docids, freqs, docid_codec, freq_codec, list, row);
  append_row(shape, row, list.row);
  const std::size_t tiles = codecs::tile_count(count);
  list.skips.reserve(tiles);
  list.max_freqs.reserve(tiles);
  list.min_lengths.reserve(tiles);
  for (std::size_t first = 0; first < docids.size(); first += kTile) {
    const std::size_t size = std::min<std::size_t>(kTile, docids.size() - first);
    add_tile(docids.subspan(first, size), freqs.subspan(first, size), lengths, list);
  }
  return list;
}

}  // namespace gannet::index
