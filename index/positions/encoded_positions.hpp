// The positions of a posting list on their way to the disk.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "index/segment/segment.hpp"

namespace gannet::index {

/// The positions of all postings of a list, one posting behind the other: as many of each as its
/// frequency, strictly ascending and below the span of its document. `spans`: by docid, of all
/// documents of the segment. No values: the list has no positions.
struct ListPositions {
  std::span<const std::uint32_t> values = {};
  std::span<const std::uint32_t> spans = {};
};

struct EncodedPositions {
  std::vector<std::uint8_t> bytes = {};
  std::uint64_t bits = 0;  ///< of a short list, which has no tiles
  /// Of other lists, of each tile: where its code ends in `bytes`.
  std::vector<std::uint64_t> tile_ends = {};
  bool there = false;  ///< the list has positions, if of no bits
};

/// Encodes the positions of a list of `docids` with `freqs`. Throws UsageError, which names the
/// term, for positions that are not as ListPositions has them, and for those of 128 documents that
/// take more than 4 GB, before room is made for them; CancelledError as the thread's StopScope
/// says. Thread-safe.
EncodedPositions encode_list_positions(const std::string& term, std::span<const Docid> docids,
                                       std::span<const std::uint32_t> freqs,
                                       const ListPositions& positions);

}  // namespace gannet::index
