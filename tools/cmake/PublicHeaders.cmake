# The headers that users of the library include, as patterns below the root of the tree; Headers.cmake installs them and
# what they include. A header that is in none of the two stays at home.
set(GANNET_PUBLIC_HEADERS
  codecs/*.hpp codecs/base/*.hpp codecs/base/cuda/*.hpp codecs/core/*.hpp
  codecs/device/*.hpp codecs/device/*.cuh
  index/*.hpp index/segment/segment.hpp index/segment/scoring_defaults.hpp index/files/limits.hpp
  index/fields/field_column.hpp index/fields/field_text.hpp index/fields/key_map.hpp index/fields/schema.hpp
  index/text/analyzer.hpp index/text/analysis_libraries.hpp index/columns/column_file.hpp index/columns/column_source.hpp
  index/reading/segment_reader.hpp index/commit/index_writer.hpp index/commit/options_of_index.hpp
  index/order/document_order.hpp index/order/reorder.hpp index/shards/shard_set.hpp index/split/split.hpp
  index/bitmap/bitmap_bins.hpp index/bitmap/bitmap_exact.hpp index/bitmap/bitmap_index.hpp
  index/updates/*.hpp index/repair/repair.hpp index/repair/verify.hpp index/documents/live_documents.hpp
  index/bitmap/device/bitmap_device.hpp index/bitmap/device/bitmap_fused.hpp
  corpora/documents/documents.hpp corpora/documents/tables/rows.hpp corpora/topics/*.hpp corpora/evaluation/*.hpp corpora/lists/*.hpp
  corpora/synthetic/*.hpp
  query/*.hpp query/plan/plan.hpp query/plan/query.hpp query/plan/query_error.hpp query/plan/batch_statistics.hpp
  query/backend/backend.hpp query/backend/results.hpp query/backend/hits.hpp query/backend/host_plans.hpp
  query/backend/join_results.hpp query/backend/matches.hpp query/columns/*.hpp query/columns/run/*.hpp query/columns/access/field_values.hpp
  query/filter/filter.hpp query/scoring/scorer.hpp query/snippets/snippet.hpp query/snippets/render.hpp)
