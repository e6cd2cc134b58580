// Strings that are compared as a whole.
#pragma once

#include "index/fields/types/base/concepts.hpp"

namespace gannet::index::types {

/// The code of a string is its number in the segment's dictionary, which is sorted bytewise.
struct Keyword : Defaults<Keyword> {
  static constexpr FieldTraits traits{.storage = Storage::kKeywords};
  static constexpr std::string_view names = "keyword";

  static std::optional<std::uint64_t> key(const FieldSpec&, std::string_view, std::string& why) {
    why = "is a string, which has a number only in a segment's dictionary";
    return std::nullopt;
  }
};

}  // namespace gannet::index::types
