// The launches of the pruned search. Includes no CUDA header.
#pragma once

#include <cstdint>

#include "query/gpu/plan/pruned/facts.hpp"
#include "query/gpu/plan/pruned/tables.hpp"

struct CUstream_st;

namespace gannet::query::cuda {

/// Runs a batch but for the selection of its finalists. Sets everything by itself but the tables
/// and the counters.
void launch_pruned(const PrunedView& view, CUstream_st* stream);

/// Searches disjunctions by scoring every posting: without bounds, short lists and rows.
void launch_windows(const PrunedView& view, CUstream_st* stream);
/// Whether a block of the current device can have the shared memory for that, with as many terms as
/// there may be: not before sm_80.
bool has_room_for_windows();

/// Finds facts and makes bounds.
void launch_facts(const FactsView& view, CUstream_st* stream);

/// Whether the kernels for such an index and scorer look for postings in small groups.
bool uses_small_groups(const IndexView& index, ScorerId scorer);

namespace detail {
// By what the kernels know: gpu-bp128 and BM25, posting codecs and all scorers, everything.
void launch_pruned_usual(const PrunedView& view, CUstream_st* stream);
void launch_pruned_scorers(const PrunedView& view, CUstream_st* stream);
void launch_pruned_any(const PrunedView& view, CUstream_st* stream);
void launch_windows_usual(const PrunedView& view, CUstream_st* stream);
void launch_windows_packed(const PrunedView& view, CUstream_st* stream);
void launch_windows_scorers(const PrunedView& view, CUstream_st* stream);
void launch_windows_any(const PrunedView& view, CUstream_st* stream);
void launch_facts_usual(const FactsView& view, CUstream_st* stream);
void launch_facts_scorers(const FactsView& view, CUstream_st* stream);
void launch_facts_any(const FactsView& view, CUstream_st* stream);

// The parts that ask for neither: sums of bounds, the first wave, what is left for the second;
// contributions at the known ranks, and pointers to tiles.
void launch_sums(const PrunedView& view, CUstream_st* stream);
void launch_first_wave(const PrunedView& view, CUstream_st* stream);
/// With what other shards find, between the waves.
void launch_exchange(const PrunedView& view, CUstream_st* stream);
void launch_second_wave(const PrunedView& view, CUstream_st* stream);
void launch_start_windows(const PrunedView& view, CUstream_st* stream);
void launch_pointers(const FactsView& view, CUstream_st* stream);
}  // namespace detail

}  // namespace gannet::query::cuda
