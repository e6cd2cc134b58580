// Results by columns, for people and as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "index/index.hpp"
#include "query/columns/column_query.hpp"
#include "query/columns/field_values.hpp"
#include "tools/terminal/json.hpp"

namespace gannet::tools {

/// The values of some fields of the hits that are printed.
class HitFields {
 public:
  /// Reads them. `numbers`: of the fields in the schema.
  HitFields(const index::Index& index, std::span<const std::size_t> numbers,
            std::span<const std::uint32_t> docids);

  bool empty() const { return numbers_.empty(); }
  /// Of the hit at this place: `year: 2004  tag: big, red`; fields that it lacks are `-`.
  std::string line(std::size_t hit) const;
  /// {"year": 2004, "tag": ["big", "red"], "price": null}; fields with several values are lists.
  Json json(std::size_t hit) const;

 private:
  const index::Index& index_;
  std::vector<std::size_t> numbers_;
  std::vector<std::vector<query::FieldValues>> values_;
};

/// A value as JSON has it: integers and floats as numbers, booleans as such, all others as text.
Json json_of(const index::FieldSpec& field, const std::string& value);

/// {"field": "tag", "groups": [{"value", "count", "hits"}], "missing": 3}; `hits` makes those of a
/// group.
Json json_of(const query::Grouping& grouping,
             const std::function<Json(const query::Group& group)>& hits);

/// Adds "facets", "histograms" and "stats", those that there are.
void add_columns(const index::Index& index, const query::ColumnResults& results, Json& json);

/// Prints facets, histograms and aggregates.
void print_columns(const index::Index& index, const query::ColumnResults& results);

}  // namespace gannet::tools
