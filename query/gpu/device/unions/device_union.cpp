#include "query/gpu/device/unions/device_union.hpp"

#include <utility>
#include <vector>

#include "codecs/core/tile.hpp"

namespace gannet::query::cuda {
namespace {

/// Decoders may read so many words behind a list (device_index.cpp).
constexpr std::size_t kPadding = 8;

/// A list as the segment's codecs encode it: words, and the last docid of each tile behind them.
struct Encoded {
  std::vector<std::uint32_t> words;
  std::uint32_t docid_words = 0;
  std::size_t first_skip = 0;
};

/// Short lists are packed on the host and have neither words nor skips.
void encode_short(const index::Segment& segment, const index::PostingList& list, Encoded& made,
                  std::vector<std::uint32_t>& skips) {
  std::vector<std::uint32_t> docids(list.count), frequencies(list.count);
  list.decode_docids(docids.data());
  list.decode_frequencies(frequencies.data());
  for (std::uint32_t& frequency : frequencies) --frequency;
  segment.docid_codec().encode_docids(docids, made.words);
  made.docid_words = static_cast<std::uint32_t>(made.words.size());
  segment.freq_codec().encode(frequencies, made.words);
  for (std::size_t end = codecs::kTile; end < docids.size(); end += codecs::kTile) {
    skips.push_back(docids[end - 1]);
  }
  skips.push_back(docids.back());
}

Encoded encoded(const index::Segment& segment, const index::PostingList& list) {
  Encoded made;
  std::vector<std::uint32_t> skips(list.skips.begin(), list.skips.end());
  if (list.docid_codec == nullptr) {
    encode_short(segment, list, made, skips);
  } else {
    made.words.assign(list.docid_words.begin(), list.docid_words.end());
    made.docid_words = static_cast<std::uint32_t>(made.words.size());
    made.words.insert(made.words.end(), list.freq_words.begin(), list.freq_words.end());
  }
  made.words.resize(made.words.size() + kPadding);
  made.first_skip = made.words.size();
  made.words.insert(made.words.end(), skips.begin(), skips.end());
  return made;
}

/// The offset from `base` that leads to `at`, in another array (list_location()).
std::uint64_t offset_of(const std::uint32_t* at, const std::uint32_t* base) {
  return (reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(base)) /
         sizeof(std::uint32_t);
}

}  // namespace

DeviceUnion::DeviceUnion(const index::Segment& segment, const IndexView& view,
                         std::shared_ptr<const MadeList> list, index::TermId number)
    : list_(std::move(list)) {
  const Encoded made = encoded(segment, list_->list());
  words_ = upload(std::span<const std::uint32_t>(made.words), MemoryUse::kColumns, kPadding);
  placed_ = {
      number,
      {offset_of(words_.data(), view.words), offset_of(words_.data() + made.first_skip, view.skips),
       made.docid_words, list_->list().count}};
}

}  // namespace gannet::query::cuda
