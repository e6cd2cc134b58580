// Saving what is whole of a damaged index.
//
//     const RepairReport report = repair_index("damaged", "repaired", {});
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/deadline.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

struct RepairOptions {
  bool overwrite = false;  ///< replace an index that is in the output directory
  /// As BuildOptions has them.
  std::uint64_t memory = std::uint64_t{2048} << 20;
  unsigned threads = 0;
  std::stop_token stop = {};
  /// Once it has passed, the call ends with DeadlineError, as after a stop request.
  Deadline deadline = kNoDeadline;
  std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)> progress =
      {};
};

struct RepairReport {
  Statistics statistics = {};  ///< of the repaired index
  std::uint64_t segments_lost = 0;
  std::uint64_t documents_lost = 0;  ///< those of lost segments among them
  std::uint64_t lists_lost = 0;      ///< of other segments, as what follows
  std::uint64_t texts_lost = 0;
  std::uint64_t columns_lost = 0;    ///< a field in a segment counts once
  std::uint64_t lengths_lost = 0;    ///< documents whose length was counted anew
  std::uint64_t deletions_lost = 0;  ///< segments of which nobody knows what was deleted
  /// Of their documents, those that are left out: a later one has their id.
  std::uint64_t replaced_left_out = 0;
  /// Deleted documents that are back, at most: nothing tells them from others.
  std::uint64_t deleted_back = 0;
  std::vector<std::string> problems = {};  ///< what verify_index() says of the damaged one
  double seconds = 0;

  /// Whether all of the index was there.
  bool whole() const {
    return documents_lost + lists_lost + texts_lost + columns_lost + lengths_lost + deletions_lost +
               problems.size() ==
           0;
  }
};

/// Writes what can be read of the index in `damaged` to a new index in `output`, as many segments
/// as there are left; nothing in `damaged` is changed. Lists, stored texts, columns and documents
/// that cannot be read are left out, and counted; documents whose ids cannot be read are, too. A
/// segment is lost with its documents if its lexicon, its documents or its postings are missing, or
/// damaged in their header, footer or tables; without its texts or its fields it loses these alone.
/// Lookups by id are made anew. Deleted documents are dropped; if it is not known any
/// more which they are, those are whose id a later document has: they were replaced, and the newest
/// one wins. Others are back.
///
/// What is kept is what was written, to the byte: bytes are lost in blocks of 4 KiB whose checksum
/// is wrong. An id of such a block is kept if the lookup by id, which is sound, has its document;
/// lengths of documents there are counted anew from the lists. Throws IoError or FormatError for a
/// manifest that cannot be read: then there is nothing to go by; VersionError if the index has what
/// this version does not know and would lose; UsageError for an output that may not be written,
/// CancelledError.
RepairReport repair_index(const std::filesystem::path& damaged, const std::filesystem::path& output,
                          const RepairOptions& options);

}  // namespace gannet::index
