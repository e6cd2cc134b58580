// A segment as the kernels of the pruned search read it, in host memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/index.hpp"
#include "query/device/batch.hpp"
#include "query/device/device_lists.hpp"

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
        lengths(segment.document_lengths().begin(), segment.document_lengths().end()) {
    view.words = words.data();
    view.skips = skips.data();
    view.lengths = lengths.data();
    view.documents = static_cast<std::uint32_t>(segment.statistics().documents);
    view.docid_codec = segment.docid_codec().id;
    view.freq_codec = segment.freq_codec().id;
  }

  DeviceLists lists;
  std::vector<std::uint32_t> words, skips, lengths;
  IndexView view{};
};

}  // namespace gannet::query::cuda
