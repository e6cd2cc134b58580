// Reordering the documents of an index: they get other docids, without their sources being read.
//
//     reorder_index("idx", parse_order("bisection"), {.memory = ...});
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string_view>

#include "codecs/base/deadline.hpp"
#include "index/document_order.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

struct ReorderOptions {
  /// The directory of the new index; empty: the index is replaced.
  std::filesystem::path output = {};
  bool overwrite = false;  ///< whether an index in `output` may be replaced
  double lock_wait = 0;    ///< WriteOptions::lock_wait, of the index that is written
  /// Like the members of BuildOptions with these names.
  std::uint64_t memory = std::uint64_t{2048} << 20;
  unsigned threads = 0;
  std::stop_token stop = {};
  Deadline deadline = kNoDeadline;
  std::function<void()> memory_freed = {};
  std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)> progress =
      {};
};

struct ReorderReport {
  Statistics statistics = {};       ///< of the index after the call
  std::size_t segments_before = 0;  ///< segments of the old index
  std::uint64_t moved = 0;          ///< documents that got another docid
  std::uint64_t dropped = 0;        ///< deleted documents, which are left out
  /// False if the index is reordered in place, is one segment without deleted documents, and has
  /// the order already: then nothing is written.
  bool written = true;
  double order_seconds = 0;  ///< wall time to find the order
  double seconds = 0;        ///< wall time in all
};

/// Writes the index in `directory` with its documents in another order, as one segment, in one
/// commit. Readers see the old index until the commit. The new segment has the bytes that building
/// the documents in this order gives. If the documents have no ids and the order changes, their old
/// docids in decimal become their ids. Deleted documents are left out, so that statistics change
/// with them; otherwise scores do not change. Hits with equal scores come in the order of the new
/// docids.
///
/// Posting lists are decoded, sorted and encoded one by one. Texts and columns are read in passes
/// that fit in memory. 32 bytes per document, and 12 more per text field, stay in memory during the
/// call; finding the order takes more before. All bytes of the index are checked first. The disk
/// needs room for the new index beside the old one.
///
/// Throws UsageError for an order that does not fit the index, more than 2^29 documents, too little
/// memory, a set of shards, an output that is the index or must not be written to, and while
/// another writer holds the index that is written; InputError for a list of ids that does not have
/// each document's id exactly once; FormatError for a damaged index; VersionError if the index has
/// parts that this version does not know and would lose; IoError, CancelledError and DeadlineError.
ReorderReport reorder_index(const std::filesystem::path& directory, const DocumentOrder& order,
                            const ReorderOptions& options = {});

}  // namespace gannet::index
