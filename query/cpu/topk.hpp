// The k best of a stream of ranking keys (hits.hpp), in memory that grows with k and not with the
// stream.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "query/results/hits.hpp"

namespace gannet::query {

/// Keeps the k largest of the keys below a bound. Keys must be distinct, as ranking keys of
/// different documents are.
///
/// A buffer of up to 2k keys: when it is full, the better half stays and the worst of it becomes
/// the floor that later keys have to exceed. That is O(1) a key on average, whatever k is; a heap
/// would be O(log k).
class TopK {
 public:
  explicit TopK(std::uint32_t k, std::uint64_t below = kNoBound) : k_(k), below_(below) {}

  /// No key at or below the floor can be among the k best. 0 as long as that is not known.
  std::uint64_t floor() const { return floor_; }
  /// The score bits of the floor: scores below cannot be among the k best.
  std::uint32_t floor_score() const { return static_cast<std::uint32_t>(floor_ >> 32); }

  void push(std::uint64_t key) {
    if (key <= floor_ || key >= below_ || k_ == 0) return;
    keys_.push_back(key);
    if (keys_.size() >= 2 * k_) shrink();
  }

  /// The keys that were kept, best first: k of them, or all if there were fewer.
  std::vector<std::uint64_t> take() {
    if (keys_.size() > k_) shrink();
    std::sort(keys_.begin(), keys_.end(), std::greater<>());
    return std::move(keys_);
  }

 private:
  void shrink() {
    const auto kth = keys_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
    std::nth_element(keys_.begin(), kth, keys_.end(), std::greater<>());
    floor_ = *kth;
    keys_.resize(k_);
  }

  std::size_t k_;
  std::uint64_t below_;
  std::uint64_t floor_ = 0;
  std::vector<std::uint64_t> keys_;
};

}  // namespace gannet::query
