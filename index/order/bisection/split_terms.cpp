#include "index/order/bisection/split_terms.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

namespace gannet::index {
namespace {

constexpr std::size_t kCandidatesPerTask = 256;
constexpr std::size_t kTermsPerTask = 1u << 14;
constexpr std::uint32_t kDroppedTerm = std::numeric_limits<std::uint32_t>::max();

/// f(x + 1) - f(x) for f(x) = x log2(x + 1): all that the gain of a move is made of.
float growth(std::uint32_t x) {
  const double v = x;
  return static_cast<float>((v + 1) * std::log2(v + 2) - v * std::log2(v + 1));
}

/// The same from a table: nearly all numbers of documents are small.
class Growth {
 public:
  Growth() {
    for (std::uint32_t x = 0; x < table_.size(); ++x) table_[x] = growth(x);
  }
  float operator()(std::uint32_t x) const { return x < table_.size() ? table_[x] : growth(x); }

 private:
  std::array<float, 4096> table_{};
};

void add(std::uint32_t& count, std::uint32_t change, bool parallel) {
  if (parallel) {
    std::atomic_ref(count).fetch_add(change, std::memory_order_relaxed);
  } else {
    count += change;
  }
}

/// Calls f(i) for i < count, in parallel where it pays.
template <class F>
void for_all(std::size_t count, std::size_t per_task, bool parallel, const F& f) {
  if (!parallel) {
    for (std::size_t i = 0; i < count; ++i) f(i);
    return;
  }
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, per_task),
                    [&](const tbb::blocked_range<std::size_t>& range) {
                      for (std::size_t i = range.begin(); i != range.end(); ++i) f(i);
                    });
}

}  // namespace

SplitTerms::SplitTerms(ForwardIndex& forward, std::span<const Candidate> candidates,
                       std::uint32_t terms)
    : terms_(terms),
      documents_(candidates.size()),
      parallel_(candidates.size() >= kParallelSplit),
      left_(terms),
      right_(terms) {
  count(forward, candidates);
  renumber(forward, candidates);
  leftwards_.resize(terms_);
  rightwards_.resize(terms_);
}

void SplitTerms::count(const ForwardIndex& forward, std::span<const Candidate> candidates) {
  for_all(candidates.size(), kCandidatesPerTask, parallel_, [&](std::size_t i) {
    auto& counts = i < candidates.size() / 2 ? left_ : right_;
    for (const std::uint32_t term : forward.of(candidates[i].docid))
      add(counts[term], 1, parallel_);
  });
}

void SplitTerms::renumber(ForwardIndex& forward, std::span<const Candidate> candidates) {
  std::vector<std::uint32_t> numbers(terms_, kDroppedTerm);
  std::uint32_t next = 0;
  for (std::uint32_t term = 0; term < terms_; ++term) {
    const std::uint64_t has = std::uint64_t{left_[term]} + right_[term];
    if (has < 2 || has == candidates.size()) continue;
    left_[next] = left_[term];
    right_[next] = right_[term];
    numbers[term] = next++;
  }
  terms_ = next;
  left_.resize(terms_);
  right_.resize(terms_);
  for_all(candidates.size(), kCandidatesPerTask, parallel_, [&](std::size_t i) {
    const Docid docid = candidates[i].docid;
    std::uint32_t kept = 0;
    const auto of_document = forward.of(docid);
    for (const std::uint32_t term : of_document) {
      if (numbers[term] != kDroppedTerm) of_document[kept++] = numbers[term];
    }
    forward.shrink(docid, kept);
  });
}

void SplitTerms::find_gains() {
  static const Growth kGrowth;
  const std::uint64_t left = documents_ / 2;
  const auto balance = static_cast<float>(std::log2(static_cast<double>(left)) -
                                          std::log2(static_cast<double>(documents_ - left)));
  for_all(terms_, kTermsPerTask, parallel_, [&](std::size_t t) {
    const std::uint32_t l = left_[t];
    const std::uint32_t r = right_[t];
    // Where no document has it, none can move, and the number is of no meaning.
    rightwards_[t] = balance - kGrowth(l - (l != 0 ? 1 : 0)) + kGrowth(r);
    leftwards_[t] = -balance - kGrowth(r - (r != 0 ? 1 : 0)) + kGrowth(l);
  });
}

float SplitTerms::gain(std::span<const std::uint32_t> terms, bool is_right) const {
  const auto& gains = is_right ? leftwards_ : rightwards_;
  float sum = 0;
  for (const std::uint32_t term : terms) sum += gains[term];
  return sum;
}

void SplitTerms::move(std::span<const std::uint32_t> terms, bool to_right) {
  auto& to = to_right ? right_ : left_;
  auto& from = to_right ? left_ : right_;
  for (const std::uint32_t term : terms) {
    add(to[term], 1, parallel_);
    add(from[term], ~std::uint32_t{0}, parallel_);
  }
}

}  // namespace gannet::index
