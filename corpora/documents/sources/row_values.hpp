// Records of which only the values of fields are wanted.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpora/documents/sources/text_batch.hpp"
#include "index/builder.hpp"
#include "index/fields/field_text.hpp"

namespace gannet::corpora {

/// Adds documents that have values and nothing else, one for every record, whatever is wrong with
/// it. Not thread-safe.
class RowValues {
 public:
  /// Both must stay.
  RowValues(const index::Schema& schema, const BadRecords& bad_records)
      : schema_(schema), bad_records_(bad_records), check_(schema) {}

  /// Throws InputError for a value that is none of its field, or leaves it out and counts it.
  void add(const std::string& path, std::uint64_t line, std::span<const index::FieldText> values,
           index::ParsedBatch& batch);
  /// A record that cannot be read: throws InputError, or adds a document without values.
  void fail(const std::string& path, std::uint64_t line, std::string_view reason,
            index::ParsedBatch& batch) const;

 private:
  void add_sound(const std::string& place, std::span<const index::FieldText> values,
                 index::ParsedBatch& batch) const;

  const index::Schema& schema_;
  const BadRecords& bad_records_;
  index::FieldCheck check_;
};

}  // namespace gannet::corpora
