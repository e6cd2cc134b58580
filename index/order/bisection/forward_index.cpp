#include "index/order/bisection/forward_index.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <string>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "codecs/core/codec.hpp"
#include "index/order/located.hpp"
#include "index/updates/merge/merged_lists.hpp"

namespace gannet::index {
namespace {

/// Lists and postings that are decoded at a time.
constexpr std::size_t kLists = 1u << 13;
constexpr std::uint64_t kPostings = 1u << 20;
constexpr std::size_t kDecodedListsPerTask = 16;
constexpr std::size_t kVectorsPerTask = 1024;

/// Terms of fewer documents are left out, and of still fewer in small collections: such lists are
/// packed with one width and have no bounds, so that an order does little for them. With them,
/// lists of wikipedia-a and msdocs2 were hardly smaller in any codec, and larger in most
/// (bench/history/2026-11-23-document-orders.md).
constexpr std::uint64_t kMinDocuments = codecs::kTile;
constexpr std::uint64_t kMinShare = 64;  ///< one document in this many

/// Bytes of a document: its place in the forward index, and its candidate.
constexpr std::uint64_t kDocumentBytes = 8 + 4 + 8 + 4;
/// Bytes of a term in the tables of a split, of which each thread is at one.
constexpr std::uint64_t kTermBytes = 20;
/// Bytes of a posting that is decoded.
constexpr std::uint64_t kDecodedBytes = 8;

/// Which terms there is room for.
struct Selection {
  std::uint32_t least = 0, most = 0;  ///< documents that a term has, deleted ones too
  std::uint64_t terms = 0;
  std::uint64_t postings = 0;
};

std::uint64_t bytes_of(const Selection& selection, std::uint64_t threads) {
  // A split knows no more terms than half of its postings, since it drops those of one document.
  const std::uint64_t tables =
      std::min(kTermBytes * threads * selection.terms, kTermBytes / 2 * selection.postings);
  return selection.postings * sizeof(std::uint32_t) + tables;
}

class Selector {
 public:
  Selector(std::span<const MergedSegment> segments, std::uint64_t documents, const OrderWork& work)
      : documents_(documents), work_(work) {
    const std::uint64_t least = std::clamp<std::uint64_t>(documents / kMinShare, 2, kMinDocuments);
    MergedLists lists(segments, MergedLists::Places::kLeftOut);
    StopCheck check_stop(work.stop);
    for (PendingList list; lists.next(list);) {
      check_stop();
      if (list.max_values >= least && list.max_values < documents_) {
        ++lists_of_[static_cast<std::uint32_t>(list.max_values)];
      }
    }
  }

  /// The longest lists that there is room for.
  Selection select() const {
    Selection selection;
    if (lists_of_.empty()) return selection;
    const std::uint64_t taken =
        documents_ * kDocumentBytes + std::uint64_t{work_.threads} * kDecodedBytes *
                                          (kPostings / work_.threads + lists_of_.rbegin()->first);
    for (auto it = lists_of_.rbegin(); it != lists_of_.rend(); ++it) {
      const Selection more{it->first, lists_of_.rbegin()->first, selection.terms + it->second,
                           selection.postings + it->second * it->first};
      if (taken + bytes_of(more, work_.threads) > work_.memory) break;
      selection = more;
    }
    if (selection.terms == 0) fail(taken);
    return selection;
  }

 private:
  [[noreturn]] void fail(std::uint64_t taken) const {
    const std::uint64_t needed =
        taken + bytes_of({0, 0, 1, lists_of_.rbegin()->first}, work_.threads);
    throw UsageError("the memory budget is too small for bisection of " +
                     std::to_string(documents_) + " documents: " + std::to_string(work_.memory) +
                     " bytes are left, and one term takes " + std::to_string(needed) +
                     "; give several times as much, the more the better the order");
  }

  std::uint64_t documents_;
  const OrderWork& work_;
  std::map<std::uint32_t, std::uint64_t> lists_of_;  ///< how many, by their length
};

/// Calls f(number of the list, its docids) for the lists of a selection, in parallel.
class ListPass {
 public:
  ListPass(std::span<const MergedSegment> segments, const Selection& selection,
           const OrderWork& work)
      : lists_(segments, MergedLists::Places::kLeftOut),
        least_(selection.least),
        most_(selection.most),
        work_(work) {}

  template <class F>
  void run(std::string_view stage, std::uint64_t total, const F& f) {
    std::vector<PendingList> batch;
    for (std::uint32_t first = 0; take(batch); first += static_cast<std::uint32_t>(batch.size())) {
      throw_if_stopped(work_.stop);
      if (work_.progress) work_.progress(stage, first, total);
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, batch.size(), kDecodedListsPerTask),
                        [&](const tbb::blocked_range<std::size_t>& range) {
                          ListPostings& buffers = buffers_.local();
                          for (std::size_t i = range.begin(); i != range.end(); ++i) {
                            lists_.postings(batch[i], buffers);
                            f(first + static_cast<std::uint32_t>(i), buffers.docids);
                          }
                        });
    }
  }

 private:
  bool take(std::vector<PendingList>& batch) {
    batch.clear();
    std::uint64_t postings = 0;
    for (PendingList list; batch.size() < kLists && postings < kPostings && lists_.next(list);) {
      if (list.max_values < least_ || list.max_values > most_) continue;
      postings += list.max_values;
      batch.push_back(list);
    }
    return !batch.empty();
  }

  MergedLists lists_;
  std::uint32_t least_, most_;
  const OrderWork& work_;
  tbb::enumerable_thread_specific<ListPostings> buffers_;
};

}  // namespace

ForwardIndex::ForwardIndex(const Index& index, const OrderWork& work) {
  const std::vector<MergedSegment> segments = live_segments(index);
  std::uint64_t count = 0;
  for (const MergedSegment& segment : segments) count += segment.documents();
  starts_.resize(count + 1);
  counts_.resize(count);
  const Selection selection = Selector(segments, count, work).select();
  if (selection.terms == 0) return;
  terms_ = static_cast<std::uint32_t>(selection.terms);
  least_ = selection.least;
  using Count = std::atomic_ref<std::uint32_t>;
  ListPass(segments, selection, work)
      .run("counting terms", terms_, [&](std::uint32_t, const std::vector<Docid>& docids) {
        for (const Docid d : docids) Count(counts_[d]).fetch_add(1, std::memory_order_relaxed);
      });
  for (std::size_t d = 0; d < counts_.size(); ++d) starts_[d + 1] = starts_[d] + counts_[d];
  numbers_.resize(starts_.back());
  std::ranges::fill(counts_, 0u);
  ListPass(segments, selection, work)
      .run("gathering terms", terms_, [&](std::uint32_t term, const std::vector<Docid>& docids) {
        for (const Docid d : docids) {
          const std::uint32_t at = Count(counts_[d]).fetch_add(1, std::memory_order_relaxed);
          numbers_[starts_[d] + at] = term;
        }
      });
  // Threads came in any order.
  tbb::parallel_for(tbb::blocked_range<Docid>(0, documents(), kVectorsPerTask),
                    [&](const tbb::blocked_range<Docid>& range) {
                      throw_if_stopped(work.stop);
                      for (Docid d = range.begin(); d != range.end(); ++d) std::ranges::sort(of(d));
                    });
}

}  // namespace gannet::index
