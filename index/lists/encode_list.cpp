#include <algorithm>
#include <utility>

#include "index/files/messages.hpp"
#include "index/segment_writer.hpp"

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

void summarize_tile(std::span<const Docid> docids, std::span<const std::uint32_t> freqs,
                    std::span<const std::uint32_t> lengths, EncodedList& list) {
  std::uint32_t max_freq = 0;
  std::uint32_t min_length = ~0u;
  for (std::size_t i = 0; i < docids.size(); ++i) {
    max_freq = std::max(max_freq, freqs[i]);
    min_length = std::min(min_length, lengths[docids[i]]);
    list.collection_frequency += freqs[i];
  }
  list.skips.push_back(docids.back());
  list.max_freqs.push_back(max_freq);
  list.min_lengths.push_back(min_length);
}

}  // namespace

EncodedList encode_list(std::string term, std::span<const Docid> docids,
                        std::span<const std::uint32_t> freqs,
                        std::span<const std::uint32_t> lengths,
                        const codecs::ListCodec& docid_codec, const codecs::ListCodec& freq_codec) {
  check_postings(term, docids, freqs, lengths.size());
  EncodedList list;
  list.term = std::move(term);
  list.count = static_cast<std::uint32_t>(docids.size());
  const std::size_t tiles = codecs::tile_count(list.count);
  list.skips.reserve(tiles);
  list.max_freqs.reserve(tiles);
  list.min_lengths.reserve(tiles);
  for (std::size_t first = 0; first < docids.size(); first += kTile) {
    const std::size_t size = std::min<std::size_t>(kTile, docids.size() - first);
    summarize_tile(docids.subspan(first, size), freqs.subspan(first, size), lengths, list);
  }
  docid_codec.encode_docids(docids, list.words);
  list.docid_words = static_cast<std::uint32_t>(list.words.size());
  std::vector<std::uint32_t> values(freqs.size());
  std::transform(freqs.begin(), freqs.end(), values.begin(),
                 [](std::uint32_t freq) { return freq - 1; });
  freq_codec.encode(values, list.words);
  return list;
}

}  // namespace gannet::index
