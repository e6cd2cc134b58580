// Terms of text fields in the lexicon, which has those of all texts.
//
// The main text's terms are there as they are. A term of a text field has two bytes in front, 0 and
// the field's number in the schema: so each field's terms are a range of the lexicon, before all
// terms of the main text, of which none begins with 0 where there are text fields.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "index/fields/schema.hpp"

namespace gannet::index {

/// Stands for the main text where texts are numbered; text fields have their numbers in the schema.
inline constexpr std::uint32_t kMainText = 0xffffffffu;

/// The name of the main text; and of a document's part where a format has but one.
inline constexpr std::string_view kContentsField = "contents";

/// What a searched text holds, in a segment or an index.
struct TextStatistics {
  std::uint64_t documents = 0;  ///< that have a term in it
  std::uint64_t tokens = 0;     ///< sum of its lengths
  bool operator==(const TextStatistics&) const = default;
};

/// What the keys of a text field's terms begin with.
inline std::string text_key_prefix(std::uint32_t field) { return {'\0', static_cast<char>(field)}; }
/// The lexicon's key of a term of a text.
inline std::string text_key(std::uint32_t text, std::string_view term) {
  if (text == kMainText) return std::string(term);
  return text_key_prefix(text).append(term);
}

/// A key where there are text fields: the text that it is of, and the term there.
struct TextTerm {
  std::uint32_t text = kMainText;
  std::string_view term = {};
};
inline TextTerm split_text_key(std::string_view key) {
  if (key.size() < 2 || key[0] != '\0') return {kMainText, key};
  return {static_cast<unsigned char>(key[1]), key.substr(2)};
}

/// A key as users see it: `word`, `title:word`.
inline std::string key_label(const Schema& schema, std::string_view key) {
  if (!schema.has_text()) return std::string(key);
  const TextTerm term = split_text_key(key);
  if (term.text >= schema.fields().size()) return std::string(term.term);
  return schema.fields()[term.text].name + ":" + std::string(term.term);
}

}  // namespace gannet::index
