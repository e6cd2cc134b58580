#include "query/filter/check_filter.hpp"

#include "codecs/error.hpp"
#include "query/filter/filter.hpp"

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
  for (const std::string& value : filter.values()) check(value_problem(field, value));
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
  return "there is no field '" + std::string(name) + "'; " + fields_of(schema);
}

std::optional<std::string> value_problem(const index::FieldSpec& field, std::string_view value) {
  if (field.type == index::FieldType::kKeyword) return std::nullopt;
  if (field.type == index::FieldType::kStored) {
    return "field '" + field.name + "' is only stored: there is " + field.name +
           ":* for documents that have it, but no search for what it says";
  }
  if (field.is_text()) return text_problem(field);
  std::string why;
  if (index::key_of(field, value, &why)) return std::nullopt;
  return "'" + std::string(value) + "' is no value of field '" + field.name + "': " + why;
}

std::optional<std::string> prefix_problem(const index::FieldSpec& field) {
  if (field.type == index::FieldType::kKeyword) return std::nullopt;
  if (field.type == index::FieldType::kStored) return value_problem(field, {});
  if (field.is_text()) return text_problem(field);
  return "field '" + field.name +
         "' is no keyword, and only keywords have prefixes; write a range as in " + field.name +
         ":[10 TO 20]";
}

void check_filter(const Filter& filter, const index::Schema& schema) {
  for (const Filter& part : filter.parts()) check_filter(part, schema);
  using Kind = Filter::Kind;
  const bool predicate = filter.kind() != Kind::kAll && filter.kind() != Kind::kNone &&
                         filter.kind() != Kind::kLive && filter.kind() != Kind::kNot &&
                         filter.parts().empty();
  if (!predicate) return;
  const int number = schema.find(filter.field());
  if (number < 0) throw UsageError("filter: " + unknown_field(filter.field(), schema));
  check_predicate(filter, schema.fields()[static_cast<std::size_t>(number)]);
}

}  // namespace gannet::query
