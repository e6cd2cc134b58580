// The lengths of a segment's text fields, read from their columns.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codecs/base/threads/once.hpp"
#include "index/fields/reading/fields_reader.hpp"
#include "index/lexicon/lexicon.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

/// Whether all lengths that a text field's column can hold are of 32 bits.
bool lengths_fit(const FieldColumn& column);

/// Which terms of the lexicon are of which text field, and the fields' lengths. Immutable, safe
/// from any number of threads.
class SegmentTexts {
 public:
  /// Looks the fields' terms up, in a time that hardly depends on the size. `fields` must stay.
  /// Throws FormatError.
  SegmentTexts(const Schema& schema, const Lexicon& lexicon, const FieldsReader& fields,
               std::uint64_t documents);

  /// The text that a term of the lexicon is of.
  std::uint32_t text_of(TermId term) const;
  /// The numbers of the text fields, ascending.
  std::vector<std::uint32_t> fields() const;
  /// The lengths of a text field; decoded the first time. Throws FormatError for a damaged column,
  /// UsageError if it is no text field.
  std::span<const std::uint32_t> lengths(std::uint32_t field) const;

 private:
  struct Text {
    std::uint32_t field = 0;
    TermRange terms = {};
    Once once = {};
    std::vector<std::uint32_t> lengths = {};
  };
  void read(Text& text) const;

  const FieldsReader& fields_;
  std::uint64_t documents_;
  std::uint64_t main_begin_ = 0;              ///< the first term that is of no text field
  std::vector<std::unique_ptr<Text>> texts_;  ///< in the order of their terms
};

}  // namespace gannet::index
