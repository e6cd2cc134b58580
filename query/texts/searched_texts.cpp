#include "query/texts/searched_texts.hpp"

#include <algorithm>
#include <string>

#include "codecs/base/error.hpp"
#include "index/text/words/suggest.hpp"
#include "query/plan/making/weight.hpp"

namespace gannet::query {
namespace {

std::vector<std::string> names_of(const index::Schema& schema) {
  std::vector<std::string> names{std::string(index::kContentsField)};
  for (const index::FieldSpec& field : schema.fields()) {
    if (field.is_text()) names.push_back(field.name);
  }
  return names;
}

std::string text_names(const index::Schema& schema) {
  std::string list;
  for (const std::string& name : names_of(schema)) list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::uint32_t text_named(const index::Schema& schema, const std::string& name) {
  if (name == index::kContentsField) return index::kMainText;
  if (const auto text = find_text(schema, name)) return *text;
  const auto caret = name.find('^');
  if (caret != std::string::npos) {
    throw UsageError("searched fields: '" + name.substr(caret + 1) +
                     "' is no weight; write a number, as in " + name.substr(0, caret) + "^2.5");
  }
  if (schema.find(name) >= 0) {
    throw UsageError("searched fields: '" + name + "' has values and no words; the texts are " +
                     text_names(schema));
  }
  throw UsageError("searched fields: no text is called '" + name + "'" +
                   index::did_you_mean(name, names_of(schema)) + "; the index has " +
                   text_names(schema));
}

/// Several names that are mistyped, all at once; text_named() tells of one.
void check_names(std::span<const SearchField> fields, const index::Schema& schema) {
  std::string unknown;
  std::size_t count = 0;
  for (const SearchField& field : fields) {
    const bool known = field.name == index::kContentsField || schema.find(field.name) >= 0 ||
                       field.name.find('^') != std::string::npos;
    if (known) continue;
    unknown += (count++ == 0 ? "'" : ", '") + field.name + "'" +
               index::did_you_mean(field.name, names_of(schema));
  }
  if (count < 2) return;
  throw UsageError("searched fields: no texts are called " + unknown + "; the index has " +
                   text_names(schema));
}

void check_weight(const SearchField& field) {
  const auto problem = weight_problem(field.weight);
  if (problem) throw UsageError("searched fields: " + field.name + ": " + *problem);
}

}  // namespace

std::vector<SearchedText> searched_texts(std::span<const SearchField> fields,
                                         const index::Schema& schema) {
  check_names(fields, schema);
  std::vector<SearchedText> texts;
  for (const SearchField& field : fields) {
    check_weight(field);
    const std::uint32_t text = text_named(schema, field.name);
    if (std::ranges::find(texts, text, &SearchedText::text) != texts.end()) {
      throw UsageError("searched fields: '" + field.name + "' is there twice");
    }
    texts.push_back({text, field.weight});
  }
  if (!texts.empty()) return texts;
  texts.push_back({});
  for (std::uint32_t i = 0; i < schema.fields().size(); ++i) {
    const index::FieldSpec& field = schema.fields()[i];
    if (field.is_text() && field.text.weight > 0) texts.push_back({i, field.text.weight});
  }
  return texts;
}

std::vector<SearchField> parse_search_fields(std::string_view text) {
  std::vector<SearchField> fields;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    const auto suffix = find_weight(item);
    if (suffix && !suffix->problem.empty()) {
      throw UsageError("searched fields: '" + std::string(item) + "': " + suffix->problem);
    }
    SearchField field{std::string(item.substr(0, suffix ? suffix->position : item.size())),
                      suffix ? suffix->weight : 1};
    if (field.name.empty()) throw UsageError("searched fields: a name is missing");
    fields.push_back(std::move(field));
    if (comma == std::string_view::npos) return fields;
    text.remove_prefix(comma + 1);
  }
}

std::string_view text_name(const index::Schema& schema, std::uint32_t text) {
  return text == index::kMainText ? index::kContentsField
                                  : std::string_view(schema.fields()[text].name);
}

std::optional<std::uint32_t> find_text(const index::Schema& schema, std::string_view name) {
  if (name == index::kContentsField && schema.has_text()) return index::kMainText;
  const int number = schema.find(name);
  if (number < 0 || !schema.fields()[static_cast<std::size_t>(number)].is_text()) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(number);
}

}  // namespace gannet::query
