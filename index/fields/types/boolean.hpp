// True and false.
#pragma once

#include "index/fields/types/base/concepts.hpp"

namespace gannet::index::types {

/// Keys: false 0, true 1. The sum is how many are true.
struct Boolean : Defaults<Boolean> {
  static constexpr FieldTraits traits{.form = ValueForm::kTruth, .sums = Sums::kWhole};
  static constexpr std::string_view names = "bool";

  static std::optional<std::uint64_t> key(const FieldSpec&, std::string_view text,
                                          std::string& why) {
    if (text == "true" || text == "false") return text == "true" ? 1 : 0;
    why = "must be true or false";
    return std::nullopt;
  }
  static std::string text(const FieldSpec&, std::uint64_t key) {
    return key == 0 ? "false" : "true";
  }
  static KeySpan limits(const FieldSpec&) { return {0, 1}; }
  static std::string filter_examples(const std::string& name) {
    return name + "true or " + name + "false";
  }
};

}  // namespace gannet::index::types
