// Texts that are shown with hits.
#pragma once

#include "index/fields/types/base/concepts.hpp"

namespace gannet::index::types {

/// It has no key, for it is not searched, sorted or counted.
struct Stored : Defaults<Stored> {
  static constexpr FieldTraits traits{.storage = Storage::kTexts};
  static constexpr std::string_view names = "stored";

  static std::optional<std::uint64_t> key(const FieldSpec&, std::string_view, std::string& why) {
    why = "is a text that is only stored; a field of another type can be searched";
    return std::nullopt;
  }
};

}  // namespace gannet::index::types
