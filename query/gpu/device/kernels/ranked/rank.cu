#include "query/gpu/device/kernels/ranked/rank.cuh"

namespace gannet::query::cuda {

void launch_ranking(RankKind kind, const RankView& view, CUstream_st* stream) {
  const IndexView& index = view.match.index;
  const bool packed =
      index.docid_codec == PackedTiles::Codec::id && index.freq_codec == PackedTiles::Codec::id;
  if (packed && kind.words) return detail::launch_ranking_words(view, stream);
  if (packed && kind.usual_scorer) {
    return launch_ranking_with<PackedTiles, PackedCodecs, TermListScores<UsualScorers>>(view,
                                                                                        stream);
  }
  const bool posting = codecs::has_codec<codecs::PostingCodecs>(index.docid_codec) &&
                       codecs::has_codec<codecs::PostingCodecs>(index.freq_codec);
  if (posting && !kind.words) return detail::launch_ranking_scorers(view, stream);
  detail::launch_ranking_any(kind.words, view, stream);
}

}  // namespace gannet::query::cuda
