#include "query/gpu/device/matches/bin_counter.hpp"

#include "query/gpu/device/memory/arena.hpp"

namespace gannet::query::cuda {
void BinCounter::start(const DeviceField& field, const CodeBins& bins, const std::uint32_t* firsts,
                       const std::uint64_t* matches, FieldSums* sums) {
  first_ = bins.first;
  bins_ = static_cast<std::uint32_t>(bins.firsts.size());
  if (bins_ == 0) return;
  std::uint32_t* const counts = at_least(counts_, bins_);
  codecs::cuda::check(cudaMemsetAsync(counts, 0, bins_ * sizeof *counts, stream_),
                      "cudaMemsetAsync");
  launch_count_codes({field.view(), matches}, BinSlots{firsts, bins_}, bins_, counts, sums,
                     stream_);
  fetch(at_least(host_counts_, bins_), counts, bins_, stream_);
}

BinCounts BinCounter::take(const FieldSums& sums, std::uint64_t matches) const {
  BinCounts found{.missing = matches - sums.documents};
  for (std::uint32_t i = 0; i < bins_; ++i) {
    const std::uint32_t count = host_counts_.data()[i];
    if (count != 0) found.counts.push_back({first_ + i, count});
  }
  return found;
}

}  // namespace gannet::query::cuda
