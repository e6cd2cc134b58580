// The positions of a segment's lists, as they are stored.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codecs/base/threads/once.hpp"
#include "index/fields/schema.hpp"
#include "index/files/container/container.hpp"
#include "index/positions/positions_layout.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

/// A mapped file of positions. PositionCursor reads it. Immutable, safe from any number of threads.
///
/// Bytes are checked, by blocks of 4 KiB, when they are first used: functions throw DamageError,
/// which names the file.
class Positions {
 public:
  /// Where the code of a tile, or of a short list, is.
  struct Extent {
    const std::uint8_t* bytes = nullptr;  ///< of the section; aligned to 64, and padded
    std::uint64_t first_bit = 0;
    std::uint64_t end_bit = 0;  ///< of a tile up to the next whole byte
  };

  /// Checks that the sections fit each other, in constant time; looks at no list. The segment has
  /// `tiles` tiles of lists that are not short.
  Positions(std::filesystem::path path, MappedFile file, const Schema& schema,
            const Statistics& statistics, std::uint64_t tiles);
  /// Spans alone, of a file whose lists nobody knows: they have no positions here.
  Positions(std::filesystem::path path, MappedFile file, const Schema& schema,
            std::uint64_t documents);
  Positions(const Positions&) = delete;
  Positions& operator=(const Positions&) = delete;

  /// The code of a tile of a list that is not short. `tile`: its number among those of all lists,
  /// as in section SKIP. O(1).
  Extent tile(std::uint64_t tile) const;
  /// The code of a short list. Adds up the sizes of up to kListsOfBlock lists.
  Extent short_list(TermId id) const;

  /// The spans of a text with these lengths, by docid; `lengths` if they are the same. The first
  /// call for a text checks and decodes them all, which then take 4 bytes a document.
  std::span<const std::uint32_t> spans(std::uint32_t text,
                                       std::span<const std::uint32_t> lengths) const;

  // The sections, for back ends that copy them to a device. Nothing of them is checked.
  std::span<const std::uint8_t> tile_bits() const { return tile_bits_; }
  std::span<const std::uint32_t> tile_offsets() const { return tile_offsets_; }
  std::span<const std::uint64_t> tile_bases() const { return tile_bases_; }
  std::span<const std::uint8_t> short_bits() const { return short_bits_; }
  std::span<const std::uint8_t> short_sizes() const { return short_sizes_; }
  std::span<const ShortBlock> short_blocks() const { return short_blocks_; }

  const ContainerReader& file() const { return file_; }

 private:
  /// Spans that differ from lengths, once they were asked for.
  struct Spans {
    Once once;
    std::vector<std::uint32_t> spans;
  };

  void check_ends() const;
  std::vector<std::uint32_t> decode_spans(Tag tag, std::span<const std::uint32_t> lengths) const;
  std::uint64_t tile_start(std::uint64_t tile) const;
  [[noreturn]] void fail_tile(std::uint64_t tile) const;
  [[noreturn]] void fail_short(TermId id) const;

  ContainerReader file_;
  std::uint64_t documents_;
  std::span<const std::uint8_t> tile_bits_;
  std::span<const std::uint32_t> tile_offsets_;
  std::span<const std::uint64_t> tile_bases_;
  std::span<const std::uint8_t> short_bits_;
  std::span<const std::uint8_t> short_sizes_;
  std::span<const ShortBlock> short_blocks_;
  std::unique_ptr<Spans[]> spans_;  ///< of the main text, then by field
};

}  // namespace gannet::index
