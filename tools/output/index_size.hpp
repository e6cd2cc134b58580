// How many bits an index spends on what.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "index/index.hpp"

namespace gannet::tools {

/// Words (of 32 bits) that some lists take together.
struct ListSize {
  std::uint64_t lists = 0;
  std::uint64_t postings = 0;
  std::uint64_t tiles = 0;
  std::uint64_t docid_words = 0;
  std::uint64_t freq_words = 0;
  std::uint64_t skip_words = 0;  ///< skips and the bounds beside them

  void add(const index::PostingList& list);
  /// Bits a posting that `words` make.
  double bits(std::uint64_t words) const {
    return postings == 0 ? 0 : 32.0 * static_cast<double>(words) / static_cast<double>(postings);
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

  std::uint64_t bytes() const;
};

IndexSize measure(const index::Index& index);

}  // namespace gannet::tools
