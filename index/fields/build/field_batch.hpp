// The values of a batch of documents, as numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/fields/field_text.hpp"
#include "index/lexicon/term_dictionary.hpp"

namespace gannet::index {

/// Values of documents, field by field.
struct FieldBatch {
  struct Column {
    /// Keys, of keywords numbers of the dictionary, of stored texts their lengths. In the order of
    /// the documents, those of one document ascending and different.
    std::vector<std::uint64_t> values;
    std::vector<std::uint32_t> counts;  ///< of values, for each document
    std::string text;                   ///< stored texts, one behind the other
  };
  std::vector<Column> columns;
};

/// Makes numbers of values. Thread-safe, as the dictionary is.
class FieldConverter {
 public:
  /// Schema and dictionary must stay..
  FieldConverter(const Schema& schema, TermDictionary& dictionary)
      : schema_(schema), dictionary_(dictionary) {}

  /// Empties a batch.
  void start(FieldBatch& batch) const;
  /// Appends a document, with no length of its text fields. Throws InputError that names document,
  /// field and value for what FieldCheck finds.
  void add(std::string_view id, std::span<const FieldText> values, FieldBatch& batch) const;
  /// The number of a keyword of field `field`, for a batch's values.
  std::uint64_t keyword(std::uint32_t field, std::string_view text) const;
  /// The length in tokens of a text field of the document that was appended last. Once for each.
  static void set_length(std::uint32_t field, std::uint32_t length, FieldBatch& batch);

 private:
  std::uint64_t number_of(std::string_view id, const FieldText& value) const;

  const Schema& schema_;
  TermDictionary& dictionary_;
};

/// All keyword fields share a dictionary: the field's number, a byte, comes before the string. So
/// the entries of a field are together in bytewise order.
static_assert(kMaxFields <= 256);
inline std::uint32_t field_of_entry(std::string_view entry) {
  return static_cast<unsigned char>(entry[0]);
}

}  // namespace gannet::index
