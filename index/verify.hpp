// Checking every byte of an index.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "codecs/base/deadline.hpp"

namespace gannet::index {

struct VerifyReport {
  /// One line per problem: file, section or term, and what is wrong. Empty if the index is
  /// undamaged. In the order of the files, at most kMaxProblems.
  std::vector<std::string> problems = {};
  std::uint64_t files = 0;           ///< files of the index, the manifest included
  std::uint64_t bytes = 0;           ///< bytes of these files
  std::uint64_t lists = 0;           ///< posting lists that were checked
  std::uint64_t postings = 0;        ///< postings of these lists
  std::uint64_t values = 0;          ///< values of fields that were decoded
  std::uint64_t positions = 0;       ///< of these postings, in segments that have positions
  std::uint64_t position_bytes = 0;  ///< bytes of the files of positions
};

/// Most problems that a report holds.
inline constexpr std::size_t kMaxProblems = 100;

/// Checks an index: sizes and checksums of all files and sections, every posting list (docids
/// ascending and in range, frequencies >= 1 with the recorded sum, skips and bounds exact) and the
/// positions of its postings, the order of the terms, ids and their lookup, lengths, statistics,
/// stored texts, and the columns of fields. Damage is reported, not thrown. An index that a writer
/// replaces meanwhile is checked as it was at the beginning. `directory` must be one index; for a
/// set of shards, call the function for each shard.
///
/// Uses `threads` threads (0: one per core, and never more than cores). Each thread takes 4 bytes
/// per posting of the longest list that it decoded, with positions 8 more and 4 per position, and a
/// segment up to 10 bytes per document, and
/// 4 more per text field, while it is checked. `progress` is called from time to time with the
/// bytes done and the bytes in all, by one thread at a time; an exception from it ends the check
/// and is passed on.
///
/// Throws IoError, FormatError or VersionError if the manifest cannot be read, IoError for a file
/// that exists and cannot be opened and if memory runs out, and CancelledError or DeadlineError
/// soon after `limits` ask for the end.
VerifyReport verify_index(
    const std::filesystem::path& directory, unsigned threads = 0,
    const std::function<void(std::uint64_t done, std::uint64_t total)>& progress = {},
    const Limits& limits = {});

}  // namespace gannet::index
