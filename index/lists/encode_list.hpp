// A posting list on its way to the disk.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codecs/registry.hpp"
#include "index/positions/encoded_positions.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

/// One encoded posting list, ready to be appended to a segment. Made on any thread by
/// encode_list().
struct EncodedList {
  std::string term = {};
  std::vector<std::uint8_t> row = {};  ///< of the list table; of a short list all there is
  std::vector<std::uint32_t> words = {};
  std::vector<std::uint32_t> skips = {};                        ///< one per tile
  std::vector<std::uint16_t> max_freqs = {}, min_lengths = {};  ///< one per tile
  EncodedPositions positions = {};
};

/// Encodes one list. `docids` strictly ascending and < lengths.size(), `freqs` >= 1, same length
/// >= 1; `lengths` of all documents of the segment. `positions` as ListPositions has them, or none.
/// Throws UsageError otherwise. Thread-safe.
EncodedList encode_list(std::string term, std::span<const Docid> docids,
                        std::span<const std::uint32_t> freqs,
                        std::span<const std::uint32_t> lengths,
                        const codecs::ListCodec& docid_codec, const codecs::ListCodec& freq_codec,
                        const ListPositions& positions = {});

}  // namespace gannet::index
