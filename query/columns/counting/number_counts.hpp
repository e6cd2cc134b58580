// Counting how often each of many small numbers occurs.
#pragma once

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "query/columns/access/workers.hpp"
#include "query/columns/counting/number_count.hpp"

namespace gannet::query {

/// Counts numbers: in an array where that takes no more memory than the numbers themselves would
/// (or little anyway), else by sorting them.
class NumberCounter {
 public:
  /// Numbers are at most `largest`; about `expected` of them will come.
  NumberCounter(std::uint64_t largest, std::uint64_t expected)
      : dense_(largest < std::max<std::uint64_t>(kLittle, 2 * expected)) {
    if (dense_) counts_.assign(largest + 1, 0);
  }

  void add(std::uint64_t number) {
    if (dense_) {
      ++counts_[number];
    } else {
      numbers_.push_back(number);
    }
  }

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
    std::vector<NumberCount> found;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
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
