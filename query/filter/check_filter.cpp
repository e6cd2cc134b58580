#include "query/filter/check_filter.hpp"

#include <vector>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/fields/key_map.hpp"
#include "index/fields/text_terms.hpp"
#include "index/text/words/suggest.hpp"
#include "query/plan/filter.hpp"

namespace gannet::query {
namespace {

void check(const std::optional<std::string>& problem) {
  if (problem) throw UsageError("filter: " + *problem);
}

std::string text_problem(const index::FieldSpec& field) {
  return "'" + field.name + "' is a text, which filters do not search; put the word in the query";
}

void check_predicate(const Filter& filter, const index::FieldSpec& field) {
  if (filter.kind() == Filter::Kind::kPrefix) return check(prefix_problem(field));
  StopCheck check_stop;
  for (const std::string& value : filter.values()) {
    check_stop();
    check(value_problem(field, value));
  }
  for (const FilterBound* bound : {&filter.least(), &filter.greatest()}) {
    if (bound->value) check(value_problem(field, *bound->value));
  }
}

}  // namespace

std::string fields_of(const index::Schema& schema) {
  if (schema.empty()) return "this index has no fields";
  std::string text = "fields of this index:";
  for (const index::FieldSpec& field : schema.fields()) {
    text += (&field == &schema.fields().front() ? " " : ", ") + field.name;
  }
  return text;
}

std::string unknown_field(std::string_view name, const index::Schema& schema) {
  return "there is no field '" + std::string(name) + "'" + field_meant(name, schema) + "; " +
         fields_of(schema);
}

std::string field_meant(std::string_view name, const index::Schema& schema) {
  std::vector<std::string> names;
  for (const index::FieldSpec& field : schema.fields()) names.push_back(field.name);
  if (schema.has_text()) names.emplace_back(index::kContentsField);
  return index::did_you_mean(name, names);
}

std::optional<std::string> value_problem(const index::FieldSpec& field, std::string_view value) {
  if (field.is_keyword()) return std::nullopt;
  if (field.is_stored()) {
    return "field '" + field.name + "' is only stored: there is " + field.name +
           ":* for documents that have it, but no search for what it says";
  }
  if (field.is_text()) return text_problem(field);
  std::string why;
  if (keys_of(field, value, &why)) return std::nullopt;
  return "'" + std::string(value) + "' is no value of field '" + field.name + "': " + why;
}

std::optional<std::string> prefix_problem(const index::FieldSpec& field) {
  if (field.is_keyword()) return std::nullopt;
  if (field.is_stored()) return value_problem(field, {});
  if (field.is_text()) return text_problem(field);
  const std::string examples = index::with_field_type(
      field.type, [&]<class T>() { return T::filter_examples(field.name + ":"); });
  return "field '" + field.name + "' is no keyword, and only keywords have prefixes; write " +
         examples;
}

void check_filter(const Filter& filter, const index::Schema& schema) {
  for (const Filter& part : filter.parts()) check_filter(part, schema);
  using Kind = Filter::Kind;
  const bool predicate = filter.kind() != Kind::kAll && filter.kind() != Kind::kNone &&
                         filter.kind() != Kind::kLive && filter.kind() != Kind::kDocument &&
                         filter.kind() != Kind::kNot && filter.parts().empty();
  if (!predicate) return;
  const int number = schema.find(filter.field());
  if (number < 0) throw UsageError("filter: " + unknown_field(filter.field(), schema));
  check_predicate(filter, schema.fields()[static_cast<std::size_t>(number)]);
}

}  // namespace gannet::query
