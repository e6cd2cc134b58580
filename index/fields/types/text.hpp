// Texts that are searched beside the main text.
#pragma once

#include "index/fields/types/base/concepts.hpp"

namespace gannet::index::types {

/// Searched, not compared: its terms are in the lexicon (index/fields/text_terms.hpp). The column
/// has its length in tokens, in documents where that is not 0.
struct Text : Texts<Text> {
  static constexpr FieldTraits traits{.storage = Storage::kPostings};
  static constexpr std::string_view names = "text";
  static constexpr const char* reason = "is a text, which is searched and not compared";

  /// Lengths have 32 bits.
  static bool take_name(FieldSpec& field, std::string_view name) {
    field.bits = 32;
    field.is_signed = false;
    return name == names;
  }
};

}  // namespace gannet::index::types
