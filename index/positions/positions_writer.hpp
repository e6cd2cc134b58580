// Writing a segment's file of positions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "index/files/container/container.hpp"
#include "index/files/spool.hpp"
#include "index/positions/encoded_positions.hpp"
#include "index/positions/positions_layout.hpp"

namespace gannet::index {

/// The spans of a text that are written.
struct SpansOfText {
  std::uint32_t text = kMainText;
  std::span<const std::uint32_t> spans = {};    ///< by docid
  std::span<const std::uint32_t> lengths = {};  ///< as many, none greater than the span
};

/// Codes of long lists go to the file as they come; the rest is set aside. Not thread-safe.
class PositionsWriter {
 public:
  /// `scratch`: a directory for temporary files.
  PositionsWriter(const std::filesystem::path& path, const std::filesystem::path& scratch);

  /// Appends the positions of the next list, which has `tiles` tiles, 0 if it is short. Throws
  /// UsageError, which names `term`, if it has none, or they are not those of such a list.
  void add(const std::string& term, const EncodedPositions& positions, std::uint32_t tiles);
  /// Writes the rest of the file. `spans`: those that are not the lengths of their texts. Throws
  /// UsageError for a span below its length, CancelledError as the thread's StopScope says.
  FileSummary finish(std::span<const SpansOfText> spans);
  void publish_new() { file_.publish_new(); }

 private:
  void begin_list();
  void end_block();
  void add_short(const EncodedPositions& positions);
  void add_tiles(const std::string& term, const EncodedPositions& positions);
  void begin_tile(const std::string& term, std::uint64_t start);

  ContainerWriter file_;
  Spool tile_offsets_;
  Spool tile_bases_;
  Spool short_bits_;
  Spool short_sizes_;
  Spool short_blocks_;
  std::uint64_t lists_ = 0;
  std::uint64_t tiles_ = 0;
  std::uint64_t base_ = 0;           ///< of the tile that comes next
  std::uint64_t tile_bytes_ = 0;     ///< written of section TBIT
  std::vector<std::uint8_t> block_;  ///< codes of the short lists of a block, with padding
  std::uint64_t block_bits_ = 0;
};

}  // namespace gannet::index
