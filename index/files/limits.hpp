// How much an index can hold. All code that writes, reads or numbers documents asks here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/core/tile.hpp"

namespace gannet::index {

/// Most documents a segment can have: as many as a posting list can have postings, so that every
/// term may be in all of them. A docid of a segment plus what kernels look ahead stays below 2^32.
inline constexpr std::uint64_t kMaxDocuments = codecs::kMaxListLength;
/// Documents of an index, all segments together. 2^32 - 1 is no docid of an index.
inline constexpr std::uint64_t kMaxIndexDocuments = 0xffffffff;
/// Most terms a segment can have.
inline constexpr std::uint64_t kMaxTerms = 0xffffffffu;
/// Most segments an index can have.
inline constexpr std::size_t kMaxSegments = 16384;
/// Most files of a segment, and streams of its posting lists: docids, frequencies, and what comes.
inline constexpr std::size_t kMaxSegmentFiles = 64;
inline constexpr std::uint32_t kMaxStreams = 8;
/// Most bytes of a manifest.
inline constexpr std::uint64_t kMaxManifestBytes = std::uint64_t{64} << 20;

/// What a thread may look ahead of a segment's documents, in documents, without leaving 32 bits.
inline constexpr std::uint64_t kDocidHeadroom = (std::uint64_t{1} << 32) - kMaxDocuments;

}  // namespace gannet::index
