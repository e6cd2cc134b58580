// The launch of counts and docids. Includes no CUDA header. Queues work on a stream and waits for
// nothing.
#pragma once

#include "query/gpu/plan/matching/tables.hpp"

struct CUstream_st;

namespace gannet::query::cuda {

/// Runs the queries of `view` in all of their windows; if docids are written, the items that it
/// names.
void launch_matching(const MatchView& view, CUstream_st* stream);

/// launch_matching() with a kernel that knows every codec, for an index with a codec that is not
/// made for posting lists.
void launch_matching_any(const MatchView& view, CUstream_st* stream);

}  // namespace gannet::query::cuda
