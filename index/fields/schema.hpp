// The fields of documents besides their main text: what an index keeps in columns, and texts that
// are searched apart.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "index/fields/key_map.hpp"

namespace gannet::index {

/// Most fields of a schema.
inline constexpr std::size_t kMaxFields = 128;

/// The fields of an index, in the order in which they were declared.
class Schema {
 public:
  Schema() = default;
  /// Throws UsageError for names that are out of form, reserved (`id`, `contents`, `score`), or
  /// there twice, options that do not belong to the type, codecs that there are not, and more than
  /// kMaxFields.
  explicit Schema(std::vector<FieldSpec> fields);

  const std::vector<FieldSpec>& fields() const { return fields_; }
  bool empty() const { return fields_.empty(); }
  /// The number of the field, or -1.
  int find(std::string_view name) const;
  /// Whether there are text fields.
  bool has_text() const;
  bool operator==(const Schema&) const = default;

 private:
  std::vector<FieldSpec> fields_;
};

/// `NAME:TYPE` and options behind it, with colons between: `year:i32`, `tag:keyword:multi`,
/// `price:f64:gpu-for`, `cost:decimal(2)`, `when:time:path=meta.when`. The types are those of
/// type_names(). A text has options of its own: `title:text:weight=2:stemmer=none`
/// (text/text_options.hpp). `path=` takes all that follows, colons included. Throws UsageError that
/// says what is wrong.
FieldSpec parse_field(std::string_view text);
/// The text that parse_field() makes this field of.
std::string to_string(const FieldSpec& field);
/// The type as parse_field() takes it: i32, decimal(2), keyword.
std::string type_name(const FieldSpec& field);
/// The names of all types, as messages list them: `i8, i16, ..., keyword, stored, text`.
const std::string& type_names();

/// A JSON array of objects with `name`, `type`, and if wanted `multi`, `codec`, `path`, of texts
/// `weight`, `tokenizer`, `stemmer`, `stopwords`, `keep-case`, `fold-accents`; `path` of the file
/// is for messages. Throws InputError with the place.
std::vector<FieldSpec> parse_schema(std::string_view json, std::string_view path);
/// What parse_schema() reads, on one line.
std::string schema_json(const Schema& schema);

}  // namespace gannet::index
