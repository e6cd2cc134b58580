// Giving the documents of an index other docids, without reading their sources again.
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
  /// Where the index goes; empty: in its own place.
  std::filesystem::path output = {};
  bool overwrite = false;  ///< replace an index that is in `output`
  /// As BuildOptions has them.
  std::uint64_t memory = std::uint64_t{2048} << 20;
  unsigned threads = 0;
  std::stop_token stop = {};
  /// Once it has passed, the call ends with DeadlineError, as after a stop request.
  Deadline deadline = kNoDeadline;
  std::function<void()> memory_freed = {};
  std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)> progress =
      {};
};

struct ReorderReport {
  Statistics statistics = {};
  std::size_t segments_before = 0;
  std::uint64_t moved = 0;    ///< documents that have another docid than before
  std::uint64_t dropped = 0;  ///< deleted documents, which are left out
  bool written = true;        ///< false: in place, and nothing had to change
  double order_seconds = 0;   ///< for finding the order
  double seconds = 0;         ///< in all
};

/// Writes an index with its documents in another order, as one segment, in one commit: what others
/// see is the index as it was or in its new order. Lists, lengths, bounds, ids, texts and fields
/// get the bytes that building the documents in this order gives. Documents keep their names: where
/// they had no ids, the docids that they had become their ids, unless nothing moves. Scores stay
/// the same, but for what deleted documents had to do with them: they are left out. Hits with equal
/// scores come in the order of the new docids. Lists are decoded, sorted and encoded one by one,
/// texts and columns read in passes over what fits in memory; 32 bytes per document are in memory
/// all the time, and what finding the order takes before. Needs room on the disk for the new index
/// beside the old one. Throws UsageError for an order that the index has not, more than 2^29
/// documents, too little memory, and while another writer is at work; InputError for a list of ids
/// that is not all documents'; FormatError for a damaged index, IoError, CancelledError.
ReorderReport reorder_index(const std::filesystem::path& directory, const DocumentOrder& order,
                            const ReorderOptions& options = {});

}  // namespace gannet::index
