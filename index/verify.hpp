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
  /// Empty: the index is sound. Else a line each: file, section or term, and what is wrong.
  std::vector<std::string> problems = {};
  std::uint64_t files = 0;     ///< files checked, the manifest included
  std::uint64_t bytes = 0;     ///< their bytes
  std::uint64_t lists = 0;     ///< lists decoded
  std::uint64_t postings = 0;  ///< postings decoded
  std::uint64_t values = 0;    ///< values of fields decoded
};

/// Most problems that a report holds.
inline constexpr std::size_t kMaxProblems = 100;

/// Checks lengths and checksums of all files and sections, decodes every list (docids ascending and
/// in range, frequencies >= 1 and adding up to the collection frequency, skips and bounds exact),
/// the order of the terms, the statistics, the stored text, and the columns of the fields. The
/// report has the problems in the order of the files, at most kMaxProblems; what is damaged beyond
/// reading is one of them.
///
/// Works on `threads` threads (0: all cores) and takes 8 bytes per posting of the longest lists at
/// work. `progress` is called now and then with bytes done and bytes in all, by one thread at a
/// time; an exception from it ends the check. Throws IoError, FormatError or VersionError only if
/// the manifest cannot be read; CancelledError or DeadlineError soon after
/// `limits` ask for the end. An index that a
/// writer replaces meanwhile is checked as it was at the beginning.
VerifyReport verify_index(
    const std::filesystem::path& directory, unsigned threads = 0,
    const std::function<void(std::uint64_t done, std::uint64_t total)>& progress = {},
    const Limits& limits = {});

}  // namespace gannet::index
