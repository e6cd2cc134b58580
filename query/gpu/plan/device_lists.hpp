// The lists of a segment as the kernels read them. Host code; needs no GPU.
#pragma once

#include <cstdint>
#include <vector>

#include "index/index.hpp"

namespace gannet::query::cuda {

/// Where a list is: in the words and tiles of the segment, or behind them in those of the
/// DeviceLists.
struct DeviceList {
  std::uint64_t first_word;
  std::uint64_t first_tile;
  std::uint32_t docid_words;  ///< the frequencies' words follow
  std::uint32_t count;
};

/// On the device every list is encoded with the segment's codecs, so that kernels need not ask.
/// Most words are so on disk and are copied as they are. What is not (short lists, which are packed
/// without skips and bounds, and lists with codecs of their own) is encoded here, and stands behind
/// the segment's words, skips and bounds. Takes 24 bytes per term, besides these words.
struct DeviceLists {
  /// Reads all lists that are not copied as they are. Damaged ones get no location: Segment::list()
  /// refuses them when they are used.
  explicit DeviceLists(const index::Segment& segment);

  std::vector<DeviceList> table;  ///< by term
  std::vector<std::uint32_t> words, skips, max_freqs, min_lengths;
};

}  // namespace gannet::query::cuda
