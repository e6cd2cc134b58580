// Going through the documents of several lists at the same time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "query/postings/posting_stream.hpp"

namespace gannet::query {

/// The documents that any of several lists has, ascending, with the lists that have each. The lists
/// stand in a heap by the document that they are at (as in a merge sort), so that a list that is
/// ahead of a document is not asked for it. All steps together cost O(postings * log(lists)) at
/// most, however many documents are looked for. Not thread-safe.
class UnionWalk {
 public:
  /// One list or more, of which none has been read; the streams must outlive it. Two walks may
  /// share a stream if both are always taken to the same document before either is read.
  explicit UnionWalk(std::vector<PostingStream*> streams) : streams_(std::move(streams)) {
    for (std::uint32_t i = 0; i < streams_.size(); ++i) {
      postings_ += streams_[i]->count();
      if (!streams_[i]->at_end()) heap_.emplace_back(streams_[i]->docid(), i);
    }
    std::ranges::make_heap(heap_, std::greater<>());
  }

  /// Postings of all lists; no fewer than documents.
  std::uint64_t postings() const { return postings_; }

  /// Moves to the first document >= `docid` (never backwards). False if there is none. Throws
  /// CancelledError as the thread's StopScope says.
  bool seek(index::Docid docid) {
    while (!heap_.empty() && heap_.front().first < docid) {
      check_stop_();
      ++moves_;
      std::ranges::pop_heap(heap_, std::greater<>());
      auto& [at, stream] = heap_.back();
      if (!streams_[stream]->seek(docid)) {
        heap_.pop_back();
        continue;
      }
      at = streams_[stream]->docid();
      std::ranges::push_heap(heap_, std::greater<>());
    }
    return !heap_.empty();
  }

  /// The current document. Needs one: seek() was true, or none was called and some list has any.
  index::Docid docid() const { return heap_.front().first; }

  /// Calls visit(i) for each list that has the current document, in no order: in a heap they stand
  /// together at the root.
  template <class Visit>
  void for_each_here(const Visit& visit) {
    pending_.assign(1, 0);
    while (!pending_.empty()) {
      const std::size_t at = pending_.back();
      pending_.pop_back();
      visit(heap_[at].second);
      for (std::size_t child = 2 * at + 1; child <= 2 * at + 2; ++child) {
        if (child < heap_.size() && heap_[child].first == docid()) pending_.push_back(child);
      }
    }
  }

  /// How often a list was moved.
  std::uint64_t moves() const { return moves_; }

 private:
  std::vector<PostingStream*> streams_;
  std::vector<std::pair<index::Docid, std::uint32_t>> heap_;  ///< the least document in front
  std::vector<std::size_t> pending_;
  std::uint64_t postings_ = 0;
  std::uint64_t moves_ = 0;
  StopCheck check_stop_;
};

}  // namespace gannet::query
