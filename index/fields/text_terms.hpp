// Keys of the lexicon: the terms of the main text and of the text fields.
//
// A segment has one lexicon for all its texts. A term of the main text is its own key. The key of a
// term of a text field begins with two bytes: 0 and the field's number in the schema. The keys of a
// field are therefore a range of the lexicon, before all terms of the main text. In an index with
// text fields, no term of the main text begins with a byte 0: the build leaves such terms out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "index/fields/schema.hpp"

namespace gannet::index {

/// The number of the main text. The number of a text field is its number in the schema.
inline constexpr std::uint32_t kMainText = 0xffffffffu;

/// The name of the main text in queries, and of the only part of a document in formats whose
/// documents have one part.
inline constexpr std::string_view kContentsField = "contents";

/// Statistics of one text, in a segment or an index.
struct TextStatistics {
  std::uint64_t documents = 0;  ///< documents with at least one token in the text
  std::uint64_t tokens = 0;     ///< sum of the text's lengths
  bool operator==(const TextStatistics&) const = default;
};

/// The two bytes with which all keys of a text field begin. `field` must be < kMaxFields.
inline std::string text_key_prefix(std::uint32_t field) { return {'\0', static_cast<char>(field)}; }
/// The key of a term. `text` is kMainText or the number of a text field.
inline std::string text_key(std::uint32_t text, std::string_view term) {
  if (text == kMainText) return std::string(term);
  return text_key_prefix(text).append(term);
}

/// A key in its two parts: the number of the text, and the term.
struct TextTerm {
  std::uint32_t text = kMainText;
  std::string_view term = {};
};
/// Splits a key of an index with text fields. Without text fields, a term of the main text may
/// begin with a byte 0, so that the function must not be used. The view points into `key`.
inline TextTerm split_text_key(std::string_view key) {
  if (key.size() < 2 || key[0] != '\0') return {kMainText, key};
  return {static_cast<unsigned char>(key[1]), key.substr(2)};
}

/// A key as users see it: `word` in the main text, `title:word` in a text field.
inline std::string key_label(const Schema& schema, std::string_view key) {
  if (!schema.has_text()) return std::string(key);
  const TextTerm term = split_text_key(key);
  if (term.text >= schema.fields().size()) return std::string(term.term);
  return schema.fields()[term.text].name + ":" + std::string(term.term);
}

}  // namespace gannet::index
