#include "query/columns/sorting/sorted_hits.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "query/columns/access/field_access.hpp"
#include "query/columns/sorting/row_bound.hpp"

namespace gannet::query {
namespace {

/// The code that a part was made from.
std::uint64_t code_of(const SortPart& part, bool descending) {
  return descending ? ~part.value : part.value;
}

void rank_part(const ColumnContext& context, const SortField& key, std::size_t at,
               std::vector<SortRow>& rows) {
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::string> texts;  // by segment and code
  for (const SortRow& row : rows) {
    if (row.parts[at].rank != SortPart::kValue) continue;
    const std::uint64_t code = code_of(row.parts[at], key.descending);
    const auto [found, made] = texts.try_emplace({row.segment, code});
    if (made) found->second = text_of(context.column(row.segment, *key.field), code);
  }
  std::set<std::string_view> order;
  for (const auto& [code, text] : texts) order.insert(text);
  std::map<std::string_view, std::uint64_t> ranks;
  for (const std::string_view text : order) ranks.emplace_hint(ranks.end(), text, ranks.size());
  for (SortRow& row : rows) {
    if (row.parts[at].rank != SortPart::kValue) continue;
    const std::uint64_t code = code_of(row.parts[at], key.descending);
    const std::uint64_t rank = ranks.at(texts.at({row.segment, code}));
    row.parts[at].value = key.descending ? ~rank : rank;
  }
}

std::vector<SortRow> best_rows(const ColumnContext& context, std::span<const SortField> keys,
                               std::size_t k, const std::optional<Hit>& after) {
  const std::vector<RowBound> bounds =
      after ? row_bounds(context, keys, *after) : std::vector<RowBound>();
  std::vector<Chunk> chunks = chunks_of(context);
  order_chunks(context, keys[0], chunks);
  SegmentLimits limits(context.segments(), keys[0]);
  struct Rows {
    ScanOfSegment scan;
    std::map<std::size_t, BestRows> best;
  };
  PerWorker<Rows> workers(context);
  for_chunks(context, chunks, [&](unsigned worker, const Chunk& chunk) {
    Rows& rows = workers.get(worker);
    const std::size_t s = chunk.segment;
    const RowBound* const bound = after ? &bounds[s] : nullptr;
    BestRows& best = rows.best.try_emplace(s, k, &limits.of(s), bound).first->second;
    rows.scan.of(context, keys, s).scan(chunk.range, best);
  });
  std::vector<SortRow> found;
  workers.for_each([&](Rows& rows) {
    for (auto& [segment, best] : rows.best) {
      const std::vector<SortRow> more = best.take();
      found.insert(found.end(), more.begin(), more.end());
    }
  });
  return found;
}

/// Those that the back end has found; false if it has not found all.
bool known_rows(const ColumnContext& context, std::span<const SortField> keys,
                std::vector<SortRow>& rows) {
  if (context.known == nullptr || !context.known->work.first) return false;
  for (std::size_t s = 0; s < context.segments(); ++s) {
    const auto& first = context.known->findings[s].first;
    if (!first) return false;
    std::vector<PartReader> readers;
    for (const SortField& key : keys) readers.emplace_back(context, key, s);
    for (const FirstDocument& found : *first) {
      SortRow row{.segment = static_cast<std::uint32_t>(s), .document = found.document};
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool missing = found.codes[i] == FirstDocument::kMissing;
        row.parts[i] = missing ? readers[i].missing() : readers[i].part_of(found.codes[i]);
      }
      rows.push_back(row);
    }
  }
  return true;
}

}  // namespace

Hit hit_of(const ColumnContext& context, const SortRow& row) {
  const float score =
      context.matches.scored() ? context.matches.scores[row.segment][row.document] : 0.0f;
  return {context.index.docid_base(row.segment) + row.document, score};
}

void rank_keywords(const ColumnContext& context, std::span<const SortField> keys,
                   std::vector<SortRow>& rows) {
  if (context.segments() == 1) return;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].keyword) rank_part(context, keys[i], i, rows);
  }
}

std::vector<Hit> sorted_hits(const ColumnContext& context, std::span<const SortField> keys,
                             std::uint32_t k, const std::optional<Hit>& after) {
  std::vector<SortRow> rows;
  const bool known = known_rows(context, keys, rows);
  const auto most =
      static_cast<std::size_t>(std::min<std::uint64_t>(k, context.index.statistics().documents));
  if (!known) rows = best_rows(context, keys, most, after);
  rank_keywords(context, keys, rows);
  const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(most, rows.size()));
  std::partial_sort(rows.begin(), end, rows.end());
  std::vector<Hit> hits;
  hits.reserve(static_cast<std::size_t>(end - rows.begin()));
  for (auto row = rows.begin(); row != end; ++row) hits.push_back(hit_of(context, *row));
  return hits;
}

}  // namespace gannet::query
