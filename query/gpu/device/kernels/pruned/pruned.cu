#include "query/gpu/device/kernels/pruned/launches.cuh"
#include "query/gpu/plan/pruned/steps.hpp"

namespace gannet::query::cuda {
namespace {

using codecs::PostingCodecs;

bool is_packed(const IndexView& index) {
  return index.docid_codec == PackedTiles::Codec::id && index.freq_codec == PackedTiles::Codec::id;
}

bool has_posting_codecs(const IndexView& index) {
  return codecs::has_codec<PostingCodecs>(index.docid_codec) &&
         codecs::has_codec<PostingCodecs>(index.freq_codec);
}

/// All queries of a batch have the same scorer.
ScorerId scorer_of(const PrunedView& view) { return view.scorer; }
ScorerId scorer_of(const FactsView& view) { return view.scorer; }

/// All segments of a batch have the same codecs.
const IndexView& index_of(const PrunedView& view) { return view.segments[0].index; }
const IndexView& index_of(const FactsView& view) { return view.index; }

/// Calls the first function whose kernels know the codecs and the scorer.
template <class View, class Launch>
void launch_by_kind(const View& view, CUstream_st* stream, Launch usual, Launch scorers,
                    Launch any) {
  if (uses_small_groups(index_of(view), scorer_of(view))) return usual(view, stream);
  if (has_posting_codecs(index_of(view))) return scorers(view, stream);
  any(view, stream);
}

}  // namespace

namespace detail {

void launch_pruned_usual(const PrunedView& view, CUstream_st* stream) {
  launch_pruned_with<PackedTiles, UsualScorers>(view, stream);
}

void launch_windows_usual(const PrunedView& view, CUstream_st* stream) {
  launch_windows_with<PackedTiles, UsualScorers>(view, stream);
}

void launch_facts_usual(const FactsView& view, CUstream_st* stream) {
  launch_facts_with<PackedTiles, UsualScorers>(view, stream);
}

}  // namespace detail

void launch_pruned(const PrunedView& view, CUstream_st* stream) {
  if (view.queries_count == 0) return;
  if (scores_words(view.scorer)) {
    return uses_small_groups(index_of(view), view.scorer)
               ? detail::launch_pruned_words(view, stream)
               : detail::launch_pruned_words_any(view, stream);
  }
  launch_by_kind(view, stream, detail::launch_pruned_usual, detail::launch_pruned_scorers,
                 detail::launch_pruned_any);
}

void launch_windows(const PrunedView& view, CUstream_st* stream) {
  if (view.queries_count == 0) return;
  // With learned weights, queries have dozens of terms: the codec's dispatch would cost a third.
  if (is_packed(index_of(view)) && !is_usual(view.scorer)) {
    return detail::launch_windows_packed(view, stream);
  }
  launch_by_kind(view, stream, detail::launch_windows_usual, detail::launch_windows_scorers,
                 detail::launch_windows_any);
}

bool has_room_for_windows() {
  const int bytes = codecs::cuda::device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  return WindowMemory::bytes(kMaxWindowTerms) <= static_cast<std::uint32_t>(bytes);
}

void launch_facts(const FactsView& view, CUstream_st* stream) {
  if (view.list_count == 0) return;
  launch_by_kind(view, stream, detail::launch_facts_usual, detail::launch_facts_scorers,
                 detail::launch_facts_any);
}

bool uses_small_groups(const IndexView& index, ScorerId scorer) {
  return has(Step::kSmallGroups) && is_packed(index) && is_usual(scorer);
}

}  // namespace gannet::query::cuda
