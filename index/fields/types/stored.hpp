// Texts that are shown with hits.
#pragma once

#include "index/fields/types/base/concepts.hpp"

namespace gannet::index::types {

/// It has no key, for it is not searched, sorted or counted.
struct Stored : Texts<Stored> {
  static constexpr FieldTraits traits{.storage = Storage::kTexts};
  static constexpr std::string_view names = "stored";
  static constexpr const char* reason =
      "is a text that is only stored; a field of another type can be searched";
};

}  // namespace gannet::index::types
