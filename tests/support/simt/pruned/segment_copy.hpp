// A segment as the kernels of the pruned search read it, in host memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "index/index.hpp"
#include "index/lists/bound_code.hpp"
#include "query/gpu/plan/batch.hpp"
#include "query/gpu/plan/device_lists.hpp"
#include "query/gpu/plan/list_placement.hpp"
#include "query/gpu/plan/text_offsets.hpp"

namespace gannet::query::cuda {

template <class T>
std::vector<T> joined(std::span<const T> first, const std::vector<T>& second) {
  std::vector<T> both(first.begin(), first.end());
  both.insert(both.end(), second.begin(), second.end());
  both.resize(both.size() + 8);
  return both;
}

/// A segment as the kernels read it.
struct SegmentCopy {
  explicit SegmentCopy(const index::Segment& segment)
      : lists(segment),
        words(joined(segment.words(), lists.words)),
        skips(joined(segment.skips(), lists.skips)),
        max_freqs(joined<std::uint32_t>(numbers_of(segment.max_freqs()), lists.max_freqs)),
        min_lengths(joined<std::uint32_t>(numbers_of(segment.min_lengths()), lists.min_lengths)),
        texts(segment),
        lengths(texts.values()) {
    fill_lengths(segment, index::kMainText);
    for (const std::uint32_t text : texts.fields()) fill_lengths(segment, text);
    view.words = words.data();
    view.skips = skips.data();
    view.max_freqs = max_freqs.data();
    view.min_lengths = min_lengths.data();
    view.lengths = lengths.data();
    view.documents = static_cast<std::uint32_t>(segment.statistics().documents);
    view.docid_codec = segment.docid_codec().id;
    view.freq_codec = segment.freq_codec().id;
  }

  /// Keeps the lists that fit into `room` words where kernels take the device's memory to be, the
  /// others elsewhere; as split_words.cpp does.
  void split(std::uint64_t room) {
    const std::vector<ListWords> places = words_of_lists(lists.table, words.size() - 8);
    on_device.assign(room + 8, 0);
    view.words = on_device.data();
    view.device_words = on_device.size();
    view.host_bytes_read = &host_bytes_read;
    const std::uint64_t host = offset_between(on_device.data(), words.data());
    for (DeviceList& list : lists.table) list.first_word += host;
    const std::vector<std::uint32_t> uses(lists.table.size());
    for (const PlacedList& list : place_lists(places, uses, room)) {
      const std::uint64_t first = places[list.term].first;
      std::copy_n(words.data() + first, places[list.term].count,
                  on_device.data() + list.first_word);
      std::fill_n(words.data() + first, places[list.term].count, 0xdeadbeefu);
      lists.table[list.term].first_word = list.first_word;
    }
  }

  void fill_lengths(const index::Segment& segment, std::uint32_t text) {
    std::ranges::copy(segment.text_lengths(text),
                      lengths.begin() + static_cast<std::ptrdiff_t>(texts.of(text)));
  }

  /// The numbers that bounds stand for.
  static std::vector<std::uint32_t> numbers_of(std::span<const std::uint16_t> codes) {
    std::vector<std::uint32_t> numbers(codes.size());
    std::ranges::transform(codes, numbers.begin(), index::number_of_bound);
    return numbers;
  }

  DeviceLists lists;
  std::vector<std::uint32_t> words, skips, max_freqs, min_lengths;
  TextOffsets texts;
  std::vector<std::uint32_t> lengths, on_device;
  unsigned long long host_bytes_read = 0;
  IndexView view{};
};

}  // namespace gannet::query::cuda
