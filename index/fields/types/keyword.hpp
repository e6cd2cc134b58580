// Strings that are compared as a whole.
#pragma once

#include "index/fields/types/base/concepts.hpp"

namespace gannet::index::types {

/// The code of a string is its number in the segment's dictionary, which is sorted bytewise.
struct Keyword : Texts<Keyword> {
  static constexpr FieldTraits traits{.storage = Storage::kKeywords};
  static constexpr std::string_view names = "keyword";
  static constexpr const char* reason =
      "is a string, which has a number only in a segment's dictionary";
};

}  // namespace gannet::index::types
