#include "index/fields/build/field_batch.hpp"

#include <algorithm>
#include <string>

#include "codecs/base/error.hpp"
#include "index/files/messages.hpp"

namespace gannet::index {
namespace {

[[noreturn]] void fail_document(std::string_view id, const std::string& what) {
  throw InputError("document '" + printable(id) + "': " + what);
}

}  // namespace

void FieldConverter::start(FieldBatch& batch) const {
  batch.columns.resize(schema_.fields().size());
  for (FieldBatch::Column& column : batch.columns) {
    column.values.clear();
    column.counts.clear();
    column.text.clear();
  }
}

void FieldConverter::add(std::string_view id, std::span<const FieldText> values,
                         FieldBatch& batch) const {
  for (FieldBatch::Column& column : batch.columns) column.counts.push_back(0);
  for (const FieldText& value : values) {
    if (value.field >= batch.columns.size()) {
      fail_document(id, "there is no field " + std::to_string(value.field) + " in the schema");
    }
    if (schema_.fields()[value.field].is_text()) continue;
    FieldBatch::Column& column = batch.columns[value.field];
    if (++column.counts.back() > 1 && !schema_.fields()[value.field].multi) {
      fail_document(id, "field '" + schema_.fields()[value.field].name +
                            "' has several values; declare it with multi if it may");
    }
    if (schema_.fields()[value.field].is_stored()) {
      column.values.push_back(value.text.size());
      column.text += value.text;
    } else {
      column.values.push_back(number_of(id, value));
    }
  }
  for (FieldBatch::Column& column : batch.columns) {
    std::uint32_t& count = column.counts.back();
    if (count < 2) continue;
    const auto first = column.values.end() - count;
    std::sort(first, column.values.end());
    column.values.erase(std::unique(first, column.values.end()), column.values.end());
    count = static_cast<std::uint32_t>(column.values.end() - first);
  }
}

void FieldConverter::set_length(std::uint32_t field, std::uint32_t length, FieldBatch& batch) {
  if (length == 0) return;
  batch.columns[field].counts.back() = 1;
  batch.columns[field].values.push_back(length);
}

std::uint64_t FieldConverter::keyword(std::uint32_t field, std::string_view text) const {
  thread_local std::string entry;
  entry.assign(1, static_cast<char>(field));
  entry += text;
  return dictionary_.number_of(entry);
}

std::uint64_t FieldConverter::number_of(std::string_view id, const FieldText& value) const {
  const FieldSpec& field = schema_.fields()[value.field];
  if (field.is_keyword()) {
    if (value.text.size() > kMaxKeyword) fail_document(id, *value_problem(field, value.text));
    return keyword(value.field, value.text);
  }
  const auto key = key_of(field, value.text);
  if (!key || !is_storable(field, *key)) fail_document(id, *value_problem(field, value.text));
  return *key;
}

}  // namespace gannet::index
