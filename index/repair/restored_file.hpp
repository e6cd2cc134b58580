// What little is wrong with a file, put right: flipped bits and a cut end that checksums give back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>

#include "index/files/container/container.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

struct RestoredFile {
  MappedFile file;  ///< in memory; the one on the disk stays as it is
  std::uint64_t blocks =
      0;  ///< of 4 KiB that were put right; header, table, footer count as blocks
};

/// A damaged file with what can be put right of it; nothing if that is nothing. `written`: what the
/// manifest says of the file.
///
/// - The header is the same for all files of a kind.
/// - The footer follows from the rest of the file. It is right if its checksum is that of the
///   manifest, and then so are header, section table and checksums of blocks. If these are lost,
///   they follow from the sections, but for files of fields and of positions, if all sections are
///   as they were.
/// - One flipped bit of a block of 4 KiB, or of the section table, is found by trying all: that
///   bytes with another bit flipped have the same checksum has a chance of 2^-49 for a block.
///
/// Blocks with more damage stay as they are. Where many are damaged, it was no flipped bit, and
/// none is tried. `segment`: the statistics of the file's segment. Throws IoError for a file that
/// cannot be read, CancelledError.
std::optional<RestoredFile> restore_file(const std::filesystem::path& path, FileKind kind,
                                         const FileSummary& written, const Statistics& segment,
                                         const std::stop_token& stop);

}  // namespace gannet::index
