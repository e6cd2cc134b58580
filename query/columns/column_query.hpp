// Results by columns: sorting, facets, histograms, aggregates and groups over all documents that
// match a query.
//
//     ColumnQuery wanted{.sort = {{.field = "year", .descending = true}},
//                        .facets = {{.field = "tag"}},
//                        .histograms = {{.field = "when", .step = HistogramStep::kMonth}}};
//     const ColumnResults results = search_columns(searcher, plan, wanted);
//
// Counts cover all documents that match, not only the k best. Counts and hits are exact, and do not
// depend on the number of segments or threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/deadline.hpp"
#include "index/index.hpp"
#include "query/plan/plan.hpp"
#include "query/results/hits.hpp"
#include "query/results/matches.hpp"

namespace gannet::query {

/// The largest number of keys in a sort.
inline constexpr std::size_t kMaxSortKeys = 4;
/// The largest number of bins in a histogram with HistogramRequest::empty_bins.
inline constexpr std::uint64_t kMaxBins = 1u << 16;

/// One of the keys that documents are sorted by. A document with several values in the field is
/// sorted by its least value, or by its greatest value if the key is descending. Keywords are
/// ordered by their bytes.
struct SortKey {
  /// The name of a field with values; empty: the score.
  std::string field = {};
  bool descending = false;
  /// Documents without the field come first; by default they come last, ascending or descending.
  bool missing_first = false;
  bool operator==(const SortKey&) const = default;
};

/// Asks for the values of a field that the most matches have.
struct FacetRequest {
  std::string field = {};
  /// The largest number of values in the facet.
  std::uint32_t values = 10;
  bool operator==(const FacetRequest&) const = default;
};

/// How the values of a field are cut into bins.
enum class HistogramStep : std::uint8_t {
  kWidth,  ///< bins begin at multiples of HistogramRequest::width
  kYear,   ///< calendar years in UTC, of dates and times
  kMonth,  ///< calendar months in UTC, of dates and times
  kDay,    ///< days in UTC, of dates and times
  kHour,   ///< hours in UTC, of times only
};

/// Asks how many matches have a value in each bin of a field with numbers, dates or times.
struct HistogramRequest {
  std::string field = {};
  HistogramStep step = HistogramStep::kWidth;
  /// The width of a bin for kWidth, a number > 0 as text. Integers, dates (in days) and times (in
  /// milliseconds) need a whole number; a decimal field allows as many digits behind the point as
  /// it has. The other steps ignore it.
  std::string width = {};
  /// Also lists the empty bins between the first and the last bin; more than kMaxBins bins are then
  /// an error.
  bool empty_bins = true;
  bool operator==(const HistogramRequest&) const = default;
};

/// Asks for the groups with the best hits, one group for each value of a keyword field. A document
/// belongs to the groups of all its values; a document without the field belongs to no group.
struct GroupRequest {
  std::string field = {};
  /// The largest number of groups.
  std::uint32_t groups = 10;
  /// The largest number of hits in a group.
  std::uint32_t hits = 3;
  bool operator==(const GroupRequest&) const = default;
};

/// A query by columns, for the documents that match a plan.
struct ColumnQuery {
  /// The order of hits: by the first key, then by the following keys, then by ascending docid. At
  /// most kMaxSortKeys keys. Empty: by descending score.
  std::vector<SortKey> sort = {};
  /// The largest number of hits; ignored if `group` is set. 0: no hits.
  std::uint32_t k = 10;
  /// Only hits that come behind this one in the order of `sort`, for paging. Its document, which
  /// may be deleted, has its place by its values in the index; the score counts if it is a sort
  /// key. Without a sort search_columns() ignores it: Plan::page() says where hits by score begin.
  std::optional<Hit> after = {};
  std::vector<FacetRequest> facets = {};
  std::vector<HistogramRequest> histograms = {};
  /// Names of the fields that get an Aggregate.
  std::vector<std::string> aggregates = {};
  /// Counts the distinct values of each aggregate, which takes longer than the rest of it.
  bool distinct = true;
  std::optional<GroupRequest> group = {};

  /// True if hits come from a sort or from groups, and not from a plain search by score.
  bool sorts() const { return !sort.empty() || group.has_value(); }
  /// True if run_columns() needs matches with scores.
  bool needs_scores() const;
  /// True if the query asks for nothing but hits by score, which needs no columns.
  bool empty() const {
    return sort.empty() && facets.empty() && histograms.empty() && aggregates.empty() && !group;
  }
};

/// A value in a facet.
struct FacetValue {
  std::string text = {};    ///< as value_text() spells it, or the keyword
  std::uint64_t count = 0;  ///< matches that have the value
  bool operator==(const FacetValue&) const = default;
};

/// The answer to a FacetRequest.
struct Facet {
  std::string field = {};
  /// By descending count; values with equal counts ascend (keywords by their bytes).
  std::vector<FacetValue> values = {};
  /// The sum of the counts of all values that are not listed. A document with several such values
  /// counts once for each.
  std::uint64_t others = 0;
  /// Matches without the field.
  std::uint64_t missing = 0;
  bool operator==(const Facet&) const = default;
};

/// A bin of a histogram.
struct HistogramBin {
  /// The lower edge, which belongs to the bin: `30`, `0.5`, `2024` (a year), `2024-03` (a month),
  /// `2024-03-01`, `2024-03-01T05:00Z`. The bin ends before the next edge.
  std::string from = {};
  std::uint64_t count = 0;  ///< matches with a value in the bin; each counts once in a bin
  bool operator==(const HistogramBin&) const = default;
};

/// The answer to a HistogramRequest.
struct Histogram {
  std::string field = {};
  std::vector<HistogramBin> bins = {};  ///< ascending
  std::uint64_t missing = 0;            ///< matches without the field
  bool operator==(const Histogram&) const = default;
};

/// A summary of a field over all matches. All values of a document with several values count.
struct Aggregate {
  std::string field = {};
  std::uint64_t documents = 0;                 ///< matches that have the field
  std::uint64_t missing = 0;                   ///< matches without the field
  std::uint64_t values = 0;                    ///< number of values, repetitions included
  std::optional<std::uint64_t> distinct = {};  ///< nullopt if ColumnQuery::distinct is false
  /// The least and the greatest value, as value_text() spells them, or keywords; nullopt if there
  /// are no values.
  std::optional<std::string> min = {};
  std::optional<std::string> max = {};
  /// Integers, decimals and booleans (true is 1): the exact sum. Floats: the exact sum, rounded
  /// once to a double; it does not depend on the order of the documents. Without values "0".
  /// nullopt for other types (index::Sums).
  std::optional<std::string> sum = {};
  /// The sum divided by the number of values, in double. Dates: in days since 1970-01-01. Times: in
  /// milliseconds since 1970-01-01T00:00Z. nullopt for keywords and other types that only
  /// have an order, and if there are no values.
  std::optional<double> mean = {};
  bool operator==(const Aggregate&) const = default;
};

/// The matches that have one value of a keyword field.
struct Group {
  std::string value = {};
  std::uint64_t count = 0;     ///< matches that have the value
  std::vector<Hit> hits = {};  ///< best first
  bool operator==(const Group&) const = default;
};

/// The answer to a GroupRequest.
struct Grouping {
  std::string field = {};
  /// In the order of their best hits; groups with one document as their best hit ascend by value.
  std::vector<Group> groups = {};
  std::uint64_t missing = 0;  ///< matches without the field
  bool operator==(const Grouping&) const = default;
};

/// The answer to a ColumnQuery.
struct ColumnResults {
  /// Number of documents that match.
  std::uint64_t count = 0;
  /// Best first; empty if the query has groups. Docids are those of the index.
  std::vector<Hit> hits = {};
  /// True if hits have scores; otherwise Hit::score is 0.
  bool scored = false;
  /// Facets, histograms and aggregates are in the order of the requests.
  std::vector<Facet> facets = {};
  std::vector<Histogram> histograms = {};
  std::vector<Aggregate> aggregates = {};
  std::optional<Grouping> grouping = {};
  /// Number of hits, those in groups included.
  std::uint64_t hits_in_all() const;
  bool operator==(const ColumnResults&) const = default;
};

/// Options of run_columns() and search_columns().
struct ColumnOptions {
  /// Number of threads, at most one per core; 0: one per core.
  unsigned threads = 0;
  /// After a stop request, the call throws CancelledError.
  std::stop_token stop = {};
  /// After this time, the call throws DeadlineError.
  Deadline deadline = kNoDeadline;
};

/// Throws UsageError for a field that the schema does not have, for a field whose type does not
/// support the request, for a width out of range, and for more than kMaxSortKeys keys.
void check(const ColumnQuery& query, const index::Schema& schema);

/// Runs `query` on matches of plans on `index`. If query.needs_scores(), `matches` must have
/// scores. Columns are decoded for this call only; search_columns() keeps them for later calls.
///
/// Throws UsageError for what check() refuses, for matches whose segments have other sizes than
/// those of the index, for missing scores, for more than kMaxBins bins with `empty_bins`, and for a
/// width that is too small for a float value. Throws FormatError for damaged columns,
/// CancelledError after a stop request, DeadlineError after the deadline. Thread-safe.
ColumnResults run_columns(const index::Index& index, const Matches& matches,
                          const ColumnQuery& query, const ColumnOptions& options = {});

}  // namespace gannet::query
