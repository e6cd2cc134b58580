// The launches of the pruned search. All of them only queue work on the stream; they allocate
// nothing. Includes no CUDA header.
#pragma once

#include <cstdint>

#include "query/gpu/plan/pruned/facts.hpp"
#include "query/gpu/plan/pruned/tables.hpp"

struct CUstream_st;

namespace gannet::query::cuda {

/// Queues the search of a batch by bounds, up to its finalists. Initializes all buffers of `view`;
/// the tables and the counters must be set.
void launch_pruned(const PrunedView& view, CUstream_st* stream);

/// Queues the search of a batch of disjunctions by windows: every posting is scored. Reads no
/// bounds, short lists and rows.
void launch_windows(const PrunedView& view, CUstream_st* stream);
/// Whether a thread block of the current device can have the shared memory that this takes with
/// kMaxWindowTerms terms: not before sm_80.
bool has_room_for_windows();

/// Queues the computation of list statistics and bounds.
void launch_facts(const FactsView& view, CUstream_st* stream);

/// Whether the kernels for such an index and scorer look postings up by groups of 32, not by tiles.
bool uses_small_groups(const IndexView& index, ScorerId scorer);

namespace detail {
// Instances of the kernels, by the codecs and scorers that they know: gpu-bp128 and BM25; posting
// codecs and all scorers; all codecs and scorers. Searches by BM25F have two of their own, for
// gpu-bp128 and for all codecs; contributions of single lists are BM25's.
void launch_pruned_usual(const PrunedView& view, CUstream_st* stream);
void launch_pruned_scorers(const PrunedView& view, CUstream_st* stream);
void launch_pruned_any(const PrunedView& view, CUstream_st* stream);
void launch_pruned_words(const PrunedView& view, CUstream_st* stream);
void launch_pruned_words_any(const PrunedView& view, CUstream_st* stream);
void launch_windows_usual(const PrunedView& view, CUstream_st* stream);
void launch_windows_packed(const PrunedView& view, CUstream_st* stream);
void launch_windows_scorers(const PrunedView& view, CUstream_st* stream);
void launch_windows_any(const PrunedView& view, CUstream_st* stream);
void launch_facts_usual(const FactsView& view, CUstream_st* stream);
void launch_facts_scorers(const FactsView& view, CUstream_st* stream);
void launch_facts_any(const FactsView& view, CUstream_st* stream);

// Kernels without codec and scorer: sums of bounds, the superblocks of both waves, contributions at
// ranks, pointers to tiles.
void launch_sums(const PrunedView& view, CUstream_st* stream);
void launch_first_wave(const PrunedView& view, CUstream_st* stream);
/// Exchanges scores with other shards, between the waves.
void launch_exchange(const PrunedView& view, CUstream_st* stream);
void launch_second_wave(const PrunedView& view, CUstream_st* stream);
void launch_start_windows(const PrunedView& view, CUstream_st* stream);
void launch_pointers(const FactsView& view, CUstream_st* stream);
}  // namespace detail

}  // namespace gannet::query::cuda
