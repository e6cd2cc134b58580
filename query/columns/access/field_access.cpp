#include "query/columns/access/field_access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "codecs/base/error.hpp"
#include "query/filter/check_filter.hpp"

namespace gannet::query {

std::size_t field_number(const index::Schema& schema, std::string_view name,
                         std::string_view what) {
  const int number = schema.find(name);
  if (number >= 0 && !schema.fields()[static_cast<std::size_t>(number)].is_text()) {
    return static_cast<std::size_t>(number);
  }
  if (number >= 0) {
    throw UsageError(fmt::format("{}: '{}' is a text, which has words and no values", what, name));
  }
  if (schema.empty()) {
    throw UsageError(fmt::format(
        "{}: no field is called '{}': the index has no fields; build it with --field or --schema",
        what, name));
  }
  std::string names;
  for (const index::FieldSpec& field : schema.fields()) {
    names += (names.empty() ? "" : ", ") + field.name;
  }
  throw UsageError(fmt::format("{}: no field is called '{}'{}; the index has {}", what, name,
                               field_meant(name, schema), names));
}

void check_names(const index::Schema& schema, std::span<const std::string> names,
                 std::string_view what) {
  std::string unknown;
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (schema.find(name) >= 0) continue;
    unknown += fmt::format("{}'{}'{}", count++ == 0 ? "" : ", ", name, field_meant(name, schema));
  }
  if (count < 2) return;  // field_number() tells of one
  std::string there;
  for (const index::FieldSpec& field : schema.fields()) {
    there += (there.empty() ? "" : ", ") + field.name;
  }
  throw UsageError(fmt::format("{}: no fields are called {}; the index has {}", what, unknown,
                               there.empty() ? "none" : there));
}

std::size_t column_number(const index::Schema& schema, std::string_view name,
                          std::string_view what) {
  const std::size_t number = field_number(schema, name, what);
  if (!schema.fields()[number].is_stored()) return number;
  throw UsageError(fmt::format(
      "{}: field '{}' is only stored, and can be shown with hits; give it another type too", what,
      name));
}

std::string text_of(const index::FieldColumn& column, std::uint64_t code) {
  const index::KeywordDictionary* const dictionary = column.dictionary();
  if (dictionary == nullptr) return value_text(column.spec(), column.keys().key(code));
  if (code >= dictionary->size()) {
    throw FormatError(fmt::format("field '{}': code {} is beyond its dictionary of {} keywords",
                                  column.spec().name, code, dictionary->size()));
  }
  return dictionary->text(static_cast<std::uint32_t>(code));
}

std::optional<std::uint64_t> code_of_text(const index::FieldColumn& column, std::string_view text) {
  const index::KeywordDictionary& dictionary = *column.dictionary();
  const std::uint32_t code = dictionary.lower_bound(text);
  if (code >= dictionary.size() || dictionary.text(code) != text) return std::nullopt;
  return code;
}

std::optional<std::uint64_t> code_of_key(const index::FieldColumn& column, std::uint64_t key) {
  const index::KeyMap& map = column.keys();
  if (key < map.base || (key - map.base) % map.unit != 0) return std::nullopt;
  return (key - map.base) / map.unit;
}

void fail_code(const index::FieldColumn& column) {
  throw FormatError("field '" + column.spec().name +
                    "': a code is beyond what its blocks say; gannet verify says more");
}

std::uint64_t count_missing(const ColumnContext& context, std::size_t field) {
  std::uint64_t missing = 0;
  for (std::size_t s = 0; s < context.segments(); ++s) {
    if (context.known != nullptr) {
      if (const auto known = context.known->missing(s, field)) {
        missing += *known;
        continue;
      }
    }
    const index::FieldColumn& column = context.column(s, field);
    const DocumentBitmap& matches = context.matches.segments[s];
    if (column.multi()) {
      for_each_bit(
          {0, matches.documents}, [&](std::uint32_t w) { return matches.words[w]; },
          [&](std::uint32_t d) { missing += has_value(column, d) ? 0 : 1; });
      continue;
    }
    if (column.present().empty()) continue;
    for (std::size_t w = 0; w < matches.words.size(); ++w) {
      missing += static_cast<std::uint64_t>(std::popcount(matches.words[w] & ~column.present()[w]));
    }
  }
  return missing;
}

}  // namespace gannet::query
