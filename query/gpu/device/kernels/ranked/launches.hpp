// The launch of the ranked search by windows. Includes no CUDA header. Queues work on a stream and
// waits for nothing.
#pragma once

#include "query/gpu/plan/ranked/tables.hpp"

struct CUstream_st;

namespace gannet::query::cuda {

/// Runs the items of `view`.
void launch_ranking(RankKind kind, const RankView& view, CUstream_st* stream);

namespace detail {

/// launch_ranking() with a kernel that knows every scorer, and the codecs made for posting lists.
void launch_ranking_scorers(const RankView& view, CUstream_st* stream);
/// launch_ranking() of words, where all lists are packed by gpu-bp128.
void launch_ranking_words(const RankView& view, CUstream_st* stream);
/// launch_ranking() with kernels that know every codec and scorer.
void launch_ranking_any(bool words, const RankView& view, CUstream_st* stream);

}  // namespace detail

}  // namespace gannet::query::cuda
