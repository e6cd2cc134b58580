// Some documents of a segment, asked for by docid.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "index/index.hpp"

namespace gannet::query {

/// A bitmap with the number of members before each word: 1.5 bits per document of the segment.
class DocumentSet {
 public:
  /// `members`: ascending, distinct, < documents. The set refers to them.
  DocumentSet(std::span<const index::Docid> members, std::uint64_t documents)
      : members_(members), words_(documents / 64 + 1, 0), before_(documents / 64 + 1, 0) {
    for (const index::Docid docid : members) words_[docid / 64] |= std::uint64_t{1} << docid % 64;
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      before_[i] = sum;
      sum += static_cast<std::uint32_t>(std::popcount(words_[i]));
    }
  }

  std::span<const index::Docid> members() const { return members_; }

  /// Needs docid < documents, as below.
  bool holds(index::Docid docid) const { return (words_[docid / 64] >> docid % 64 & 1) != 0; }

  /// How many members are less than docid: the number of the member that docid is or would be.
  std::uint32_t rank(index::Docid docid) const {
    const std::uint64_t below = (std::uint64_t{1} << docid % 64) - 1;
    return before_[docid / 64] +
           static_cast<std::uint32_t>(std::popcount(words_[docid / 64] & below));
  }

 private:
  std::span<const index::Docid> members_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> before_;  ///< members in the words before
};

}  // namespace gannet::query
