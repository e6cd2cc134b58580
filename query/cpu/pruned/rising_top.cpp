#include "query/cpu/pruned/rising_top.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <span>

#include "query/results/hits.hpp"

namespace gannet::query {
namespace {

/// Keys that are kept beyond 2 k before the worst of them are thrown away.
constexpr std::size_t kSlack = 1u << 14;
/// So few keys are sorted at once.
constexpr std::size_t kFewKeys = 256;

/// Most bins hold a handful of keys: what a general sort begins with costs more than they do.
void sort_few(std::span<std::uint64_t> keys) {
  constexpr std::size_t kFew = 24;
  if (keys.size() > kFew) {
    std::ranges::sort(keys, std::greater<>());
    return;
  }
  for (std::size_t i = 1; i < keys.size(); ++i) {
    const std::uint64_t key = keys[i];
    std::size_t place = i;
    for (; place > 0 && keys[place - 1] < key; --place) keys[place] = keys[place - 1];
    keys[place] = key;
  }
}

float score_of(std::uint64_t key) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(key >> 32));
}

}  // namespace

void RisingTop::reset(std::uint32_t k, float threshold, float ceiling, std::uint64_t below) {
  k_ = k;
  below_ = below;
  threshold_ = threshold;
  keys_.clear();
  if (uses_heap()) return;
  lowest_ = threshold;
  per_score_ = ceiling > threshold ? static_cast<float>(kBins) / (ceiling - threshold) : 0.0f;
  cut_ = 0;
  above_cut_ = 0;
  bins_.fill(0);
}

bool RisingTop::keep(float score, std::uint32_t docid) {
  const std::uint64_t key = rank_key(std::bit_cast<std::uint32_t>(score), docid);
  if (key >= below_) return false;
  if (uses_heap()) return push_heap(key);
  keys_.push_back(key);
  const bool rose = count(score);
  return keys_.size() >= 2 * std::size_t{k_} + kSlack ? compact() : rose;
}

bool RisingTop::push_heap(std::uint64_t key) {
  if (keys_.size() < k_) {
    keys_.push_back(key);
    std::ranges::push_heap(keys_, std::greater<>());
  } else if (key > keys_.front()) {
    std::ranges::pop_heap(keys_, std::greater<>());
    keys_.back() = key;
    std::ranges::push_heap(keys_, std::greater<>());
  }
  if (keys_.size() < k_ || score_of(keys_.front()) <= threshold_) return false;
  threshold_ = score_of(keys_.front());
  return true;
}

std::uint32_t RisingTop::bin_of(float score) const {
  const float bin = (score - lowest_) * per_score_;
  return bin < static_cast<float>(kBins) ? static_cast<std::uint32_t>(std::max(bin, 0.0f))
                                         : kBins - 1;
}

/// A score that is at most the lowest of the bin. bin_of() never falls as the score grows, so a
/// score in a lower bin is one.
float RisingTop::lower_end(std::uint32_t bin) const {
  float end = lowest_ + static_cast<float>(bin) / per_score_;
  while (end > lowest_ && bin_of(end) >= bin) end *= 1.0f - 1e-6f;
  return std::max(end, lowest_);
}

bool RisingTop::count(float score) {
  const std::uint32_t bin = bin_of(score);
  ++bins_[bin];
  if (bin < cut_) return false;
  ++above_cut_;
  const std::uint32_t before = cut_;
  while (cut_ + 1 < kBins && above_cut_ - bins_[cut_] >= k_) above_cut_ -= bins_[cut_++];
  if (cut_ == before) return false;
  const float reached = lower_end(cut_);
  if (reached <= threshold_) return false;
  threshold_ = reached;
  return true;
}

bool RisingTop::compact() {
  const auto kth = keys_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
  std::nth_element(keys_.begin(), kth, keys_.end(), std::greater<>());
  const float reached = score_of(*kth);
  keys_.resize(k_);
  if (reached <= threshold_) return false;
  threshold_ = reached;
  return true;
}

std::vector<std::uint64_t> RisingTop::take() {
  std::erase_if(keys_, [&](std::uint64_t key) { return score_of(key) < threshold_; });
  if (uses_heap() || keys_.size() <= kFewKeys || per_score_ == 0) {
    std::ranges::sort(keys_, std::greater<>());
  } else {
    sort_by_bins();
  }
  if (keys_.size() > k_) keys_.resize(k_);
  return keys_;
}

/// Counting sort by bins, best first, then a sort of each bin that holds one of the k best.
void RisingTop::sort_by_bins() {
  bins_.fill(0);
  for (const std::uint64_t key : keys_) ++bins_[bin_of(score_of(key))];
  std::uint32_t begin = 0;
  for (std::uint32_t bin = kBins; bin-- > 0;) {
    const std::uint32_t size = bins_[bin];
    bins_[bin] = begin;
    begin += size;
  }
  sorted_.resize(keys_.size());
  for (const std::uint64_t key : keys_) sorted_[bins_[bin_of(score_of(key))]++] = key;
  // Now bins_ has their ends.
  for (std::uint32_t bin = kBins, from = 0; bin-- > 0 && from < k_; from = bins_[bin]) {
    sort_few(std::span(sorted_).subspan(from, bins_[bin] - from));
  }
  keys_.swap(sorted_);
}

}  // namespace gannet::query
