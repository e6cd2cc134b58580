// The fields of documents besides their main text: what an index keeps in columns, and texts that
// are searched apart.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/fields/key_map.hpp"
#include "index/text/text_options.hpp"

namespace gannet::index {

/// A field of the documents, kept as a column; or of the type kText, kept as posting lists beside
/// those of the main text, with a column of its lengths.
struct FieldSpec {
  /// 1 to 64 letters, digits, `_`, `-` and `.` of ASCII, a letter first. Unique in a schema.
  std::string name = {};
  FieldType type = FieldType::kInteger;
  /// kInteger: 8, 16, 32 or 64.
  unsigned bits = 64;
  bool is_signed = true;
  /// kDecimal: digits behind the point, 0 to 18.
  unsigned scale = 0;
  /// A document may have several values. Not of stored texts, nor of kText, whose values are always
  /// one text together.
  bool multi = false;
  /// A codec's name (codecs/columns.hpp), or auto. Of stored texts, one that takes bytes (u8).
  std::string codec = "auto";
  /// Where documents have it: a column of a table, or a member of a JSON object; dots lead into
  /// objects. Empty: the name.
  std::string path = {};
  /// Of kText.
  TextOptions text = {};

  bool is_text() const { return type == FieldType::kText; }
  const std::string& source() const { return path.empty() ? name : path; }
  bool operator==(const FieldSpec&) const = default;
};

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
/// `price:f64:gpu-for`, `cost:decimal(2)`, `when:time:path=meta.when`. Types: i8 to i64, u8 to u64,
/// decimal(digits), f32, f64, date, time, bool, keyword, stored, text. A text has options of its
/// own: `title:text:weight=2:stemmer=none` (text/text_options.hpp). `path=` takes all that follows,
/// colons included. Throws UsageError that says what is wrong.
FieldSpec parse_field(std::string_view text);
/// The text that parse_field() makes this field of.
std::string to_string(const FieldSpec& field);
/// The type as parse_field() takes it: i32, decimal(2), keyword.
std::string type_name(const FieldSpec& field);

/// A JSON array of objects with `name`, `type`, and if wanted `multi`, `codec`, `path`, of texts
/// `weight`, `tokenizer`, `stemmer`, `stopwords`, `keep-case`, `fold-accents`; `path` of the file
/// is for messages. Throws InputError with the place.
std::vector<FieldSpec> parse_schema(std::string_view json, std::string_view path);
/// What parse_schema() reads, on one line.
std::string schema_json(const Schema& schema);

}  // namespace gannet::index
