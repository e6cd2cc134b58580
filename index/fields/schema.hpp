// The schema: the fields that documents have besides their main text. Fields are stored as columns;
// text fields are searched, and have posting lists.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "index/fields/key_map.hpp"

namespace gannet::index {

/// Most fields that a schema may have.
inline constexpr std::size_t kMaxFields = 128;

/// The fields of an index in the order of their declaration. A field's number is its position in
/// this order. Immutable and thread-safe, except for assignment.
class Schema {
 public:
  Schema() = default;
  /// Throws UsageError if there are more than kMaxFields fields; if a name is malformed
  /// (FieldSpec::name), reserved (`id`, `contents`, `score`) or occurs twice; if an option does not
  /// belong to the field's type or is out of range; if the codec is unknown or cannot encode the
  /// type; if a path is not UTF-8.
  explicit Schema(std::vector<FieldSpec> fields);

  const std::vector<FieldSpec>& fields() const { return fields_; }
  bool empty() const { return fields_.empty(); }
  /// The number of the field with this name, or -1. O(fields).
  int find(std::string_view name) const;
  /// Whether the schema has text fields.
  bool has_text() const;
  bool operator==(const Schema&) const = default;

 private:
  std::vector<FieldSpec> fields_;
};

/// Parses the declaration of a field: `NAME:TYPE`, then options, separated by colons. Examples:
/// `year:i32`, `tag:keyword:multi`, `price:f64:gpu-for`, `cost:decimal(2)`,
/// `when:time:path=meta.when`, `tag:keyword:multi:split=;`. type_names() lists the types. The
/// options are `multi`, the name of a codec, `split=` (FieldSpec::split), and `path=`, whose value
/// extends to the end of the text and may contain colons. Text
/// fields have the options of text/text_options.hpp and `path=`:
/// `title:text:weight=2:stemmer=none`. Throws UsageError, whose message says what is wrong.
FieldSpec parse_field(std::string_view text);
/// The declaration from which parse_field() makes this field.
std::string to_string(const FieldSpec& field);
/// The name of the field's type in a declaration: i32, decimal(2), keyword.
std::string type_name(const FieldSpec& field);
/// The names of all types, separated by commas, for messages.
const std::string& type_names();

/// Parses a schema file: a JSON array of objects. Each object has `name` and `type`, and may have
/// `multi`, `codec`, `split` and `path`, for text fields also `weight`, `tokenizer`, `stemmer`,
/// `stop-words`, `keep-case` and `fold-accents`. The parameter `path` is the name of the file, for
/// messages. Throws InputError, which names the file and the field, if the JSON or a field is
/// malformed. Names that occur twice and too many fields are not found here: the constructor of
/// Schema finds them.
std::vector<FieldSpec> parse_schema(std::string_view json, std::string_view path);
/// The schema as JSON on one line, in the form that parse_schema() reads.
std::string schema_json(const Schema& schema);

}  // namespace gannet::index
