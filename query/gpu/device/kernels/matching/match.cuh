// The launch of the kernel of counts and docids, for a list of codecs: match.cu compiles it for the
// posting codecs, match_any.cu for all.
#pragma once

#include "codecs/base/cuda/launch.hpp"
#include "query/gpu/device/kernels/matching/launches.hpp"
#include "query/gpu/device/kernels/matching/match_window.cuh"

namespace gannet::query::cuda {

template <class Codecs>
void launch_matching_with(const MatchView& view, CUstream_st* stream) {
  const std::uint64_t items = view.docid_offsets == nullptr
                                  ? std::uint64_t{view.query_count} * view.windows
                                  : view.items_end - view.items_begin;
  const std::size_t bytes = std::size_t{view.rows} * view.words * sizeof(std::uint64_t);
  codecs::cuda::launch_kernel(
      {"match_kernel", static_cast<std::uint32_t>(items), tuning::kMatchThreads, bytes, stream},
      match_kernel<Codecs>, view);
}

}  // namespace gannet::query::cuda
