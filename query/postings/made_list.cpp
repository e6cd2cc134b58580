#include "query/postings/made_list.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/lists/list_table.hpp"
#include "query/postings/posting_stream.hpp"
#include "query/postings/window_postings.hpp"

namespace gannet::query {
namespace {

/// Fewer postings than one for so many documents are sorted; others are added up by windows.
constexpr std::uint64_t kDocumentsPerSortedPosting = 64;
constexpr index::Docid kDocumentsAtATime = 1u << 16;
constexpr std::uint64_t kMostFrequency = std::numeric_limits<std::uint32_t>::max();

void add(MadePostings& postings, index::Docid docid, std::uint64_t frequency) {
  postings.docids.push_back(docid);
  postings.frequencies.push_back(static_cast<std::uint32_t>(std::min(frequency, kMostFrequency)));
}

MadePostings sorted_union(std::vector<PostingStream>& streams, index::Docid end) {
  std::vector<std::pair<index::Docid, std::uint32_t>> all;
  for (PostingStream& stream : streams) {
    throw_if_stopped();
    stream.take_until(end, [&](const index::Docid* docids, std::uint32_t n, std::uint32_t posting) {
      const std::uint32_t* const frequencies = stream.frequencies(posting);
      for (std::uint32_t i = 0; i < n; ++i) all.emplace_back(docids[i], frequencies[i]);
    });
  }
  std::ranges::sort(all);
  MadePostings sums;
  for (std::size_t i = 0; i < all.size();) {
    const index::Docid docid = all[i].first;
    std::uint64_t sum = 0;
    for (; i < all.size() && all[i].first == docid; ++i) sum += all[i].second;
    add(sums, docid, sum);
  }
  return sums;
}

MadePostings windowed_union(std::vector<PostingStream>& streams, std::uint64_t documents) {
  MadePostings sums;
  std::vector<std::uint64_t> window(kDocumentsAtATime);
  for (std::uint64_t first = 0; first < documents; first += kDocumentsAtATime) {
    throw_if_stopped();
    const auto begin = static_cast<index::Docid>(first);
    const auto end = static_cast<index::Docid>(std::min(first + kDocumentsAtATime, documents));
    for (PostingStream& stream : streams) {
      stream.take_until(end,
                        [&](const index::Docid* docids, std::uint32_t n, std::uint32_t posting) {
                          const std::uint32_t* const frequencies = stream.frequencies(posting);
                          for (std::uint32_t i = 0; i < n; ++i)
                            window[docids[i] - begin] += frequencies[i];
                        });
    }
    for (index::Docid docid = begin; docid < end; ++docid) {
      if (window[docid - begin] != 0) add(sums, docid, window[docid - begin]);
    }
    std::ranges::fill(window, 0);
  }
  return sums;
}

MadePostings add_up(const index::Segment& segment, std::span<const index::TermId> terms) {
  std::vector<PostingStream> streams;
  streams.reserve(terms.size());
  std::uint64_t postings = 0;
  for (const index::TermId term : terms) {
    throw_if_stopped();
    streams.emplace_back(segment, term);
    postings += streams.back().count();
  }
  const std::uint64_t documents = segment.statistics().documents;
  return postings < documents / kDocumentsPerSortedPosting
             ? sorted_union(streams, static_cast<index::Docid>(documents))
             : windowed_union(streams, documents);
}

/// A list as it would be read from a segment's files.
index::PostingList view_of(const index::EncodedList& encoded, std::size_t documents,
                           const index::Segment& segment) {
  index::ByteReader reader{std::span<const std::uint8_t>(encoded.row)};
  index::ListRow row;
  if (!read_row(reader, index::RowShape::of(documents, 2), row)) {
    throw FormatError("a list that was made for a query was not encoded right");
  }
  index::PostingList list;
  list.count = row.count;
  if (row.is_short()) {
    list.packed = row.packed;
    return list;
  }
  list.docid_codec = &segment.docid_codec();
  list.freq_codec = &segment.freq_codec();
  const std::span<const std::uint32_t> words = encoded.words;
  list.docid_words = words.first(row.streams[0].words);
  list.freq_words = words.subspan(row.streams[0].words);
  list.skips = encoded.skips;
  list.max_freqs = encoded.max_freqs;
  list.min_lengths = encoded.min_lengths;
  return list;
}

}  // namespace

std::size_t ListRecipe::hash() const {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;
  std::uint64_t hash = terms.size();
  const auto add_number = [&](std::uint64_t number) {
    hash = (hash ^ number) * kOdd;
    hash ^= hash >> 32;
  };
  for (const index::TermId term : terms) add_number(term);
  add_number(static_cast<std::uint64_t>(kind));
  if (kind == Kind::kWindow) {
    for (const std::uint32_t end : ends) add_number(end);
    for (const std::uint32_t place : window.places) add_number(place);
    add_number(std::uint64_t{window.distance} << 8 | static_cast<std::uint64_t>(window.kind));
  }
  return static_cast<std::size_t>(hash);
}

MadeList::MadeList(const index::Segment& segment, ListRecipe recipe, std::uint32_t text)
    : recipe_(std::move(recipe)), hash_(recipe_.hash()) {
  const bool is_window = recipe_.kind == ListRecipe::Kind::kWindow;
  MadePostings made =
      is_window ? window_postings(segment, recipe_) : add_up(segment, recipe_.terms);
  if (recipe_.kind == ListRecipe::Kind::kOne) std::ranges::fill(made.frequencies, 1u);
  if (made.docids.empty()) return;
  const std::span<const std::uint32_t> lengths = segment.text_lengths(text);
  encoded_ = index::encode_list("", made.docids, made.frequencies, lengths, segment.docid_codec(),
                                segment.freq_codec());
  list_ = view_of(encoded_, lengths.size(), segment);
  occurrences_ =
      std::accumulate(made.frequencies.begin(), made.frequencies.end(), std::uint64_t{0});
}

std::size_t MadeList::bytes() const {
  return sizeof(*this) + recipe_.bytes() + encoded_.row.capacity() +
         (encoded_.words.capacity() + encoded_.skips.capacity()) * sizeof(std::uint32_t) +
         2 * encoded_.max_freqs.capacity() * sizeof(std::uint16_t);
}

}  // namespace gannet::query
