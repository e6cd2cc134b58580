// Which documents a query is asked of: a Boolean formula over predicates on fields.
//
//     using query::Filter;
//     query.filter = Filter::range("year", "2000", "2010") && !Filter::equal("tag", "draft");
//
// README.md of query/ has the language of parse_filter() and to_string().
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

/// An end of a range of values; without a value the range is open there.
struct FilterBound {
  std::optional<std::string> value = {};
  bool inclusive = true;
  bool operator==(const FilterBound&) const = default;
};

/// A set of documents, said by their fields; by default all of them. Values are spelled as in
/// documents: numbers, true and false, ISO 8601, strings (key_map.hpp). A document passes a
/// predicate if one of its values does; one without the field passes none, and so every negation.
///
/// Immutable and cheap to copy; any number of threads may use one. What combines filters throws
/// UsageError beyond kMaxDepth and kMaxSize.
class Filter {
 public:
  enum class Kind : std::uint8_t {
    kAll,
    kNone,
    kAnyOf,     ///< one of values()
    kInterval,  ///< from least() to greatest()
    kPrefix,    ///< keywords that begin with values().front()
    kExists,    ///< the field has a value
    kLive,      ///< the document is not deleted
    kAnd,       ///< of parts(), two or more
    kOr,        ///< of parts(), two or more
    kNot,       ///< of parts().front()
  };
  /// How deep operators may be nested (deeper than any text that is read), and how many predicates
  /// and values a filter may have.
  static constexpr std::uint32_t kMaxDepth = 1000;
  static constexpr std::uint64_t kMaxSize = std::uint64_t{1} << 20;

  Filter() = default;
  static Filter all() { return {}; }
  static Filter none();
  static Filter equal(std::string field, std::string value);
  /// No values: none().
  static Filter any_of(std::string field, std::vector<std::string> values);
  /// Both ends included. A range the wrong way round is empty.
  static Filter range(std::string field, std::string least, std::string greatest);
  /// Ends that are open or excluded: `between("price", {"10"}, {"20", false})`.
  static Filter between(std::string field, FilterBound least, FilterBound greatest);
  static Filter prefix(std::string field, std::string text);
  static Filter exists(std::string field);
  /// What is not deleted. Plans have it by themselves (Plan::live()), and the language has no word
  /// for it; to_string() says "live".
  static Filter live();
  /// What is left without a live() that is the filter or a part of its outermost AND.
  Filter without_live() const;

  friend Filter operator&&(Filter a, Filter b);
  friend Filter operator||(Filter a, Filter b);
  friend Filter operator!(const Filter& a);

  /// Whether they are written alike: the order of parts counts.
  bool operator==(const Filter& other) const;
  /// Equal filters have equal ones.
  std::size_t hash() const;

  Kind kind() const;
  bool is_all() const { return node_ == nullptr; }
  // Of a predicate:
  const std::string& field() const;
  const std::vector<std::string>& values() const;  ///< kAnyOf: distinct, sorted
  const FilterBound& least() const;
  const FilterBound& greatest() const;
  /// Of an operator: parts of an AND are no AND, and so on.
  const std::vector<Filter>& parts() const;

 private:
  struct Node;
  static Filter checked(Node node);
  static Filter made(Node node);
  static Filter chain(Kind kind, Filter a, Filter b);

  std::shared_ptr<const Node> node_;  ///< null: all
};

/// In the language of parse_filter(), which makes the same filter of it.
std::string to_string(const Filter& filter);

/// Reads a filter: `year:[2000 TO 2010} AND NOT tag:(a OR "b c")`. Throws UsageError with the
/// column for what is out of form, fields that the schema has not, and values that they cannot
/// have.
Filter parse_filter(std::string_view text, const index::Schema& schema);

/// Throws UsageError if the filter has a field that the schema has not, a value that its type
/// cannot have, or a prefix on a field that has no strings.
void check_filter(const Filter& filter, const index::Schema& schema);

}  // namespace gannet::query
