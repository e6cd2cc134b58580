#include "query/bounds/least_counts.hpp"

namespace gannet::query {

std::uint32_t LeastCounts::of(std::size_t number, const index::Segment& segment,
                              const std::stop_token& stop) {
  {
    const std::lock_guard lock(mutex_);
    if (number < known_.size() && known_[number]) return *known_[number];
  }
  const std::uint32_t least = least_dense_count(segment, bits_, stop, bytes_of_);
  const std::lock_guard lock(mutex_);
  if (number >= known_.size()) known_.resize(number + 1);
  known_[number] = least;
  return least;
}

}  // namespace gannet::query
