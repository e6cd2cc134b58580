// Results by columns: what a query's matches look like in the fields of an index.
//
//     ColumnQuery wanted{.sort = {{.field = "year", .descending = true}},
//                        .facets = {{.field = "tag"}},
//                        .histograms = {{.field = "when", .step = HistogramStep::kMonth}}};
//     const ColumnResults results = search_columns(searcher, plan, wanted);
//
// Counts are of all documents that match, not of the k best. Everything is exact, over any number
// of segments, and the same for any number of threads.
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

/// Keys that documents may be sorted by, at most.
inline constexpr std::size_t kMaxSortKeys = 4;
/// Bins that a histogram lists, at most.
inline constexpr std::uint64_t kMaxBins = 1u << 16;

/// One of the keys that documents are sorted by. Of a field with several values the least one
/// counts, or the greatest one if descending. Keywords are in the order of their bytes.
struct SortKey {
  /// Empty: the score.
  std::string field = {};
  bool descending = false;
  /// Where documents without the field come: by default after the others, in either direction.
  bool missing_first = false;
  bool operator==(const SortKey&) const = default;
};

/// The values that most matches have.
struct FacetRequest {
  std::string field = {};
  /// Values that are listed, at most.
  std::uint32_t values = 10;
  bool operator==(const FacetRequest&) const = default;
};

/// How the values of a field are cut into bins.
enum class HistogramStep : std::uint8_t {
  kWidth,  ///< multiples of a width
  kYear,   ///< of the calendar in UTC: dates and times
  kMonth,
  kDay,
  kHour,  ///< times only
};

struct HistogramRequest {
  std::string field = {};
  HistogramStep step = HistogramStep::kWidth;
  /// kWidth: a number > 0, whole for integers, with no more digits than a decimal field has; of
  /// dates in days, of times in milliseconds.
  std::string width = {};
  /// Lists empty bins between others too; then there may be no more than kMaxBins.
  bool empty_bins = true;
  bool operator==(const HistogramRequest&) const = default;
};

/// The best hits for every value of a keyword field: a document belongs to the groups of all of its
/// values, one without the field to none.
struct GroupRequest {
  std::string field = {};
  /// Groups, at most.
  std::uint32_t groups = 10;
  /// Hits of a group, at most.
  std::uint32_t hits = 3;
  bool operator==(const GroupRequest&) const = default;
};

/// What is wanted of the documents that match.
struct ColumnQuery {
  /// The first key decides, of documents equal in it the second one, at last the smaller docid.
  /// Empty: the best by score. At most kMaxSortKeys.
  std::vector<SortKey> sort = {};
  /// Hits, at most.
  std::uint32_t k = 10;
  std::vector<FacetRequest> facets = {};
  std::vector<HistogramRequest> histograms = {};
  /// Fields whose values are summed up.
  std::vector<std::string> aggregates = {};
  /// Whether their different values are counted, which takes longer than all else of them.
  bool distinct = true;
  std::optional<GroupRequest> group = {};

  /// Whether hits are looked for in another way than by score.
  bool sorts() const { return !sort.empty() || group.has_value(); }
  /// Whether scores of all matches are needed.
  bool needs_scores() const;
  /// Whether anything is wanted that looks at all matches.
  bool empty() const {
    return sort.empty() && facets.empty() && histograms.empty() && aggregates.empty() && !group;
  }
};

struct FacetValue {
  std::string text = {};
  std::uint64_t count = 0;  ///< documents that have it
  bool operator==(const FacetValue&) const = default;
};

struct Facet {
  std::string field = {};
  /// The largest counts first; equal ones in the order of the values (of keywords: their bytes).
  std::vector<FacetValue> values = {};
  /// The counts of all values that are not listed, added up.
  std::uint64_t others = 0;
  /// Matches without the field.
  std::uint64_t missing = 0;
  bool operator==(const Facet&) const = default;
};

struct HistogramBin {
  /// The least value that belongs into it: `30`, `0.5`, `2024` (a year), `2024-03` (a month),
  /// `2024-03-01`, `2024-03-01T05:00Z`. The bin ends where the next multiple begins.
  std::string from = {};
  std::uint64_t count = 0;  ///< documents with a value in it
  bool operator==(const HistogramBin&) const = default;
};

struct Histogram {
  std::string field = {};
  std::vector<HistogramBin> bins = {};  ///< ascending
  std::uint64_t missing = 0;            ///< matches without the field
  bool operator==(const Histogram&) const = default;
};

/// The values of a field in all matches; of a field with several values, all of them.
struct Aggregate {
  std::string field = {};
  std::uint64_t documents = 0;  ///< matches that have the field
  std::uint64_t missing = 0;    ///< matches that lack it
  std::uint64_t values = 0;
  std::optional<std::uint64_t> distinct = {};  ///< nothing if they are not counted
  /// As value_text() spells them; nothing without values.
  std::optional<std::string> min = {};
  std::optional<std::string> max = {};
  /// Of integers, decimals and booleans (how many are true) exact, of floats the exact sum rounded
  /// once to a double. Nothing for other types (index::Sums says of which).
  std::optional<std::string> sum = {};
  /// The sum divided by the number of values. Of dates in days since 1970-01-01, of times in
  /// milliseconds since then. Nothing for keywords and what else has only an order, and without
  /// values.
  std::optional<double> mean = {};
  bool operator==(const Aggregate&) const = default;
};

struct Group {
  std::string value = {};
  std::uint64_t count = 0;     ///< matches that have the value
  std::vector<Hit> hits = {};  ///< best first
  bool operator==(const Group&) const = default;
};

struct Grouping {
  std::string field = {};
  /// In the order of their best hits; of groups with the same one, by value.
  std::vector<Group> groups = {};
  std::uint64_t missing = 0;  ///< matches without the field
  bool operator==(const Grouping&) const = default;
};

struct ColumnResults {
  /// Documents that match.
  std::uint64_t count = 0;
  /// Best first; none if they are grouped.
  std::vector<Hit> hits = {};
  /// Whether hits have scores; else these are 0.
  bool scored = false;
  /// In the order in which they were asked for.
  std::vector<Facet> facets = {};
  std::vector<Histogram> histograms = {};
  std::vector<Aggregate> aggregates = {};
  std::optional<Grouping> grouping = {};
  /// Hits that are given, in groups or not.
  std::uint64_t hits_in_all() const;
  bool operator==(const ColumnResults&) const = default;
};

struct ColumnOptions {
  /// Threads at work, no more than one a core; 0: one a core.
  unsigned threads = 0;
  std::stop_token stop = {};
  /// Once it has passed, the call ends with DeadlineError.
  Deadline deadline = kNoDeadline;
};

/// Throws UsageError if the query asks for fields that the schema has not, or that are not of a
/// type for what is wanted, for widths out of range, or for more than kMaxSortKeys.
void check(const ColumnQuery& query, const index::Schema& schema);

/// What the columns say of these matches. Hits by score need `matches` to have scores: UsageError
/// without them. Throws what check() does, UsageError for histograms of too many bins, FormatError
/// for damaged columns, CancelledError, DeadlineError. Thread-safe.
ColumnResults run_columns(const index::Index& index, const Matches& matches,
                          const ColumnQuery& query, const ColumnOptions& options = {});

}  // namespace gannet::query
