// Checking one posting list to the last value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/segment_reader.hpp"

namespace gannet::index {

/// Checks lists of a segment. One object per thread; it keeps its buffers from list to list.
class ListCheck {
 public:
  explicit ListCheck(const SegmentReader& segment) : segment_(segment) {}

  /// What is wrong with the list, or nothing: its structure, docids, frequencies, skips, bounds and
  /// collection frequency.
  std::optional<std::string> check(TermId id);

 private:
  std::optional<std::string> check_docids(const PostingList& list) const;
  std::optional<std::string> check_tiles(const PostingList& list) const;

  const SegmentReader& segment_;
  std::vector<std::uint32_t> docids_;
  std::vector<std::uint32_t> freqs_;  ///< frequency - 1, as stored
};

}  // namespace gannet::index
