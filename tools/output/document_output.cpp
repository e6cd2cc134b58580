#include "tools/output/document_output.hpp"

#include <fmt/format.h>

#include "query/columns/field_values.hpp"
#include "tools/output/column_output.hpp"
#include "tools/terminal/print.hpp"

namespace gannet::tools {
namespace {

constexpr std::string_view state_of(const index::DocumentPlace& place) {
  return place.live ? "live" : "deleted";
}

void print_line(std::string_view name, std::string_view value) {
  print("{:<10}  {}\n", one_line(std::string(name)), one_line(std::string(value)));
}

void print_values(const index::Index& index, index::Docid docid) {
  const std::vector<std::size_t> numbers = value_fields(index.schema());
  const auto values = query::field_values(index, numbers, {&docid, 1}).front();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (values[i].empty()) continue;
    print_line(index.schema().fields()[numbers[i]].name,
               fmt::format("{}", fmt::join(values[i], ", ")));
  }
}

}  // namespace

std::vector<std::size_t> value_fields(const index::Schema& schema) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < schema.fields().size(); ++i) {
    if (!schema.fields()[i].is_text()) numbers.push_back(i);
  }
  return numbers;
}

Json document_json(const index::Index& index, const index::DocumentPlace& place) {
  Json json{{"id", index.document_id(place.docid)},
            {"state", state_of(place)},
            {"docid", place.docid},
            {"segment", place.segment}};
  const HitFields fields(index, value_fields(index.schema()), {&place.docid, 1});
  if (!fields.empty()) json["fields"] = fields.json(0);
  if (auto text = index.stored_text(place.docid)) json["text"] = std::move(*text);
  return json;
}

void print_document(const index::Index& index, const index::DocumentPlace& place) {
  print_line("id", index.document_id(place.docid));
  print_line("state", state_of(place));
  print_line("place", fmt::format("docid {}, in segment {} of {}", place.docid, place.segment + 1,
                                  index.segments().size()));
  print_values(index, place.docid);
  if (const auto text = index.stored_text(place.docid)) print("\n{}\n", *text);
}

}  // namespace gannet::tools
