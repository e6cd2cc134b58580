// How many bits an index spends on what.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "index/index.hpp"
#include "tools/output/positions_size.hpp"

namespace gannet::tools {

/// Bits that the postings of some lists take together, without the rows of the list table.
struct ListSize {
  std::uint64_t lists = 0;
  std::uint64_t postings = 0;
  std::uint64_t tiles = 0;
  std::uint64_t docid_bits = 0;
  std::uint64_t freq_bits = 0;
  std::uint64_t skip_bits = 0;  ///< skips and the bounds beside them

  void add(const index::PostingList& list);
  /// Bits a posting, of `all_bits` of all of them.
  double bits(std::uint64_t all_bits) const {
    return postings == 0 ? 0 : static_cast<double>(all_bits) / static_cast<double>(postings);
  }
};

struct FileSize {
  std::string name;
  std::uint64_t bytes;
};

struct IndexSize {
  ListSize all;
  std::array<ListSize, 32> by_length;  ///< lists of 2^i .. 2^(i+1) - 1 postings
  std::vector<FileSize> files;         ///< of the index's directory, by name
  PositionsSize positions;

  std::uint64_t bytes() const;
};

IndexSize measure(const index::Index& index);

}  // namespace gannet::tools
