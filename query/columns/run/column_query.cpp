#include "query/columns/column_query.hpp"

#include <fmt/format.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <span>
#include <stdexcept>

#include "codecs/base/error.hpp"
#include "query/columns/access/field_access.hpp"
#include "query/columns/access/known_columns.hpp"
#include "query/columns/counting/aggregates.hpp"
#include "query/columns/counting/binning.hpp"
#include "query/columns/counting/facets.hpp"
#include "query/columns/counting/histogram.hpp"
#include "query/columns/sorting/grouping.hpp"
#include "query/columns/sorting/sorted_hits.hpp"

namespace gannet::query {

std::uint64_t ColumnResults::hits_in_all() const {
  std::uint64_t sum = hits.size();
  if (!grouping) return sum;
  for (const Group& group : grouping->groups) sum += group.hits.size();
  return sum;
}
namespace {

/// The order of hits if a query asks for none: the best score first.
const SortKey kByScore{.field = {}, .descending = true, .missing_first = false};

std::span<const SortKey> sort_keys_of(const ColumnQuery& query) {
  return query.sort.empty() ? std::span(&kByScore, 1) : std::span<const SortKey>(query.sort);
}

unsigned workers_of(const ColumnOptions& options) {
  const auto cores = static_cast<unsigned>(tbb::info::default_concurrency());
  return options.threads == 0 ? cores : std::min(options.threads, cores);
}

void check_matches(const index::Index& index, const Matches& matches, const ColumnQuery& query) {
  const std::size_t segments = index.segments().size();
  bool fits = matches.segments.size() == segments;
  for (std::size_t s = 0; fits && s < segments; ++s) {
    const std::uint64_t documents = index.segments()[s]->statistics().documents;
    fits = matches.segments[s].documents == documents &&
           (!matches.scored() ||
            (matches.scores.size() == segments && matches.scores[s].size() == documents));
  }
  if (!fits) throw UsageError("the matches are not of this index: its segments differ from theirs");
  if (query.needs_scores() && !matches.scored()) {
    throw UsageError("hits by score need matches with scores");
  }
}

void run(const ColumnContext& context, const ColumnQuery& query, ColumnResults& results) {
  const std::vector<SortField> keys = sort_fields(context.index.schema(), sort_keys_of(query));
  if (query.group) {
    results.grouping = group_hits(context, *query.group, keys);
  } else if (query.k > 0) {
    results.hits = sorted_hits(context, keys, query.k, query.after);
  }
  for (const FacetRequest& facet : query.facets) {
    results.facets.push_back(count_facet(context, facet));
  }
  for (std::size_t i = 0; i < query.histograms.size(); ++i) {
    results.histograms.push_back(count_histogram(context, query.histograms[i], i));
  }
  for (const std::string& field : query.aggregates) {
    results.aggregates.push_back(aggregate(context, field, query.distinct));
  }
}

}  // namespace

bool ColumnQuery::needs_scores() const {
  if (sort.empty()) return k > 0 || group.has_value();
  return std::ranges::any_of(sort, [](const SortKey& key) { return key.field.empty(); });
}

namespace {

/// Names that are mistyped, all of a list at once.
void check_names_of(const ColumnQuery& query, const index::Schema& schema) {
  std::vector<std::string> names;
  for (const SortKey& key : query.sort) {
    if (!key.field.empty()) names.push_back(key.field);
  }
  check_names(schema, names, "sort");
  names.clear();
  for (const FacetRequest& facet : query.facets) names.push_back(facet.field);
  check_names(schema, names, "facet");
  names.clear();
  for (const HistogramRequest& histogram : query.histograms) names.push_back(histogram.field);
  check_names(schema, names, "histogram");
  check_names(schema, query.aggregates, "aggregates");
}

}  // namespace

void check(const ColumnQuery& query, const index::Schema& schema) {
  check_names_of(query, schema);
  if (query.sort.size() > kMaxSortKeys) {
    throw UsageError(fmt::format("sort: at most {} keys, not {}", kMaxSortKeys, query.sort.size()));
  }
  sort_fields(schema, query.sort);
  for (const FacetRequest& facet : query.facets) column_number(schema, facet.field, "facet");
  for (const HistogramRequest& histogram : query.histograms) {
    const std::size_t field = column_number(schema, histogram.field, "histogram");
    check_binning(schema.fields()[field], histogram);
  }
  for (const std::string& field : query.aggregates) column_number(schema, field, "aggregates");
  if (!query.group) return;
  if (query.after) throw UsageError("groups have no pages: leave out the cursor, or the groups");
  const std::size_t field = column_number(schema, query.group->field, "group");
  if (!schema.fields()[field].is_keyword()) {
    throw UsageError(fmt::format("group: field '{}' has no keywords; groups are of keyword fields",
                                 query.group->field));
  }
}

ColumnResults run_columns(const index::Index& index, const Matches& matches,
                          const ColumnQuery& query, const ColumnOptions& options) {
  check(query, index.schema());
  check_matches(index, matches, query);
  const unsigned workers = workers_of(options);
  tbb::task_arena arena(static_cast<int>(workers));
  return within_limits(options, [&](const ColumnOptions& limited) {
    return arena.execute([&] {
      return look_at_columns(ColumnContext{index, matches, workers, limited.stop}, query);
    });
  });
}

ColumnResults look_at_columns(const ColumnContext& context, const ColumnQuery& query) {
  ColumnResults results;
  results.count = context.matches.count();
  results.scored = context.matches.scored();
  run(context, query, results);
  return results;
}

namespace {

static_assert(kMaxOrderKeys == kMaxSortKeys);

/// What a back end should find out.
class WorkMaker {
 public:
  WorkMaker(const ColumnQuery& query, const index::Index& index) : query_(query), index_(index) {}

  ColumnWork make() {
    for (const FacetRequest& facet : query_.facets) {
      // The number of all values follows from counts, and from no count of different codes.
      const std::uint32_t values = std::max(facet.values, 1u);
      add_counts(column_number(schema(), facet.field, "facet"), codes_wanted(index_, values));
    }
    for (std::size_t i = 0; i < query_.histograms.size(); ++i) add_bins(i);
    for (const std::string& name : query_.aggregates) add_totals(name);
    if (query_.group) {
      leave(ColumnReason::kGroups);
    } else if (query_.k > 0) {
      add_hits();
    }
    return std::move(work_);
  }

 private:
  const index::Schema& schema() const { return index_.schema(); }

  /// The host needs the matches.
  void leave(ColumnReason reason) {
    work_.matches = true;
    work_.reasons.add(reason);
  }

  void add_counts(std::size_t field, std::uint32_t codes) {
    const auto known = std::ranges::find(work_.counted, field, &CountsWanted::field);
    if (known == work_.counted.end()) {
      work_.counted.push_back({field, codes});
    } else {
      known->codes = std::max(known->codes, codes);
    }
  }

  void add_bins(std::size_t request) {
    const HistogramRequest& histogram = query_.histograms[request];
    auto first_keys = first_keys_of_bins(index_, histogram);
    if (!first_keys) return leave(ColumnReason::kManyBins);
    const std::size_t field = column_number(schema(), histogram.field, "histogram");
    work_.binned.push_back({field, request, std::move(*first_keys)});
  }

  void add_totals(const std::string& name) {
    const std::size_t field = column_number(schema(), name, "aggregates");
    if (std::ranges::count(work_.totals, field) == 0) work_.totals.push_back(field);
    if (query_.distinct) add_counts(field, codes_wanted(index_, 0));
  }

  void add_hits() {
    const std::vector<SortField> keys = sort_fields(schema(), sort_keys_of(query_));
    if (query_.after) leave(ColumnReason::kLaterPage);
    if (std::ranges::any_of(keys, [](const SortField& key) { return !key.field; })) {
      leave(ColumnReason::kScores);
    } else if (!query_.after) {
      work_.first.emplace().k = query_.k;
      for (const SortField& key : keys) {
        work_.first->keys.push_back({*key.field, key.descending, key.missing_first});
      }
    }
  }

  const ColumnQuery& query_;
  const index::Index& index_;
  ColumnWork work_;
};

}  // namespace

ColumnWork work_of(const ColumnQuery& query, const index::Index& index) {
  return WorkMaker(query, index).make();
}

ColumnResults look_at_columns(const index::Index& index, const KnownColumns& known,
                              const ColumnQuery& query, unsigned threads,
                              const std::stop_token& stop, const ColumnsInUse* columns) {
  Matches matches;
  if (!known.complete()) {
    for (std::size_t s = 0; s < known.findings.size(); ++s) {
      const DocumentBitmap& bitmap = known.findings[s].matches;
      if (bitmap.documents != index.segments()[s]->statistics().documents) {
        throw std::logic_error("a back end has left out what matches in a segment");
      }
      matches.segments.push_back(bitmap);
    }
  }
  ColumnResults results;
  results.count = known.count();
  run(ColumnContext{index, matches, threads, stop, &known, columns}, query, results);
  return results;
}

}  // namespace gannet::query
