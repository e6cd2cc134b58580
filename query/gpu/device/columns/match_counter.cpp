#include "query/gpu/device/columns/match_counter.hpp"

#include "query/gpu/device/memory/arena.hpp"

namespace gannet::query::cuda {

using codecs::cuda::check;

void MatchCounter::abandon() noexcept { codecs::cuda::drain(stream_); }

std::uint64_t MatchCounter::count(const std::uint64_t* matches, std::uint32_t documents,
                                  std::uint16_t* ranges) {
  std::uint64_t* const total = at_least(count_, 1);
  check(cudaMemsetAsync(total, 0, sizeof *total, stream_), "cudaMemsetAsync");
  launch_count_bits(matches, documents, ranges, reinterpret_cast<unsigned long long*>(total),
                    stream_);
  std::uint64_t* const here = at_least(host_count_, 1);
  fetch(here, total, 1, stream_);
  check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  return *here;
}

}  // namespace gannet::query::cuda
