#include "index/order/bisection/bisection.hpp"

#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <span>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "index/order/bisection/forward_index.hpp"
#include "index/order/bisection/split_terms.hpp"
#include "index/order/located.hpp"

namespace gannet::index {
namespace {

/// So few documents are not split: the order in a leaf changes hardly any gap.
constexpr std::size_t kLeaf = 16;
/// Rounds of exchanges of a split, at most.
constexpr int kRounds = 20;
/// Documents of which halves are worth a task each.
constexpr std::size_t kParallelHalves = 256;
constexpr std::size_t kDocumentsPerTask = 256;

/// Bits that an exchange must gain in a round. Exchanges of a round do not know of each other, so
/// small gains are often none, and documents would go back and forth.
float least_gain(int round) { return static_cast<float>(round); }

class Bisection {
 public:
  Bisection(const Index& index, const OrderWork& work) : work_(work), forward_(index, work) {
    candidates_.reserve(forward_.documents());
    for (Docid d = 0; d < forward_.documents(); ++d) {
      candidates_.push_back({0, d & 0x7fffffffu, 0});
    }
  }

  /// Numbers of documents without those that are deleted.
  std::vector<Docid> run() {
    if (forward_.terms() != 0) split(candidates_, forward_.terms());
    std::vector<Docid> order;
    order.reserve(candidates_.size());
    for (const Candidate& candidate : candidates_) order.push_back(candidate.docid);
    return order;
  }

 private:
  using Candidates = std::span<Candidate>;

  void split(Candidates candidates, std::uint32_t terms) {
    throw_if_stopped(work_.stop);
    if (candidates.size() <= kLeaf) return;
    // Without tasks of other splits in the meantime: each thread has the tables of one.
    tbb::this_task_arena::isolate([&] { terms = exchange(candidates, terms); });
    report(candidates.size());
    const Candidates left = candidates.first(candidates.size() / 2);
    const Candidates right = candidates.subspan(candidates.size() / 2);
    if (candidates.size() < kParallelHalves) {
      split(left, terms);
      split(right, terms);
    } else {
      tbb::parallel_invoke([&] { split(left, terms); }, [&] { split(right, terms); });
    }
  }

  /// Brings the candidates of each half to their place, in order of their docids. Returns a number
  /// that terms are less than.
  std::uint32_t exchange(Candidates candidates, std::uint32_t terms) {
    const std::size_t half = candidates.size() / 2;
    for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i].right = i < half ? 0 : 1;
    SplitTerms split_terms(forward_, candidates, terms);
    for (int round = 0; round < kRounds && split_terms.terms() != 0; ++round) {
      throw_if_stopped(work_.stop);
      split_terms.find_gains();
      score(candidates, split_terms, least_gain(round));
      const auto middle = candidates.begin() + static_cast<std::ptrdiff_t>(half);
      std::nth_element(candidates.begin(), middle, candidates.end(),
                       [](const Candidate& a, const Candidate& b) {
                         return a.score != b.score ? a.score < b.score : a.docid < b.docid;
                       });
      if (move(candidates, split_terms) == 0) break;
    }
    sort(candidates.first(half));
    sort(candidates.subspan(half));
    return split_terms.terms();
  }

  /// The half with the lower scores becomes the left one. So two documents change places if both
  /// moves together gain more than `least`.
  void score(Candidates candidates, const SplitTerms& terms, float least) {
    for_all(candidates, [&](Candidate& candidate) {
      const bool right = candidate.right != 0;
      const float gain = terms.gain(std::as_const(forward_).of(candidate.docid), right) - least / 2;
      candidate.score = right ? -gain : gain;
    });
  }

  /// Returns how many moved.
  std::size_t move(Candidates candidates, SplitTerms& terms) {
    std::atomic<std::size_t> moved = 0;
    const Candidate* const middle = candidates.data() + candidates.size() / 2;
    for_all(candidates, [&](Candidate& candidate) {
      const bool right = &candidate >= middle;
      if (right == (candidate.right != 0)) return;
      candidate.right = right ? 1 : 0;
      terms.move(std::as_const(forward_).of(candidate.docid), right);
      moved.fetch_add(1, std::memory_order_relaxed);
    });
    return moved;
  }

  template <class F>
  static void for_all(Candidates candidates, const F& f) {
    if (candidates.size() < kParallelSplit) {
      for (Candidate& candidate : candidates) f(candidate);
      return;
    }
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, candidates.size(), kDocumentsPerTask),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        for (std::size_t i = range.begin(); i != range.end(); ++i) f(candidates[i]);
                      });
  }

  static void sort(Candidates candidates) {
    const auto by_docid = [](const Candidate& a, const Candidate& b) { return a.docid < b.docid; };
    if (candidates.size() < kParallelSplit) {
      std::ranges::sort(candidates, by_docid);
    } else {
      tbb::parallel_sort(candidates.begin(), candidates.end(), by_docid);
    }
  }

  void report(std::size_t documents) {
    const std::uint64_t done = done_.fetch_add(documents) + documents;
    const std::unique_lock lock(reporting_, std::try_to_lock);
    if (!work_.progress || !lock) return;
    const std::uint64_t levels = std::bit_width((candidates_.size() - 1) / kLeaf);
    work_.progress("bisecting", done, std::max(done, levels * candidates_.size()));
  }

  const OrderWork& work_;
  ForwardIndex forward_;
  std::vector<Candidate> candidates_;
  std::atomic<std::uint64_t> done_ = 0;  ///< documents of all splits
  std::mutex reporting_;
};

}  // namespace

std::vector<Docid> order_by_bisection(const Index& index, const OrderWork& work) {
  std::vector<Docid> order = Bisection(index, work).run();
  if (order.size() == index.statistics().documents) return order;
  const std::vector<Docid> documents = live_documents(index);
  for (Docid& docid : order) docid = documents[docid];
  return order;
}

}  // namespace gannet::index
