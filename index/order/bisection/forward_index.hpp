// The terms of each document: what bisection looks at.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/index.hpp"
#include "index/order/find_order.hpp"

namespace gannet::index {

/// Numbers of terms, document by document, in memory. Terms of all documents have no order to make,
/// and those of fewer than 128 (one in 64 documents of a small collection) hardly any; if memory is
/// too small for the rest, the terms of the fewest documents are left out. Documents are numbered
/// without those that are deleted. Different documents may be changed by different threads.
class ForwardIndex {
 public:
  /// Reads the lists of the index twice. Takes at most work.memory bytes together with what
  /// bisection needs besides; throws UsageError if not even the longest list fits in. Throws
  /// FormatError for damaged lists, CancelledError.
  ForwardIndex(const Index& index, const OrderWork& work);

  Docid documents() const { return static_cast<Docid>(counts_.size()); }
  /// Numbers of terms are less.
  std::uint32_t terms() const { return terms_; }
  std::uint64_t postings() const { return starts_.back(); }
  /// The least number of documents that a term has, deleted ones too.
  std::uint32_t least() const { return least_; }

  /// The terms of a document, ascending; to be changed in place.
  std::span<std::uint32_t> of(Docid docid) {
    return std::span(numbers_).subspan(starts_[docid], counts_[docid]);
  }
  std::span<const std::uint32_t> of(Docid docid) const {
    return std::span(numbers_).subspan(starts_[docid], counts_[docid]);
  }
  /// Keeps the first `count` terms of a document.
  void shrink(Docid docid, std::uint32_t count) { counts_[docid] = count; }

 private:
  std::uint32_t terms_ = 0;
  std::uint32_t least_ = 0;
  std::vector<std::uint64_t> starts_;  ///< documents + 1
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace gannet::index
