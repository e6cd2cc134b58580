#include "tools/output/field_report.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "index/fields/field_column.hpp"
#include "tools/measure/table.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"
#include "tools/terminal/screen.hpp"

namespace gannet::tools {
namespace {

/// A field in all segments.
struct FieldSize {
  std::uint64_t documents = 0;  ///< that have it
  std::uint64_t values = 0;
  std::uint64_t code_bytes = 0;
  std::uint64_t bytes = 0;                      ///< with tables and strings
  std::map<std::string, std::uint64_t> codecs;  ///< values by codec, or bytes of stored texts
  std::optional<std::uint64_t> distinct;        ///< of keywords
  std::optional<std::uint64_t> text_bytes;      ///< of stored texts

  double bits() const {
    return values == 0 ? 0 : 8 * static_cast<double>(code_bytes) / static_cast<double>(values);
  }
};

/// Different strings of several sorted dictionaries.
std::uint64_t count_distinct(const std::vector<const index::KeywordDictionary*>& dictionaries) {
  if (dictionaries.size() == 1) return dictionaries.front()->size();
  std::vector<std::uint32_t> next(dictionaries.size());
  std::vector<std::optional<std::string>> texts(dictionaries.size());
  const auto read = [&](std::size_t i) {
    texts[i].reset();
    if (next[i] < dictionaries[i]->size()) texts[i] = dictionaries[i]->text(next[i]++);
  };
  for (std::size_t i = 0; i < dictionaries.size(); ++i) read(i);
  for (std::uint64_t count = 0;; ++count) {
    std::optional<std::string> least;
    for (const auto& text : texts) {
      if (text && (!least || *text < *least)) least = text;
    }
    if (!least) return count;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (texts[i] == least) read(i);
    }
  }
}

FieldSize size_of_field(const index::Index& index, std::size_t number) {
  FieldSize size;
  std::vector<const index::KeywordDictionary*> dictionaries;
  for (const auto& segment : index.segments()) {
    const index::FieldColumn& column = segment->field(number);
    size.documents += documents_with(column);
    // The code of a document without a value is none.
    size.values += column.multi() ? column.codes() : documents_with(column);
    if (column.texts() != nullptr) {
      size.text_bytes = size.text_bytes.value_or(0) + column.codes();
      size.bytes += (std::uint64_t{column.documents()} + 1) * sizeof(std::uint64_t);
    }
    size.bytes += column.present().size_bytes() + column.starts().size_bytes();
    for (std::size_t block = 0; block < column.blocks().size(); ++block) {
      size.code_bytes += column.bytes(block);
      size.codecs[std::string(column.codec(block))] += column.blocks()[block].count;
    }
    if (column.dictionary() == nullptr) continue;
    dictionaries.push_back(column.dictionary());
    size.bytes += column.dictionary()->bytes();
  }
  size.bytes += size.code_bytes;
  if (!dictionaries.empty()) size.distinct = count_distinct(dictionaries);
  return size;
}

/// `gpu-for`, or with several `gpu-for 75%, rle 25%`, the most frequent first.
std::string codecs_text(const FieldSize& size) {
  if (size.codecs.size() == 1) return size.codecs.begin()->first;
  std::vector<std::pair<std::uint64_t, std::string>> order;
  std::uint64_t all = 0;
  for (const auto& [name, values] : size.codecs) {
    order.emplace_back(values, name);
    all += values;
  }
  std::sort(order.rbegin(), order.rend());
  std::string text;
  for (const auto& [values, name] : order) {
    const double share = 100 * static_cast<double>(values) / static_cast<double>(all);
    text += fmt::format("{}{} {:.0f}%", text.empty() ? "" : ", ", name, share);
  }
  return text.empty() ? "-" : text;
}

}  // namespace

Json fields_json(const index::Index& index) {
  Json fields = Json::array();
  const auto& specs = index.schema().fields();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const FieldSize size = size_of_field(index, i);
    Json field{{"name", specs[i].name},         {"type", type_name(specs[i])},
               {"multi", specs[i].multi},       {"codec", specs[i].codec},
               {"path", specs[i].source()},     {"documents", size.documents},
               {"values", size.values},         {"codecs", size.codecs},
               {"bits_per_value", size.bits()}, {"bytes", size.bytes}};
    if (size.distinct) field["distinct"] = *size.distinct;
    if (size.text_bytes) field["text_bytes"] = *size.text_bytes;
    fields.push_back(std::move(field));
  }
  return fields;
}

void print_fields(const index::Index& index) {
  const auto& specs = index.schema().fields();
  if (specs.empty()) return;
  TextTable table({"field", "type", "documents", "distinct", "bits/value", "bytes", "codecs"}, 2);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const FieldSize size = size_of_field(index, i);
    table.add({specs[i].name, std::string(type_name(specs[i])) + (specs[i].multi ? " multi" : ""),
               with_commas(size.documents), size.distinct ? with_commas(*size.distinct) : "-",
               fmt::format("{:.2f}", size.bits()), human_bytes(static_cast<double>(size.bytes)),
               codecs_text(size)});
  }
  print("\n{}", table.text(screen_columns(stdout)));
}

}  // namespace gannet::tools
