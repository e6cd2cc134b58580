// Filters: Boolean formulas over predicates on fields. A filter limits the documents that a query
// may find.
//
//     using query::Filter;
//     query.filter = Filter::range("year", "2000", "2010") && !Filter::equal("tag", "draft");
//
// The manual's page on fields has the language of parse_filter() and to_string().
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/fields/schema.hpp"

namespace gannet::query {

/// An end of a range of values. Without a value the range has no limit at this end.
struct FilterBound {
  std::optional<std::string> value = {};
  bool inclusive = true;
  bool operator==(const FilterBound&) const = default;
};

/// A condition on the fields of a document; by default all documents pass. Values are spelled as in
/// documents: numbers, true and false, ISO 8601, strings (key_map.hpp). A document passes a
/// predicate if at least one of its values does. A document without the field passes no predicate
/// on it, and so passes the negation of each.
///
/// A Filter does not know a schema: check_filter() checks fields and values. Filters are immutable
/// and share their nodes, so copies cost O(1); any number of threads may use one. Functions that
/// make or combine filters throw UsageError if the result exceeds kMaxDepth or kMaxSize.
class Filter {
 public:
  enum class Kind : std::uint8_t {
    kAll,
    kNone,
    kAnyOf,     ///< a value is one of values()
    kInterval,  ///< a value lies between least() and greatest()
    kPrefix,    ///< a keyword begins with the bytes of values().front()
    kExists,    ///< the field has a value
    kLive,      ///< the document is not deleted
    kDocument,  ///< it is the document whose docid is values().front(), in decimal
    kAnd,       ///< all of parts(), two or more
    kOr,        ///< at least one of parts(), two or more
    kNot,       ///< not parts().front()
  };  /// Largest depth of a filter; a predicate has depth 1. parse_filter() reads at most 200
      /// nested
  /// parentheses.
  static constexpr std::uint32_t kMaxDepth = 1000;
  /// Largest sum of predicates, values and NOTs; ANDs, ORs and ends of ranges do not count.
  static constexpr std::uint64_t kMaxSize = std::uint64_t{1} << 20;

  Filter() = default;
  static Filter all() { return {}; }
  static Filter none();
  static Filter equal(std::string field, std::string value);
  /// Repeated values count once. An empty `values` gives none().
  static Filter any_of(std::string field, std::vector<std::string> values);
  /// The range includes both ends. No document passes if `least` is greater than `greatest`.
  static Filter range(std::string field, std::string least, std::string greatest);
  /// A range with ends that may be excluded or missing: `between("price", {"10"}, {"20", false})`.
  /// A range without any end is exists().
  static Filter between(std::string field, FilterBound least, FilterBound greatest);
  /// An empty `text` gives exists().
  static Filter prefix(std::string field, std::string text);
  static Filter exists(std::string field);
  /// Passes documents that are not deleted. make_plan() and Searcher add it where documents are
  /// deleted. The language of parse_filter() has no word for it; to_string() writes "live".
  static Filter live();
  /// Passes one document of the index that is searched, by its docid; no other index has the same
  /// one under that number. Of a segment it takes a bit for each document while it is bound. The
  /// language of parse_filter() has no word for it; to_string() writes "document 17".
  static Filter document(std::uint32_t docid);
  /// The filter without live(), where live() is the filter itself or a part of its outermost AND.
  Filter without_live() const;

  /// Chains of one operator are flat, in the order of their parts. all() and none() are simplified
  /// away, and so is a double negation. A part that equals one of the first 64 parts of a chain is
  /// left out. Appending to a filter that is moved in, and has no other copy, copies none of its
  /// parts.
  friend Filter operator&&(Filter a, Filter b);
  friend Filter operator||(Filter a, Filter b);
  friend Filter operator!(const Filter& a);

  /// Compares the formulas, not their meaning: the order of parts and the spelling of values count.
  bool operator==(const Filter& other) const;
  /// Equal filters have equal hashes within a process. O(1).
  std::size_t hash() const;

  Kind kind() const;
  bool is_all() const { return node_ == nullptr; }
  // Of a predicate; other filters have empty ones:
  const std::string& field() const;
  const std::vector<std::string>& values() const;  ///< kAnyOf: distinct, in bytewise order
  const FilterBound& least() const;
  const FilterBound& greatest() const;
  /// The operands of an operator, else empty. No operand has the kind of its operator.
  const std::vector<Filter>& parts() const;

 private:
  struct Node;
  static Filter checked(Node node);
  static Filter made(Node node);
  static Filter chain(Kind kind, Filter a, Filter b);

  std::shared_ptr<const Node> node_;  ///< null: all
};

/// The filter in the language of parse_filter(), which reads an equal filter from it. Exceptions
/// are filters with live() or document(), filters with more nested parentheses than parse_filter()
/// reads, and filters that check_filter() refuses.
std::string to_string(const Filter& filter);

/// Reads a filter: `year:[2000 TO 2010} AND NOT tag:(a OR "b c")`. Throws QueryError, a UsageError
/// with the column, for wrong syntax, for a field that the schema does not have, and for a value
/// that the field's type cannot have; UsageError for an empty text. Thread-safe.
Filter parse_filter(std::string_view text, const index::Schema& schema);

/// Throws UsageError if the filter has a field that the schema does not have, a value that the
/// field's type cannot have (text fields and stored fields have exists() only), or a prefix on a
/// field that has no keywords, CancelledError after a stop request of the thread's StopScope.
/// Thread-safe.
void check_filter(const Filter& filter, const index::Schema& schema);

}  // namespace gannet::query
