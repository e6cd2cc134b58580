// Counting how often each of many small numbers occurs.
#pragma once

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "query/backend/number_count.hpp"
#include "query/columns/access/workers.hpp"

namespace gannet::query {

/// Counts numbers: in an array where that takes no more memory than the numbers themselves would
/// (or little anyway), else by sorting them.
class NumberCounter {
 public:
  /// Arrays of counts, where these are small and many numbers come.
  static constexpr std::uint32_t kWays = 4;

  /// Numbers are at most `largest`; about `expected` of them will come.
  NumberCounter(std::uint64_t largest, std::uint64_t expected)
      : dense_(largest < std::max<std::uint64_t>(kLittle, 2 * expected)),
        ways_(dense_ && largest < kLittle && expected > kLittle ? kWays : 1),
        stride_(dense_ ? largest + 1 : 0) {
    counts_.assign(stride_ * ways_, 0);
  }

  void add(std::uint64_t number) {
    if (dense_) {
      ++counts_[number];
    } else {
      numbers_.push_back(number);
    }
  }

  /// Whether there are arrays of counts by number.
  bool dense() const { return dense_; }
  /// One of them, to be counted up in the place of add(), for each number in another turn: to count
  /// up what was just counted up takes longer.
  std::uint32_t* array(std::uint32_t turn) { return &counts_[turn % ways_ * stride_]; }

  /// The number `times` times.
  void add(std::uint64_t number, std::uint64_t times) {
    if (dense_) {
      counts_[number] += static_cast<std::uint32_t>(times);
    } else {
      numbers_.insert(numbers_.end(), times, number);
    }
  }

  /// What this one and `other`, made alike, have counted.
  void add(NumberCounter&& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    numbers_.insert(numbers_.end(), other.numbers_.begin(), other.numbers_.end());
  }

  /// Ascending numbers.
  std::vector<NumberCount> take() {
    for (std::size_t i = stride_; i < counts_.size(); ++i) counts_[i % stride_] += counts_[i];
    counts_.resize(stride_);
    std::vector<NumberCount> found;
    found.reserve(stride_ - static_cast<std::size_t>(std::ranges::count(counts_, 0u)));
    for (std::size_t i = 0; i < stride_; ++i) {
      if (counts_[i] != 0) found.push_back({i, counts_[i]});
    }
    tbb::parallel_sort(numbers_.begin(), numbers_.end());
    for (const std::uint64_t number : numbers_) {
      if (found.empty() || found.back().number != number) found.push_back({number, 0});
      ++found.back().count;
    }
    return found;
  }

 private:
  static constexpr std::uint64_t kLittle = 1u << 12;

  bool dense_;
  std::uint32_t ways_;                 ///< arrays, a power of two
  std::uint64_t stride_;               ///< counts in each
  std::vector<std::uint32_t> counts_;  ///< a document counts once, so 32 bits are enough
  std::vector<std::uint64_t> numbers_;
};

/// Counts about `expected` numbers over chunks in parallel: `fill(worker, chunk, counter)` adds the
/// numbers of a chunk.
template <class Fill>
std::vector<NumberCount> count_numbers(const ColumnContext& context,
                                       const std::vector<Chunk>& chunks, std::uint64_t largest,
                                       std::uint64_t expected, const Fill& fill) {
  // So that the arrays of all workers together are not larger than what they count.
  expected /= context.workers;
  PerWorker<NumberCounter> counters(context);
  for_chunks(context, chunks, [&](unsigned worker, const Chunk& chunk) {
    fill(worker, chunk, counters.get(worker, largest, expected));
  });
  NumberCounter all(largest, expected);
  counters.for_each([&](NumberCounter& counter) { all.add(std::move(counter)); });
  return all.take();
}

}  // namespace gannet::query
